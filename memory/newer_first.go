package memory

import (
	"context"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory/change"
	"github.com/ctx-mcp/ctx-mcp/memory/ranking"
)

// newerFirst returns the candidates so that one that may be outdated stands right behind the one that outdates it, which is fetched
// if the question did not find it; or right before it, if it answers by a part that holds on. A question for an earlier state gets them in the order in which it found them. A mark counts as
// long as the object that it names, or one that took its place, is held and visible: elsewhere it is taken off.
func (s *recaller) newerFirst(ctx context.Context, q Query, candidates []Memory, asked ranking.Question, past bool) ([]Memory, error) {
	newer, err := s.newerOf(ctx, q, candidates)
	if err != nil || newer == nil {
		return candidates, err
	}
	if past {
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
		by, held := newer[o.MaybeOutdatedBy]
		leads := held && len(ordered) < mostInPart && answersByRest(asked, o, by)
		if held && !leads {
			place(by)
		}
		m := best[o.ObjectID]
		m.Object, m.HoldsOn = o, leads
		ordered = append(ordered, m)
		if leads {
			place(by)
		}
	}
	for _, m := range candidates {
		place(m.Object)
	}
	for i := range ordered[:min(len(ordered), mostInPart)] {
		o := &ordered[i].Object
		o.OutdatedPart = partOutdated(*o, newer[o.MaybeOutdatedBy])
	}
	return ordered, nil
}

// answersByRest reports whether an object answers the question by a part that the one which outdates another part leaves as it is.
func answersByRest(asked ranking.Question, o, by ctxmcp.ContextObject) bool {
	return asked.AskedOfRest(change.Read(change.Of(o)), change.Read(change.Of(by)))
}

// mostInPart is the number of first places of an answer in which it counts that a part alone is outdated.
const mostInPart = 30

// partOutdated returns the words of an object that another one changes, where the rest of it holds on; "" where it stands or falls as a whole.
func partOutdated(o, by ctxmcp.ContextObject) string {
	if by.ObjectID == "" {
		return ""
	}
	words, partly := change.Touched(change.Read(change.Of(o)), change.Read(change.Of(by)))
	if !partly {
		return ""
	}
	return words
}

// atLeast returns the memory as well placed as another one.
func (m Memory) atLeast(other Memory) Memory {
	m.Relevance, m.Bearing, m.Leading = max(m.Relevance, other.Relevance), max(m.Bearing, other.Bearing), m.Leading || other.Leading
	return m
}

// withoutOutdated leaves memories out of a brief, and counts them, that may be outdated as a whole by another one, held and visible.
func (s *recaller) withoutOutdated(ctx context.Context, r *Recalled, q Query, held []Memory) ([]Memory, error) {
	newer, err := s.newerOf(ctx, q, held)
	if err != nil {
		return nil, err
	}
	kept := held[:0]
	for _, m := range held {
		by, outdated := newer[m.Object.MaybeOutdatedBy]
		if m.Object.OutdatedPart = partOutdated(m.Object, by); outdated && m.Object.OutdatedPart == "" {
			r.Omitted[MaybeOutdated]++
			continue
		}
		kept = append(kept, m)
	}
	return kept, nil
}

// withoutLoneOld takes the memories out of the answer that may be outdated by one that is not before them in it, unless they answer by a part that holds on.
func withoutLoneOld(r *Recalled) {
	shown := map[string]bool{}
	kept := r.Memories[:0]
	for _, m := range r.Memories {
		if by := m.Object.MaybeOutdatedBy; by != "" && !shown[by] && !m.HoldsOn {
			r.Omitted[MaybeOutdated]++
			r.Tokens -= m.Tokens
			continue
		}
		shown[m.Object.ObjectID] = true
		kept = append(kept, m)
	}
	r.Memories = kept
}
