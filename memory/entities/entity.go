package entities

import (
	"cmp"
	"slices"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

// Entity is one version of a node: a name in the place where it was said. It is immutable but for TxEnd, which is written
// once. Only the open version of a node counts; the others are its history of merges and splits.
type Entity struct {
	ID      string `json:"id"`
	Version int    `json:"version"`
	Tenant  string `json:"tenant"`
	Home    string `json:"home"` // namespace from which, and from everywhere inside, it is visible
	Name    string `json:"name"` // as it was said
	Key     string `json:"key"`  // of KeyOf
	Form    Form   `json:"form"`
	Kind    Kind   `json:"kind"`

	// Whence it is known: the memory that named it first, the least authority number it was named with, and who may see it.
	ObjectID       string                 `json:"object_id"`
	Authority      ctxmcp.Authority       `json:"authority_level"`
	Classification ctxmcp.Classification  `json:"security_classification"`
	Permissions    ctxmcp.PermissionScope `json:"permission_scope"`

	State      State       `json:"state"`
	Into       string      `json:"into,omitempty"`       // merged: the node that it is one with
	Candidates []Candidate `json:"candidates,omitempty"` // pending: who it may be, the likeliest first
	Score      float64     `json:"score"`                // of the decision, in [0, 1]
	Reason     string      `json:"reason"`               // of the decision, in words, without content
	By         string      `json:"by,omitempty"`         // user who decided; empty: the rules

	TxStart time.Time `json:"tx_start"`
	TxEnd   time.Time `json:"tx_end,omitzero"`
}

// Candidate is an entity that another may be one with. Score is in [0, 1].
type Candidate struct {
	ID    string  `json:"id"`
	Score float64 `json:"score"`
}

// CarriesConstraints reports whether a memory that refers to the entity may bind an agent: hard constraints and guidance
// wait until it is known who they are about. The root of the entity is asked.
func (e Entity) CarriesConstraints() bool { return e.State == Canonical }

// Purpose is the part of a memory in which an entity is named. The words are stored: append only.
type Purpose string

// The purposes.
const (
	InContent Purpose = "content"
	AsAuthor  Purpose = "author"
	AsSubject Purpose = "subject" // of the claim
	AsValue   Purpose = "value"   // of the claim
)

// Reference says that a memory names an entity. Two references of one memory make their entities neighbours; a subject and
// a value are a relation, whose predicate and times are the claim's.
type Reference struct {
	Tenant   string
	EntityID string
	ObjectID string
	Purpose  Purpose
}

// Change is the effect of a decision on the registry: computed without touching anything, made so by a store in the
// transaction of the memory that it comes from.
type Change struct {
	Expect  []Expectation
	Close   []Closing
	Insert  []Entity
	Mention []Reference
}

// IsZero reports whether there is nothing to do.
func (c Change) IsZero() bool {
	return len(c.Expect)+len(c.Close)+len(c.Insert)+len(c.Mention) == 0
}

// Check returns a CodeConflict Error if c ends or begins two versions of one node. Every store asks it first.
func (c Change) Check() error {
	type key struct{ tenant, id string }
	ended := make(map[key]bool, len(c.Close))
	for _, cl := range c.Close {
		k := key{cl.Tenant, cl.ID}
		if ended[k] {
			return ctxmcp.Errorf(ctxmcp.CodeConflict, "entity %s is ended twice", cl.ID)
		}
		ended[k] = true
	}
	seen := make(map[key]bool, len(c.Insert))
	for _, e := range c.Insert {
		k := key{e.Tenant, e.ID}
		if seen[k] {
			return ctxmcp.Errorf(ctxmcp.CodeConflict, "entity %s has two versions at once", e.ID)
		}
		seen[k] = true
	}
	return nil
}

// From returns the change as learned from the memory with the id.
func (c Change) From(objectID string) Change {
	c.Insert, c.Mention = slices.Clone(c.Insert), slices.Clone(c.Mention)
	for i := range c.Insert {
		c.Insert[i].ObjectID = cmp.Or(c.Insert[i].ObjectID, objectID)
	}
	for i := range c.Mention {
		c.Mention[i].ObjectID = objectID
	}
	return c
}

// Expectation says which nodes bore the keys when the change was computed. A store refuses the change with CodeConflict if
// others do now: two writers who name something new at a time shall not make two of it.
type Expectation struct {
	Query Query    // by keys
	Open  []string // ids, in order
}

// Closing ends a version. A store refuses it with CodeConflict if the version has ended already.
type Closing struct {
	Tenant  string
	ID      string
	Version int
	TxEnd   time.Time
}

// Compare orders versions by when they began, then by id and version.
func Compare(a, b Entity) int {
	return cmp.Or(a.TxStart.Compare(b.TxStart), cmp.Compare(a.ID, b.ID), cmp.Compare(a.Version, b.Version))
}
