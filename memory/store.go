package memory

import (
	"context"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory/brief"
	"github.com/ctx-mcp/ctx-mcp/memory/ranking"
)

// Store keeps objects. It decides nothing: Query and Change carry every rule as data. Implementations are safe for
// concurrent use, and durable once Apply has returned.
type Store interface {
	Reader
	Searcher
	Reviewer
	Keeper
	Learner
	Writer
}

// Reader reads by the fields of an object.
type Reader interface {
	// Find returns the versions for which q.Match is true, in the order of q, at most q.Limit of them.
	Find(ctx context.Context, q Query) ([]ctxmcp.ContextObject, error)
	// Count returns the number of objects that have versions for which q.Match is true, whatever q.Limit.
	Count(ctx context.Context, q Query) (int, error)
	// Replay returns the result that an earlier Change stored under the key, or nil.
	Replay(ctx context.Context, key Key) (*Replay, error)
}

// Searcher reads by words, and by where something was said.
type Searcher interface {
	// Search returns versions for which q.Match is true and which hold at least one of the terms: all of them where they
	// are at most most, else those that the store's own estimate ranks first. In places as small as q.Whole it returns all
	// versions for which q.Match is true. Their order is unspecified.
	Search(ctx context.Context, q Query, terms []string, most int) (ranking.Found, error)
	// Around returns the versions for which q.Match is true at the places, in no order.
	Around(ctx context.Context, q Query, places []ranking.Place) ([]ranking.Candidate, error)
}

// Writer makes changes so.
type Writer interface {
	// Apply commits c whole or not at all. It returns a CodeConflict Error if an expectation of c does not hold, CodeTooLarge if what
	// it claims is over a quota.
	Apply(ctx context.Context, c Change) error
}

// ForgetTexts lets go of all that was read in texts lately and is kept for the next question. A store calls it as soon as it has erased one.
func ForgetTexts() {
	ranking.Forget()
	brief.Forget()
}

// VectorStore finds by embedding. A vector belongs to a version and to the model that made it; models never mix, and
// neither do dimensions.
type VectorStore interface {
	// Unembedded returns versions that have no vector of the model and were not refused by it, at most limit: in each
	// namespace those that were stored first.
	Unembedded(ctx context.Context, model string, limit int) ([]ctxmcp.ContextObject, error)
	// Nearest returns the versions for which q.Match is true with the highest cosine similarity to vector, best first, at
	// most most, and no fewer where there are as many. Missing says that Unembedded would return some that match.
	Nearest(ctx context.Context, q Query, model string, vector []float32, most int) (near []ranking.Near, missing bool, err error)
	// Retry forgets which versions the model refused.
	Retry(ctx context.Context, model string) error
}

// Cosine returns the cosine similarity of two vectors of unit length and equal dimension.
func Cosine(a, b []float32) float64 {
	sum := 0.0
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}
