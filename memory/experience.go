package memory

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory/ranking"
)

// Outcome is the use of a memory for a caller. The words are stored and sent: append only.
type Outcome string

// The outcomes.
const (
	WasShown     Outcome = "shown"     // it reached a model
	WasConfirmed Outcome = "confirmed" // it was said again, or taken back from where it had been displaced
	WasCorrected Outcome = "corrected" // another took its place
	WasForgotten Outcome = "forgotten" // somebody had it forgotten
)

// Outcomes lists the vocabulary.
func Outcomes() []Outcome { return []Outcome{WasShown, WasConfirmed, WasCorrected, WasForgotten} }

// outcomeWeights are the points that an outcome adds to the score of an experience.
var outcomeWeights = map[Outcome]float64{WasShown: 0.1, WasConfirmed: 1, WasCorrected: -1, WasForgotten: -1}

// The bounds of the score of an experience, and how long half of it lasts. To be shown adds nothing beyond mostShownScore: a
// memory that is recalled often is not more true, and must not keep its place by being recalled.
const (
	mostScore      = 3.0
	mostShownScore = 0.5
	scoreHalfLife  = 30 * 24 * time.Hour
)

// Experience sums up the use of a memory for one user: a count of each outcome, and a score that fades. It is that user's alone, however many
// may read the memory.
type Experience struct {
	Shown, Confirmed, Corrected, Forgotten int
	Score                                  float64 // at Last
	Last                                   time.Time
}

// With returns the experience after one more outcome.
func (e Experience) With(o Outcome, at time.Time) Experience {
	score := e.scoreAt(at)
	if o != WasShown || score < mostShownScore {
		score += outcomeWeights[o]
	}
	e.Score = min(mostScore, max(-mostScore, score))
	if at.After(e.Last) {
		e.Last = at
	}
	switch o {
	case WasShown:
		e.Shown++
	case WasConfirmed:
		e.Confirmed++
	case WasCorrected:
		e.Corrected++
	case WasForgotten:
		e.Forgotten++
	}
	return e
}

func (e Experience) scoreAt(at time.Time) float64 {
	if !at.After(e.Last) {
		return e.Score
	}
	return e.Score * math.Exp2(-float64(at.Sub(e.Last))/float64(scoreHalfLife))
}

// Standing returns what the experience says for the memory at an instant, in [-1, 1]: the logarithm of its score, which halves every 30 days, as
// activation by use falls in memory models (Anderson and Schooler, Reflections of the Environment in Memory, 1991).
func (e Experience) Standing(at time.Time) float64 {
	score := e.scoreAt(at)
	return math.Copysign(math.Log1p(math.Abs(score))/math.Log1p(mostScore), score)
}

// Learner reads what came of memories.
type Learner interface {
	// Experiences returns the experiences of the user with the objects, by object id; those that the user has none with are left out.
	Experiences(ctx context.Context, tenant, user string, objects []string) (map[string]Experience, error)
}

// Experiences returns what came of the objects for the caller, by object id: nothing where memory does not learn from use.
func (s *recaller) Experiences(ctx context.Context, by ctxmcp.Caller, objects []string) (map[string]Experience, error) {
	return s.experiences(ctx, by.Tenant, by.User, objects)
}

// RankOf returns what an experience adds to the score of a memory in the ranking by now.
func (s *recaller) RankOf(e Experience) float64 {
	return ranking.ExperienceWeight() * e.Standing(s.now())
}

func (s *recaller) experiences(ctx context.Context, tenant, user string, objects []string) (map[string]Experience, error) {
	if !s.Options.LearnFromUse || user == "" || len(objects) == 0 {
		return nil, nil
	}
	found, err := s.Store.Experiences(ctx, tenant, user, objects)
	if err != nil {
		return nil, fmt.Errorf("read what came of memories: %w", err)
	}
	return found, nil
}

// withExperience fills in how the user of the query stands to the candidates.
func (s *recaller) withExperience(ctx context.Context, q Query, found *ranking.Found) error {
	ids := make([]string, len(found.Candidates))
	for i, c := range found.Candidates {
		ids[i] = c.Object.ObjectID
	}
	known, err := s.experiences(ctx, q.Tenant, q.For, ids)
	if err != nil {
		return err
	}
	now := s.now()
	for i, id := range ids {
		if e, held := known[id]; held {
			found.Candidates[i].Standing = e.Standing(now)
		}
	}
	return nil
}

// outcomes adds to a change what came of objects for the caller, where memory learns from use.
func (s *Core) outcomes(by ctxmcp.Caller, c *Change, o Outcome, at time.Time, objects ...string) {
	if !s.Options.LearnFromUse || by.User == "" {
		return
	}
	for _, id := range objects {
		c.Use = append(c.Use, Use{Tenant: by.Tenant, User: by.User, ObjectID: id, Outcome: o, At: at})
	}
}
