package fields

// A query is a path: from the root, or in a filter from the value at hand.
type query struct {
	relative bool
	segments []segment
}

// A segment leads from a value to some of those in it, or in anything below it.
type segment struct {
	descend bool
	picks   []pick
}

type pickKind int

const (
	pickName pickKind = iota
	pickIndex
	pickAll
	pickSlice
	pickFilter
)

// A pick is one selector of a segment.
type pick struct {
	kind       pickKind
	name       string
	index      int
	start, end *int // of a slice; nil: its default
	step       int
	filter     condition
}

// single reports whether the query selects one node at most.
func (q *query) single() bool {
	for _, s := range q.segments {
		if s.descend || len(s.picks) != 1 || s.picks[0].kind > pickIndex {
			return false
		}
	}
	return true
}

// ordered reports whether the order of the selected nodes follows from the query alone: members of objects have none.
func ordered(segments []segment) bool {
	for _, s := range segments {
		if s.descend {
			return false
		}
		for _, p := range s.picks {
			if p.kind == pickAll || p.kind == pickFilter {
				return false
			}
		}
	}
	return true
}
