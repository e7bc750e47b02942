package memory

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/ctx-mcp/ctx-mcp/memory/ranking"
)

// asMuchAsLater is the share of the question, of that which the memory that answers best speaks of, from which an earlier one answers for its
// own time.
const asMuchAsLater = 0.5

// surelyLater is the relevance from which the memory that answers best counts against earlier ones.
const surelyLater = 0.4

// besideLater returns the candidates of an ask for an instant, which counts what answers best if that began later only: where all
// speak of less than half as much, each has the share of its relevance beside it, so that nothing is told where nothing was known.
func (s *recaller) besideLater(ctx context.Context, r *Recalled, q Query, asked ranking.Question, ask Ask, candidates []Memory) ([]Memory, error) {
	if ask.AsOf.IsZero() {
		return candidates, nil
	}
	ever := q
	ever.AsOf = time.Time{}
	all, _, err := s.search(ctx, ever, asked, ask.Limit)
	if err != nil || len(all) == 0 || all[0].Relevance < surelyLater {
		return candidates, err
	}
	best := all[0]
	answers := func(m Memory) bool {
		return m.Object.ObjectID == best.Object.ObjectID || m.Bearing >= asMuchAsLater*best.Bearing
	}
	if !best.Object.ValidFrom.After(q.AsOf) || slices.ContainsFunc(candidates, answers) {
		return candidates, nil
	}
	beside := map[string]Memory{}
	for _, m := range all {
		beside[m.Object.ObjectID] = m
	}
	for i := range candidates {
		m := &candidates[i]
		m.Relevance, m.Leading = min(m.Relevance, beside[m.Object.ObjectID].Relevance*m.Bearing/best.Bearing), false
	}
	r.Warnings = append(r.Warnings, fmt.Sprintf("what answers best is true from %s on only", best.Object.ValidFrom.UTC().Format(time.DateOnly)))
	return candidates, nil
}
