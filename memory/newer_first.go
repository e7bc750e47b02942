package memory

import (
	"context"
	"fmt"
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
)

// newerFirst returns the candidates so that one that may be outdated stands right behind the one that outdates it, which is fetched
// if the question did not find it. A question for an earlier state gets them in the order in which it found them. A mark counts as
// long as the object that it names is held and visible: elsewhere it is taken off.
func (s *recaller) newerFirst(ctx context.Context, q Query, candidates []Memory, past bool) ([]Memory, error) {
	newer, err := s.newerOf(ctx, q, candidates)
	if err != nil || newer == nil {
		return candidates, err
	}
	if past {
		for i := range candidates {
			if _, held := newer[candidates[i].Object.MaybeOutdatedBy]; !held {
				candidates[i].Object.MaybeOutdatedBy = ""
			}
		}
		return candidates, nil
	}
	best := map[string]Memory{} // with the relevance of what it outdates, at least
	for _, m := range candidates {
		id := m.Object.ObjectID
		best[id] = best[id].atLeast(m)
		for by := m.Object.MaybeOutdatedBy; newer[by].ObjectID != ""; by = newer[by].MaybeOutdatedBy {
			if held := best[by]; held.Relevance >= m.Relevance && held.Leading {
				break
			}
			best[by] = best[by].atLeast(m)
		}
	}
	var ordered []Memory
	placed := map[string]bool{}
	var place func(o ctxmcp.ContextObject)
	place = func(o ctxmcp.ContextObject) {
		if placed[o.ObjectID] {
			return
		}
		placed[o.ObjectID] = true
		if by, held := newer[o.MaybeOutdatedBy]; held {
			place(by)
		} else {
			o.MaybeOutdatedBy = ""
		}
		m := best[o.ObjectID]
		m.Object = o
		ordered = append(ordered, m)
	}
	for _, m := range candidates {
		place(m.Object)
	}
	return ordered, nil
}

// atLeast returns the memory as well placed as another one.
func (m Memory) atLeast(other Memory) Memory {
	m.Relevance, m.Bearing, m.Leading = max(m.Relevance, other.Relevance), max(m.Bearing, other.Bearing), m.Leading || other.Leading
	return m
}

// newerOf returns the objects that the marks of candidates name, and those that their marks name, by id: nil if there are no
// marks.
func (s *recaller) newerOf(ctx context.Context, q Query, candidates []Memory) (map[string]ctxmcp.ContextObject, error) {
	var open []string
	note := func(o ctxmcp.ContextObject) {
		if id := o.MaybeOutdatedBy; id != "" && !slices.Contains(open, id) {
			open = append(open, id)
		}
	}
	for i := range candidates {
		note(candidates[i].Object)
	}
	if len(open) == 0 {
		return nil, nil
	}
	held := make(map[string]ctxmcp.ContextObject, len(candidates))
	for _, m := range candidates {
		held[m.Object.ObjectID] = m.Object
	}
	newer := map[string]ctxmcp.ContextObject{}
	for len(open) > 0 {
		var missing []string
		next := open
		open = nil
		for _, id := range next {
			if o, found := held[id]; found {
				if _, seen := newer[id]; !seen {
					newer[id] = o
					note(o)
				}
			} else if _, seen := newer[id]; !seen {
				missing = append(missing, id)
			}
		}
		if len(missing) == 0 {
			continue
		}
		byID := q
		byID.ObjectIDs, byID.Types = missing, nil
		found, err := s.Store.Find(ctx, byID)
		if err != nil {
			return nil, fmt.Errorf("find what outdates a memory: %w", err)
		}
		for _, o := range found {
			newer[o.ObjectID] = o
			note(o)
		}
		open = slices.DeleteFunc(open, func(id string) bool { return slices.Contains(missing, id) })
	}
	return newer, nil
}

// withoutOutdated leaves out of a brief, and counts, what may be outdated by something that is held and visible.
func (s *recaller) withoutOutdated(ctx context.Context, r *Recalled, q Query, held []Memory) ([]Memory, error) {
	newer, err := s.newerOf(ctx, q, held)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(held, func(m Memory) bool {
		_, outdated := newer[m.Object.MaybeOutdatedBy]
		if outdated {
			r.Omitted[MaybeOutdated]++
		}
		return outdated
	}), nil
}

// withoutLoneOld takes the memories out of the answer that may be outdated by one that is not before them in it.
func withoutLoneOld(r *Recalled) {
	shown := map[string]bool{}
	kept := r.Memories[:0]
	for _, m := range r.Memories {
		if by := m.Object.MaybeOutdatedBy; by != "" && !shown[by] {
			r.Omitted[MaybeOutdated]++
			r.Tokens -= m.Tokens
			continue
		}
		shown[m.Object.ObjectID] = true
		kept = append(kept, m)
	}
	r.Memories = kept
}
