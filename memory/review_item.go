package memory

import (
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
)

// ReviewItem is a review as a person sees it.
type ReviewItem struct {
	ID         string
	Kind       ReviewKind
	Question   string
	Candidates []ReviewCandidate
	Decisions  []string // on offer: ids of candidates, and words
}

// ReviewCandidate is one of the things that a review asks about.
type ReviewCandidate struct {
	ID     string
	Name   string               // of an entity
	Object ctxmcp.ContextObject // for an entity, the one that named it first
}

// Settled is a decision with its effect.
type Settled struct {
	ID       string
	Decision string
	Effect   string
}

// candidatesOf returns one candidate for each object, in order.
func candidatesOf(versions []ctxmcp.ContextObject) []ReviewCandidate {
	var all []ReviewCandidate
	for _, o := range versions {
		if !slices.ContainsFunc(all, func(c ReviewCandidate) bool { return c.ID == o.ObjectID }) {
			all = append(all, ReviewCandidate{ID: o.ObjectID, Object: o})
		}
	}
	return all
}

// sides reports whether v says the same as the candidate with the id.
func (i *ReviewItem) sides(id string, v ctxmcp.ContextObject) bool {
	return slices.ContainsFunc(i.Candidates, func(c ReviewCandidate) bool {
		return c.ID == id && (c.ID == v.ObjectID || alike(c.Object.Claim, v.Claim))
	})
}
