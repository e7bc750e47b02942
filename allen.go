package ctxmcp

// Relation is how one interval stands to another: one of the thirteen relations of Allen's interval algebra (Allen,
// "Maintaining knowledge about temporal intervals", 1983). For any two intervals that are not empty exactly one holds.
type Relation string

// The relations, of a to b. The first seven, and the inverses of all but equals.
const (
	Before       Relation = "before"        // a ends, and b begins later
	Meets        Relation = "meets"         // a ends where b begins
	Overlaps     Relation = "overlaps"      // a begins first, and ends within b
	Starts       Relation = "starts"        // both begin together, and a ends first
	During       Relation = "during"        // a begins later and ends first
	Finishes     Relation = "finishes"      // a begins later, and both end together
	Equals       Relation = "equals"        // both begin and end together
	FinishedBy   Relation = "finished_by"   // a begins first, and both end together
	Contains     Relation = "contains"      // a begins first and ends later
	StartedBy    Relation = "started_by"    // both begin together, and a ends later
	OverlappedBy Relation = "overlapped_by" // a begins within b, and ends later
	MetBy        Relation = "met_by"        // a begins where b ends
	After        Relation = "after"         // b ends, and a begins later
)

// Relations lists the thirteen.
func Relations() []Relation {
	return []Relation{Before, Meets, Overlaps, Starts, During, Finishes, Equals, FinishedBy, Contains, StartedBy,
		OverlappedBy, MetBy, After}
}

// relationByBounds gives the relation of intervals that share an instant, by how their beginnings and their ends compare.
var relationByBounds = map[[2]int]Relation{
	{-1, -1}: Overlaps, {-1, 0}: FinishedBy, {-1, 1}: Contains,
	{0, -1}: Starts, {0, 0}: Equals, {0, 1}: StartedBy,
	{1, -1}: During, {1, 0}: Finishes, {1, 1}: OverlappedBy,
}

// Relation returns how i stands to o. Neither is empty. Intervals are half-open: two that meet share no instant.
func (i Interval) Relation(o Interval) Relation {
	switch {
	case i.Overlaps(o):
		return relationByBounds[[2]int{i.From.Compare(o.From), i.compareEnd(o)}]
	case !i.To.IsZero() && i.To.Equal(o.From):
		return Meets
	case !o.To.IsZero() && o.To.Equal(i.From):
		return MetBy
	case i.From.Before(o.From):
		return Before
	default:
		return After
	}
}

// compareEnd compares the ends, of which a zero one is the latest.
func (i Interval) compareEnd(o Interval) int {
	switch {
	case i.To.IsZero() && o.To.IsZero():
		return 0
	case i.To.IsZero():
		return 1
	case o.To.IsZero():
		return -1
	default:
		return i.To.Compare(o.To)
	}
}

// Intersect returns the time in both, which may be empty.
func (i Interval) Intersect(o Interval) Interval {
	if i.From.Before(o.From) {
		i.From = o.From
	}
	if i.compareEnd(o) > 0 {
		i.To = o.To
	}
	return i
}
