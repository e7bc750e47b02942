package memory

import (
	"context"
	"fmt"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory/change"
)

// Similar is an object that says something like the new one, and stays beside it.
type Similar struct {
	ObjectID     string
	Content      string `json:"-"` // not kept with the answer for repetitions
	Relation     SimilarBy
	RecordedAt   time.Time
	OutdatedPart string `json:"-"` // the words that the new one changes, where it changes a part and the rest holds on
}

// SimilarBy says how an object is similar to a new one. The words are sent: append only.
type SimilarBy string

// The ways of being similar.
const (
	Duplicate   SimilarBy = "duplicate"    // it says the same in other words
	SameSubject SimilarBy = "same_subject" // it is about the same
	Contradicts SimilarBy = "contradicts"  // both can hardly hold
)

// SimilarWays lists the vocabulary.
func SimilarWays() []SimilarBy { return []SimilarBy{Duplicate, SameSubject, Contradicts} }

// similar returns the related objects that stay beside the plan's object, the closest first.
func (p *plan) similarAmong(all []related) []Similar {
	var found []Similar
	show := func(r related, as SimilarBy) {
		if len(found) < mostSimilar {
			one := Similar{ObjectID: r.object.ObjectID, Content: r.object.Content, Relation: as, RecordedAt: r.object.TxStart}
			if as == Contradicts {
				one.OutdatedPart = partOutdated(r.object, p.object)
			}
			found = append(found, one)
		}
	}
	for _, r := range all {
		switch {
		case p.displaces(r.object.ObjectID) || r.object.ObjectID == p.object.ObjectID:
		case r.likeness >= change.Rephrased:
			show(r, Duplicate)
		case p.comes && r.verdict.Likely():
			show(r, SameSubject)
		case r.verdict.Likely(), p.waits != "" && r.competes:
			show(r, Contradicts)
		}
	}
	for _, r := range all {
		if !p.displaces(r.object.ObjectID) && r.object.ObjectID != p.object.ObjectID && r.likeness == change.OneSubject && !r.verdict.Likely() && !(p.waits != "" && r.competes) {
			show(r, SameSubject)
		}
	}
	return found
}

// displaces reports whether the plan displaces the object.
func (p *plan) displaces(id string) bool {
	for _, d := range p.displaced {
		if d.ObjectID == id {
			return true
		}
	}
	return false
}

// quoted gives a kept answer the texts of the objects that it names back, which are not kept with it.
func (s *writer) quoted(ctx context.Context, by ctxmcp.Caller, r *Remembered) error {
	q := ownedBy(by)
	q.EveryVersion, q.Archived, q.ObjectIDs = true, true, []string{r.ObjectID}
	for _, d := range r.Displaced {
		q.ObjectIDs = append(q.ObjectIDs, d.ObjectID)
	}
	for _, o := range r.Similar {
		q.ObjectIDs = append(q.ObjectIDs, o.ObjectID)
	}
	if len(q.ObjectIDs) == 1 {
		return nil
	}
	found, err := s.Store.Find(ctx, q)
	if err != nil {
		return fmt.Errorf("find what an answer names: %w", err)
	}
	named := map[string]ctxmcp.ContextObject{}
	for _, o := range found {
		named[o.ObjectID] = o
	}
	for i := range r.Displaced {
		r.Displaced[i].Content = named[r.Displaced[i].ObjectID].Content
	}
	for i, one := range r.Similar {
		r.Similar[i].Content = named[one.ObjectID].Content
		if one.Relation == Contradicts {
			r.Similar[i].OutdatedPart = partOutdated(named[one.ObjectID], named[r.ObjectID])
		}
	}
	return nil
}
