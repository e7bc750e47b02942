package memory

import (
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory/entities"
)

// Change is a write as a value: computed without touching anything, made so by Store.Apply in one transaction.
type Change struct {
	Expect  []Expectation
	Close   []Closing
	Insert  []ctxmcp.ContextObject
	Confirm []Confirmation
	// Unconfirmed says which objects must not have been confirmed after an instant; Apply fails with CodeConflict otherwise.
	Unconfirmed []Confirmation
	Mark        []Marking
	Use         []Use
	Postpone    []Postponement
	Ask         []Review // Apply fails with CodeConflict if the same is asked already, and open
	Settle      []Settlement
	Erase       []Erasure
	Vectors     []Vector
	Replay      *Replay
	Audit       []Event
	// Entities is the change of the registry that the memory brings, in the same transaction.
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

// Marking notes on the open version of an object that another one probably says how things stand by now.
type Marking struct {
	Tenant   string
	ObjectID string
	By       string // object id; none: the mark is taken off
}

// Erasure removes every version of an object, its terms, vectors and replays, and the names that no other object gives, so
// that no content is left in any file of the store. Apply fails with CodeConflict if there is no such object.
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

func keys(objects []ctxmcp.ContextObject) []ctxmcp.VersionKey {
	ks := make([]ctxmcp.VersionKey, len(objects))
	for i, o := range objects {
		ks[i] = ctxmcp.KeyOf(o)
	}
	return ks
}
