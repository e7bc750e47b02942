package compiler

import (
	"fmt"
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
)

// The relations of a candidate to what the question names, from the nearest.
const (
	relationAsked   = "asked"     // it names the same entity
	relationParent  = "parent"    // the object that names it is derived from it
	relationChild   = "child"     // it is derived from what names it
	relationSibling = "sibling"   // both are derived from one object
	relationCross   = "reference" // it names an entity that goes with it
)

// resolve binds the names of subjects to canonical entities, and finds the neighbourhood of what the question names: parents,
// children, siblings and cross references among the candidates, and no whole source. An entity that nobody has decided on
// carries no constraint.
func resolve(s *state) error {
	asked, pending := map[string]bool{}, map[string]bool{}
	for _, e := range s.in.Entities {
		for _, name := range e.Names {
			s.subjects[ctxmcp.Normalize(name)] = e.ID
		}
		for _, id := range append(e.Nodes, e.ID) {
			asked[id], pending[id] = e.Asked, e.Pending
		}
	}
	direct := map[string]bool{} // ids of objects that name what is asked
	beside := map[string]bool{} // entities that go with what is asked
	for _, it := range s.live() {
		for _, id := range it.Object.CanonicalEntityIDs {
			if pending[id] {
				it.capped = "nobody has decided yet who or what it names"
				s.out.Trace.Metrics.Conflicts++
				break
			}
		}
		if slices.ContainsFunc(it.Object.CanonicalEntityIDs, func(id string) bool { return asked[id] }) {
			it.relation, direct[it.id()] = relationAsked, true
			for _, id := range it.Object.CanonicalEntityIDs {
				beside[id] = true
			}
		}
	}
	s.relate(direct, beside)
	return nil
}

// relate marks the neighbours of the objects that name what is asked.
func (s *state) relate(direct, beside map[string]bool) {
	parents := map[string]bool{}
	for _, it := range s.live() {
		if direct[it.id()] {
			for _, id := range it.Object.DerivedFrom {
				parents[id] = true
			}
		}
	}
	for _, it := range s.live() {
		o := it.Object
		switch {
		case it.relation != "":
			continue
		case parents[o.ObjectID]:
			it.relation = relationParent
		case slices.ContainsFunc(o.DerivedFrom, func(id string) bool { return direct[id] }):
			it.relation = relationChild
		case slices.ContainsFunc(o.DerivedFrom, func(id string) bool { return parents[id] }):
			it.relation = relationSibling
		case slices.ContainsFunc(o.CanonicalEntityIDs, func(id string) bool { return beside[id] }):
			it.relation = relationCross
		default:
			continue
		}
		s.out.Trace.Retrieval.Neighbours++
	}
	if len(direct) > 0 {
		s.note(fmt.Sprintf("%d name what is asked, %d are neighbours", len(direct), s.out.Trace.Retrieval.Neighbours))
	}
}

// slot returns the name of what an item's claim is about, under the canonical name of its subject; "" without a claim.
func (s *state) slot(it *item) string {
	c := it.Object.Claim
	if c.IsZero() {
		return ""
	}
	if id, known := s.subjects[ctxmcp.Normalize(c.Subject)]; known {
		c.Subject = id
	}
	return c.Slot()
}
