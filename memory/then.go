package memory

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory/change"
	"github.com/ctx-mcp/ctx-mcp/memory/ranking"
)

// This file answers a question that names the time it asks about, "when did we deploy in April?", with the state of then, and one for a time to come with the state
// to come.

// surelyMeant is the share of an event, as a question names it, from which a memory that speaks of so much is that event.
const surelyMeant = 0.6

// meantBy returns the memory that speaks of most of an event, the first of several, and whether one is surely it. Plans and turns of conversations are no
// events.
func meantBy(found []Memory) (of ctxmcp.ContextObject, is bool) {
	best := 0.0
	for _, m := range found {
		if m.Bearing > best && m.Object.Author == "" && !change.ToCome(change.Read(change.Of(m.Object))) {
			best, of = m.Bearing, m.Object
		}
	}
	return of, best >= surelyMeant
}

// namedTime returns the time that an ask names in its question alone, and the question as it is searched for.
func (s *recaller) namedTime(ctx context.Context, q Query, ask Ask, asked ranking.Question) (then ctxmcp.Interval, ahead bool, searched ranking.Question, err error) {
	if !ask.AsOf.IsZero() || !ask.BelievedAt.IsZero() {
		return then, false, asked, nil
	}
	named := ranking.NamedIn(ask.Query, ask.nowOr(s.now()))
	if named.IsZero() || asked.AsksAgenda() {
		return then, false, asked, nil
	}
	if named.Event == "" {
		return named.Stretch, named.Ahead, asked, nil
	}
	q.AsOf = time.Time{}
	event := ask
	ofThing := named.Bound == "before" && ranking.NamesThing(named.Event)
	event.Query = named.Event
	read := s.read(event)
	if ofThing {
		read = read.AsFormer()
	}
	found, _, err := s.search(ctx, q, read, ask.Limit)
	if err != nil {
		return then, false, asked, err
	}
	if ofThing && tookPlaces(found) {
		return then, false, asked.AsFormer(), nil
	}
	of, is := meantBy(found)
	if !is {
		return then, false, asked, nil
	}
	then = ctxmcp.Interval{From: of.ValidFrom, To: endOf(of, found)}
	if named.Bound == "before" {
		then = ctxmcp.Interval{From: of.ValidFrom.Add(-time.Microsecond), To: of.ValidFrom}
	}
	rest := ask
	rest.Query = named.Rest
	return then, false, s.read(rest), nil
}

// tookPlaces reports whether one of the memories that speak of a thing took the place of another one, or probably did: "before Snowflake" asks for that one.
func tookPlaces(found []Memory) bool {
	by := map[string]bool{}
	for _, m := range found {
		by[m.Object.LinkNow()], by[m.Object.MaybeOutdatedBy] = true, true
	}
	return slices.ContainsFunc(found, func(m Memory) bool { return m.Bearing >= surelyMeant && by[m.Object.ObjectID] })
}

// nowOr returns the now of the ask: its reference time, if it has one.
func (ask Ask) nowOr(now time.Time) time.Time {
	if !ask.ReferenceTime.IsZero() {
		return ask.ReferenceTime
	}
	return now
}

// endOf returns the time at which an object ceased to hold, or probably did: the beginning of its successor among the memories. The zero time says that it holds.
func endOf(o ctxmcp.ContextObject, among []Memory) time.Time {
	if !o.ValidUntil.IsZero() {
		return o.ValidUntil
	}
	for _, m := range among {
		if m.Object.ObjectID == o.MaybeOutdatedBy {
			return m.Object.ValidFrom
		}
	}
	return time.Time{}
}

// soThen brings memories that held in a time before their later successors and their predecessors; the rest keeps its order.
func soThen(candidates []Memory, then ctxmcp.Interval) []Memory {
	at := map[string]int{}
	for i, m := range candidates {
		at[m.Object.ObjectID] = i
	}
	held := func(m Memory) bool {
		until := endOf(m.Object, candidates)
		return (then.To.IsZero() || m.Object.ValidFrom.Before(then.To)) && (until.IsZero() || until.After(then.From))
	}
	later, earlier := map[int]int{}, map[int][]int{} // places of the successor of a candidate, and of its predecessors
	for i, m := range candidates {
		for _, by := range []string{m.Object.LinkNow(), m.Object.MaybeOutdatedBy} {
			if j, found := at[by]; found && j != i {
				later[i] = j
				earlier[j] = append(earlier[j], i)
			}
		}
	}
	var ordered []Memory
	placed := map[int]bool{}
	place := func(i int, as Memory) {
		if !placed[i] {
			placed[i] = true
			ordered = append(ordered, candidates[i].atLeast(as))
		}
	}
	for i, m := range candidates {
		if !held(m) && !placed[i] {
			for _, j := range chain(i, later, earlier) {
				if held(candidates[j]) {
					place(j, m)
				}
			}
		}
		place(i, m)
	}
	return ordered
}

// chain returns the places of all candidates in one line of changes with a candidate.
func chain(from int, later map[int]int, earlier map[int][]int) (line []int) {
	seen, open := map[int]bool{from: true}, []int{from}
	for len(open) > 0 {
		i := open[0]
		open = open[1:]
		next := earlier[i]
		if j, found := later[i]; found {
			next = append(next[:len(next):len(next)], j)
		}
		for _, j := range next {
			if !seen[j] {
				seen[j] = true
				open, line = append(open, j), append(line, j)
			}
		}
	}
	return line
}

// toldThen says which time an answer is of.
func toldThen(then ctxmcp.Interval) string {
	if then.To.IsZero() {
		return fmt.Sprintf("the question is read as one for the time from %s on", then.From.UTC().Format(time.DateOnly))
	}
	first, last := then.From.UTC().Format(time.DateOnly), then.To.Add(-time.Microsecond).UTC().Format(time.DateOnly)
	if first == last {
		return "the question is read as one for " + first
	}
	return fmt.Sprintf("the question is read as one for the time from %s to %s", first, last)
}
