package memory

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/ctx-mcp/ctx-mcp/memory/ranking"
)

// The bounds of what has been replaced: how often in a row, and how many statements are looked up because the question is in the words of
// those whose place they took.
const (
	mostReplacedInARow = 8
	mostSucceeding     = 20
)

// withFormer takes those candidates out that the query does not select because something has taken their place, and notes them as what that
// statement says no more: "I sold the Nikon and bought a Fujifilm" answers "which camera do I use" by the words of "my camera is a Nikon".
func (s *recaller) withFormer(ctx context.Context, q Query, found *ranking.Found) error {
	replacedBy, former := map[string]string{}, map[string]ranking.Candidate{}
	here, ever := map[string]bool{}, q
	ever.AsOf = time.Time{}
	found.Candidates = slices.DeleteFunc(found.Candidates, func(c ranking.Candidate) bool {
		if q.Selects(c.Object) || !ever.Selects(c.Object) { // what no time explains is a fault of the store, which the caller sees
			here[c.Object.ObjectID] = true
			return false
		}
		if by := c.Object.LinkNow(); by != "" && by != c.Object.ObjectID && c.IsStatement() {
			replacedBy[c.Object.ObjectID], former[c.Object.ObjectID] = by, c
		}
		return true
	})
	if len(former) == 0 {
		return nil
	}
	found.Former = map[string][]ranking.Candidate{}
	var missing []string
	for id, c := range former {
		by := replacedBy[id]
		for step := 0; step < mostReplacedInARow && !here[by] && replacedBy[by] != ""; step++ {
			by = replacedBy[by]
		}
		if !here[by] && !slices.Contains(missing, by) {
			missing = append(missing, by)
		}
		found.Former[by] = append(found.Former[by], c)
	}
	for _, all := range found.Former {
		slices.SortFunc(all, func(a, b ranking.Candidate) int { return compareRefs(a.Object, b.Object) })
	}
	if len(missing) == 0 {
		return nil
	}
	slices.Sort(missing)
	q.ObjectIDs = missing[:min(len(missing), mostSucceeding)]
	succeeding, err := s.Store.Find(ctx, q)
	if err != nil {
		return fmt.Errorf("find what has taken a place: %w", err)
	}
	for _, o := range succeeding {
		if c := (ranking.Candidate{Object: &o, Terms: IndexedTerms(o)}); o.SessionID == "" || o.Author == "" { // else it is a turn, with a place
			found.Candidates = append(found.Candidates, c)
		}
	}
	return nil
}
