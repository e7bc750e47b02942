package ctxmcp_test

import (
	"testing"

	"github.com/ctx-mcp/ctx-mcp"
)

// TestRelations names each of the thirteen for a pair of intervals that shows it.
func TestRelations(t *testing.T) {
	for _, c := range []struct {
		a, b [2]int // hours; an end of 0 is open
		want ctxmcp.Relation
	}{
		{[2]int{1, 2}, [2]int{3, 4}, ctxmcp.Before},
		{[2]int{1, 2}, [2]int{2, 4}, ctxmcp.Meets},
		{[2]int{1, 3}, [2]int{2, 4}, ctxmcp.Overlaps},
		{[2]int{1, 3}, [2]int{2, 0}, ctxmcp.Overlaps},
		{[2]int{1, 2}, [2]int{1, 4}, ctxmcp.Starts},
		{[2]int{1, 2}, [2]int{1, 0}, ctxmcp.Starts},
		{[2]int{2, 3}, [2]int{1, 4}, ctxmcp.During},
		{[2]int{2, 3}, [2]int{1, 0}, ctxmcp.During},
		{[2]int{2, 4}, [2]int{1, 4}, ctxmcp.Finishes},
		{[2]int{2, 0}, [2]int{1, 0}, ctxmcp.Finishes},
		{[2]int{1, 4}, [2]int{1, 4}, ctxmcp.Equals},
		{[2]int{1, 0}, [2]int{1, 0}, ctxmcp.Equals},
	} {
		a := ctxmcp.Interval{From: hour(c.a[0]), To: hour(c.a[1])}
		b := ctxmcp.Interval{From: hour(c.b[0]), To: hour(c.b[1])}
		if got := a.Relation(b); got != c.want {
			t.Errorf("%v.Relation(%v) = %s, want %s", a, b, got, c.want)
		}
		if got := b.Relation(a); got != inverse[c.want] {
			t.Errorf("%v.Relation(%v) = %s, want %s", b, a, got, inverse[c.want])
		}
	}
}

var inverse = map[ctxmcp.Relation]ctxmcp.Relation{
	ctxmcp.Before: ctxmcp.After, ctxmcp.Meets: ctxmcp.MetBy, ctxmcp.Overlaps: ctxmcp.OverlappedBy,
	ctxmcp.Starts: ctxmcp.StartedBy, ctxmcp.During: ctxmcp.Contains, ctxmcp.Finishes: ctxmcp.FinishedBy,
	ctxmcp.Equals: ctxmcp.Equals, ctxmcp.FinishedBy: ctxmcp.Finishes, ctxmcp.Contains: ctxmcp.During,
	ctxmcp.StartedBy: ctxmcp.Starts, ctxmcp.OverlappedBy: ctxmcp.Overlaps, ctxmcp.MetBy: ctxmcp.Meets, ctxmcp.After: ctxmcp.Before,
}

// TestRelationsFollowFromOverlap goes over every pair of intervals. The relation of one to the other is the inverse
// of the other's to it. All thirteen occur, and those without a shared instant are the four that say so. Subtracting
// the rest of one without the other from it leaves what both have in common.
func TestRelationsFollowFromOverlap(t *testing.T) {
	apart := map[ctxmcp.Relation]bool{ctxmcp.Before: true, ctxmcp.Meets: true, ctxmcp.MetBy: true, ctxmcp.After: true}
	seen := map[ctxmcp.Relation]bool{}
	for _, a := range intervals(6) {
		for _, b := range intervals(6) {
			if a.Empty() || b.Empty() {
				continue
			}
			r := a.Relation(b)
			seen[r] = true
			if back := b.Relation(a); back != inverse[r] {
				t.Errorf("%v stands %s to %v, which stands %s to it", a, r, b, back)
			}
			if a.Overlaps(b) == apart[r] {
				t.Errorf("%v stands %s to %v; Overlaps = %v", a, r, b, a.Overlaps(b))
			}
			both := []ctxmcp.Interval{a}
			for _, only := range a.Subtract(b) {
				var rest []ctxmcp.Interval
				for _, i := range both {
					rest = append(rest, i.Subtract(only)...)
				}
				both = rest
			}
			switch got := a.Intersect(b); {
			case apart[r] != got.Empty():
				t.Errorf("%v.Intersect(%v) = %v, which is empty: %v", a, b, got, got.Empty())
			case !apart[r] && (len(both) != 1 || got != both[0]):
				t.Errorf("%v.Intersect(%v) = %v, want %v", a, b, got, both)
			}
		}
	}
	if len(seen) != len(ctxmcp.Relations()) {
		t.Errorf("%d relations occur, want all of %v", len(seen), ctxmcp.Relations())
	}
}
