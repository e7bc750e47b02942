package memory

import (
	"context"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/entities"
	"github.com/ctx-mcp/ctx-mcp/memory/ranking"
)

// Store keeps objects. It decides nothing: Query and Change carry every rule as data. Implementations are safe for
// concurrent use, and durable once Apply has returned.
type Store interface {
	Reader
	Searcher
	Reviewer
	Keeper
	Writer
}

// Reader reads by what is known of an object.
type Reader interface {
	// Find returns the versions for which q.Match is true, in the order of Compare, at most q.Limit of them.
	Find(ctx context.Context, q Query) ([]ctxmcp.ContextObject, error)
	// Replay returns the result that an earlier Change stored under the key, or nil.
	Replay(ctx context.Context, key Key) (*Replay, error)
}

// Searcher reads by words, and by where something was said.
type Searcher interface {
	// Search returns versions for which q.Match is true and which hold at least one of the terms: all of them where they
	// are at most most, else those that the store's own estimate ranks first. Their order is unspecified.
	Search(ctx context.Context, q Query, terms []string, most int) (ranking.Found, error)
	// Around returns the versions for which q.Match is true at the places, in no order.
	Around(ctx context.Context, q Query, places []ranking.Place) ([]ranking.Candidate, error)
}

// Writer makes changes so.
type Writer interface {
	// Apply commits c whole or not at all. It returns a CodeConflict Error if an expectation of c does not hold.
	Apply(ctx context.Context, c Change) error
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

// Change is a write as a value: computed without touching anything, made so by Store.Apply in one transaction.
type Change struct {
	Expect  []Expectation
	Close   []Closing
	Insert  []ctxmcp.ContextObject
	Confirm []Confirmation
	// Unconfirmed says which objects must not have been confirmed after an instant; Apply fails with CodeConflict otherwise.
	Unconfirmed []Confirmation
	Use         []Use
	Postpone    []Postponement
	Ask         []Review // Apply fails with CodeConflict if the same is asked already, and open
	Settle      []Settlement
	Erase       []Erasure
	Vectors     []Vector
	Replay      *Replay
	Audit       []Event
	// Entities is what the registry learns from the memory, in the same transaction.
	Entities entities.Change
}

// Check returns a CodeConflict Error if c inserts one version twice. Every store asks it first.
func (c Change) Check() error {
	type key struct {
		tenant string
		ctxmcp.VersionKey
	}
	seen := make(map[key]bool, len(c.Insert))
	for _, o := range c.Insert {
		k := key{o.TenantID, ctxmcp.KeyOf(o)}
		if seen[k] {
			return ctxmcp.Errorf(ctxmcp.CodeConflict, "object %s has one version twice", o.ObjectID)
		}
		seen[k] = true
	}
	return c.Entities.Check()
}

// Expectation says which versions a plan saw open. Apply fails with CodeConflict if the query selects others now.
type Expectation struct {
	Query Query
	Open  []ctxmcp.VersionKey // in the order of Compare
}

// Closing ends a version. Apply fails with CodeConflict if it is closed already.
type Closing struct {
	Tenant  string
	Key     ctxmcp.VersionKey
	TxEnd   time.Time
	Closing ctxmcp.Closing
}

// Confirmation records that an object was said again.
type Confirmation struct {
	Tenant   string
	ObjectID string
	At       time.Time
}

// Erasure removes every version of an object, its terms, vectors and replays, and the names that no other object gives, so that no content is left in any file of
// the store. Apply fails with CodeConflict if there is no such object.
type Erasure struct {
	Tenant   string
	ObjectID string
}

// Vector is the embedding of one version, of unit length; one without values says that the model refuses the version. It
// is dropped if the version has been erased since.
type Vector struct {
	Tenant string
	Key    ctxmcp.VersionKey
	Model  string
	Values []float32
}

// Key names a request that is to be carried out once.
type Key struct{ Tenant, User, Name string }

// Replay is a request that was carried out, with the result that it gets again. Apply fails with CodeConflict if its key
// is taken.
type Replay struct {
	Key      Key
	Digest   string // of the request, to tell a repetition from another request under the same name
	ObjectID string // erased with this object
	Result   string // JSON, without content
}

// Event is a line of the audit trail.
type Event = ctxmcp.Event

// Cosine returns the cosine similarity of two vectors of unit length and equal dimension.
func Cosine(a, b []float32) float64 {
	sum := 0.0
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}
