package audit

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

// contradictions compares claims in one slot whose predicate holds one value at a time.
var contradictions = Check{
	Kind:  Contradiction,
	Doc:   "two values where one can be true: end the one that is not",
	begin: func(o Options) examiner { return &contradicting{options: o, slots: map[string][]claimed{}} },
	samples: []sample{
		{[]Record{
			{ID: "a", Content: "x", Claim: ctxmcp.Claim{Subject: "Web Team", Predicate: "deploy day", Value: "Thursday"}},
			{ID: "b", Content: "y", Claim: ctxmcp.Claim{Subject: "web team", Predicate: "deploy_day", Value: "Monday"}},
			{ID: "c", Content: "y", Claim: ctxmcp.Claim{Subject: "web team", Predicate: "deploy_day", Value: "thursday."}},
		}, []string{"2 values at a time for deploy day of Web Team: a b c"}},
		{[]Record{ // one after the other
			{ID: "a", Content: "x", Claim: ctxmcp.Claim{Subject: "s", Predicate: "p", Value: "1"}, Valid: ctxmcp.Interval{To: sampleNow}},
			{ID: "b", Content: "y", Claim: ctxmcp.Claim{Subject: "s", Predicate: "p", Value: "2"}, Valid: ctxmcp.Interval{From: sampleNow}},
		}, nil},
		{[]Record{ // held for several values, an edge of a graph, another group, the past
			{ID: "a", Content: "x", Claim: ctxmcp.Claim{Subject: "s", Predicate: "likes", Value: "1"}},
			{ID: "b", Content: "y", Claim: ctxmcp.Claim{Subject: "s", Predicate: "likes", Value: "2"}},
			{ID: "c", Content: "x", Claim: ctxmcp.Claim{Subject: "s", Predicate: "p", Value: "1"}},
			{ID: "d", Content: "y", Claim: ctxmcp.Claim{Subject: "s", Predicate: "p", Value: "2"}, Beside: true},
			{ID: "e", Content: "y", Claim: ctxmcp.Claim{Subject: "s", Predicate: "p", Value: "2"}, Group: "other"},
			{ID: "f", Content: "y", Claim: ctxmcp.Claim{Subject: "s", Predicate: "p", Value: "2"}, Past: true},
		}, nil},
		{[]Record{
			{ID: "a", Content: "x", Claim: ctxmcp.Claim{Subject: "s", Predicate: "p", Value: "1"}, Valid: ctxmcp.Interval{From: sampleNow.Add(-9 * day)}},
			{ID: "b", Content: "y", Claim: ctxmcp.Claim{Subject: "s", Predicate: "p", Value: "2"}, Status: ctxmcp.Quarantined, Valid: ctxmcp.Interval{From: sampleNow}},
		}, []string{"2 values at a time for p of s, one of them quarantined: a b"}},
	},
}

type contradicting struct {
	options Options
	slots   map[string][]claimed // by group and slot
}

// claimed is a claim as it is kept for comparison.
type claimed struct {
	about  string // redacted
	value  string // normalised, and never printed
	valid  ctxmcp.Interval
	status ctxmcp.ContradictionStatus
	place  Place
}

func (c *contradicting) examine(r *record) {
	if r.Claim.IsZero() || r.Beside || c.options.Coexists(r.Claim.Predicate) {
		return
	}
	predicate, _ := c.options.Redact(r.Claim.Predicate)
	subject, _ := c.options.Redact(r.Claim.Subject)
	key := r.Group + "\x1f" + r.Claim.Slot()
	c.slots[key] = append(c.slots[key], claimed{
		about: excerpt(predicate) + " of " + excerpt(subject), value: ctxmcp.Normalize(r.Claim.Value),
		valid: r.Valid, status: r.Status, place: r.place,
	})
}

func (c *contradicting) findings(ctx context.Context) ([]Finding, error) {
	var found []Finding
	for _, slot := range c.slots {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if f, ok := contradiction(slot); ok {
			found = append(found, f)
		}
	}
	slices.SortFunc(found, worse) // a map has no order
	return found, nil
}

// contradiction returns the finding for the claims of a slot that are true at the same time with different values.
func contradiction(slot []claimed) (f Finding, ok bool) {
	clashing := clashes(slot)
	var all []claimed
	for i, c := range slot {
		if clashing[i] {
			all = append(all, c)
		}
	}
	if len(all) == 0 {
		return f, false
	}
	slices.SortStableFunc(all, func(a, b claimed) int { return comparePlaces(a.place, b.place) })
	values := map[string]bool{}
	quarantined := ""
	for _, c := range all {
		values[c.value] = true
		f.Records = append(f.Records, c.place)
		if c.status == ctxmcp.Quarantined {
			quarantined = ", one of them quarantined"
		}
	}
	f.Why = fmt.Sprintf("%d values at a time for %s%s", len(values), all[0].about, quarantined)
	f.weight = float64(len(all))
	return f, true
}

// clashes returns which claims overlap one of another value. It goes through them twice in the order in which they begin:
// onwards, where of those before the one that ends last is enough to look at, with the last of another value; and back,
// where of those after it is the one that begins first.
func clashes(slot []claimed) []bool {
	order := make([]int, len(slot))
	for i := range slot {
		order[i] = i
	}
	slices.SortStableFunc(order, func(x, y int) int { return slot[x].valid.From.Compare(slot[y].valid.From) })
	clashing := make([]bool, len(slot))
	pass := func(better func(x, y claimed) int) {
		var seen []int // at most two, of different values, the better first
		for _, i := range order {
			clashing[i] = clashing[i] || slices.ContainsFunc(seen, func(j int) bool {
				return slot[i].value != slot[j].value && slot[i].valid.Overlaps(slot[j].valid)
			})
			seen = bestTwo(slot, append(seen, i), better)
		}
	}
	pass(func(x, y claimed) int { return end(y).Compare(end(x)) })
	slices.Reverse(order)
	pass(func(x, y claimed) int { return x.valid.From.Compare(y.valid.From) })
	return clashing
}

// bestTwo returns the best of the claims, and the best of those with another value.
func bestTwo(slot []claimed, of []int, better func(x, y claimed) int) []int {
	slices.SortStableFunc(of, func(x, y int) int { return better(slot[x], slot[y]) })
	two := of[:1:1]
	for _, i := range of[1:] {
		if len(two) == 1 && slot[i].value != slot[two[0]].value {
			two = append(two, i)
		}
	}
	return two
}

func end(c claimed) time.Time {
	if c.valid.To.IsZero() {
		return time.Unix(1<<60, 0) // after all that can be written
	}
	return c.valid.To
}

func comparePlaces(a, b Place) int {
	return cmp.Or(cmp.Compare(a.Line, b.Line), strings.Compare(a.ID, b.ID), cmp.Compare(a.Version, b.Version))
}
