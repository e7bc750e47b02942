package artifacts

import (
	"cmp"
	"context"
	"io"
	"slices"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/quota"
)

// Index keeps the references to artifacts. It decides nothing: Query and Change carry every rule as data.
type Index interface {
	// FindArtifacts returns the artifacts for which q.Match is true, in the order of Compare, at most q.Limit of them.
	FindArtifacts(ctx context.Context, q Query) ([]ctxmcp.Artifact, error)
	// ApplyArtifacts commits c whole or not at all. It returns a CodeConflict Error if an id is taken, or if a call has
	// been answered with something else, CodeTooLarge if what it claims is over a quota.
	ApplyArtifacts(ctx context.Context, c Change) error
	quota.Room
}

// Keeper tells what retention has to look at.
type Keeper interface {
	// CrowdedHomes returns the homes that hold more than most artifacts.
	CrowdedHomes(ctx context.Context, most int) ([]Home, error)
	// HeldIn returns the ids of the artifacts of a home that were made before an instant, or of all for the zero time, in the order of Compare. Those
	// whose key is gone, which no query finds, are among them.
	HeldIn(ctx context.Context, h Home, before time.Time) (ids []string, err error)
	// Pinned returns which of the artifacts something still refers to at the instant.
	Pinned(ctx context.Context, tenant string, ids []string, at time.Time) (map[string]bool, error)
	// HoldsDigest reports whether an artifact of any tenant has the bytes, redacted or raw, or a packet is kept in them.
	HoldsDigest(ctx context.Context, digest string) (bool, error)
}

// Blobs keeps bytes by their SHA-256.
type Blobs interface {
	// Put keeps what r yields. When it returns, the bytes are on disk.
	Put(ctx context.Context, r io.Reader) (digest string, size int64, err error)
	// Open returns the bytes. It returns CodeNotFound if there are none, CodeUnavailable if they are damaged.
	// The context is that of the reading too.
	Open(ctx context.Context, digest string) (Blob, error)
}

// Blob is bytes that can be read in stretches. Every byte that it gives has been checked.
type Blob interface {
	io.ReaderAt
	io.Closer
	Size() int64
	LineFeeds() int64
	LineStart(line int64) (offset int64, err error)
	LineAt(offset int64) (line int64, err error)
}

// Home is a namespace of a tenant in which artifacts live.
type Home struct{ Tenant, Namespace string }

// Query selects artifacts. Everything that policy says about a caller is resolved into it. A zero field does not restrict,
// but for Tenant, Namespaces and Clearance.
type Query struct {
	Tenant     string
	Namespaces []string // an artifact is in place if its home is one of these, or if Everywhere is set
	Everywhere bool
	Owner      string   // or if its home is this user's
	Projects   []string // only these, and what belongs to no project
	Clearance  ctxmcp.Classification
	Unbounded  bool     // whatever the clearance: for retention, which acts for no caller
	Tasks      []string // those of these tasks and of none
	IDs        []string
	Digest     string // those with these bytes
	Task       string // those of this task
	Before     time.Time
	// Newest asks for the artifacts from the end of the order of Compare; Behind then for those that stand before a mark: the next page.
	Newest bool
	Behind *Mark
	Limit  int
}

// Mark is the place of a thing in a list from the newest: when it was made, and its id.
type Mark struct {
	Created time.Time
	ID      string
}

// Precedes reports whether a thing stands before the mark in the order of time, then id.
func (m *Mark) Precedes(created time.Time, id string) bool {
	return m == nil || cmp.Or(created.Compare(m.Created), cmp.Compare(id, m.ID)) < 0
}

// Match reports whether q selects a. It is the specification of Index.FindArtifacts.
func (q Query) Match(a ctxmcp.Artifact) bool {
	return a.TenantID == q.Tenant && q.inPlace(a) &&
		(q.Unbounded || a.Classification.Rank() <= q.Clearance.Rank()) &&
		(len(q.Tasks) == 0 || a.Task == "" || slices.Contains(q.Tasks, a.Task)) &&
		(len(q.IDs) == 0 || slices.Contains(q.IDs, a.ID)) &&
		(q.Digest == "" || a.Digest == q.Digest) && (q.Task == "" || a.Task == q.Task) &&
		(q.Before.IsZero() || a.Created.Before(q.Before)) && q.Behind.Precedes(a.Created, a.ID)
}

func (q Query) inPlace(a ctxmcp.Artifact) bool {
	if len(q.Projects) > 0 && a.Home.Project != "" && !slices.Contains(q.Projects, a.Home.Project) {
		return false
	}
	return q.Everywhere || q.Owner != "" && q.Owner == a.Home.User || slices.Contains(q.Namespaces, a.Home.Namespace())
}

// Compare orders artifacts by when they were made, then by id.
func Compare(a, b ctxmcp.Artifact) int {
	return cmp.Or(a.Created.Compare(b.Created), cmp.Compare(a.ID, b.ID))
}

// Sort brings artifacts into the order that q asks for, and cuts them at its limit.
func (q Query) Sort(found []ctxmcp.Artifact) []ctxmcp.Artifact {
	return ctxmcp.Listing(found, Compare, q.Newest, q.Limit)
}

// Change is a write as a value.
type Change struct {
	Insert  []ctxmcp.Artifact
	Remove  []Key // what is gone already is passed over
	Answers []Answer
	Pins    []Pin // of one holder on one artifact the last counts
	Audit   []ctxmcp.Event
}

// Cost returns how much an artifact takes of the quota of bytes: the bytes, those of its kept original, and 1024 for the reference.
// Bytes that several artifacts share count for each: what others hold changes nothing for a tenant, and tells it nothing.
func Cost(a ctxmcp.Artifact) int64 { return a.Size + a.RawSize + 1024 }

// Claims returns what c would add to what its tenants hold.
func (c Change) Claims() []quota.Claim {
	var claims []quota.Claim
	for _, a := range c.Insert {
		i := slices.IndexFunc(claims, func(held quota.Claim) bool { return held.Tenant == a.TenantID })
		if i < 0 {
			i = len(claims)
			claims = append(claims, quota.Claim{Tenant: a.TenantID, Name: quota.ArtifactBytes})
		}
		claims[i].Add += Cost(a)
	}
	return claims
}

// Key names one artifact.
type Key struct{ Tenant, ID string }

// Answer records that a tool call has its result. A call is answered once: with the same digest again nothing changes,
// with another one the change is refused.
type Answer struct {
	Tenant, Namespace, CallID string
	Digest                    string // of the result after redaction
	At                        time.Time
}

// Pin keeps an artifact from being retired until an instant; zero: for ever.
type Pin struct {
	Tenant, Artifact string
	Holder           string // what refers to it, such as task:search-1
	Until            time.Time
}

// CompareHomes orders homes by tenant, then by namespace.
func CompareHomes(a, b Home) int {
	return cmp.Or(cmp.Compare(a.Tenant, b.Tenant), cmp.Compare(a.Namespace, b.Namespace))
}

// Answered is the Error for a call that has another result already.
func Answered(callID string) error {
	return ctxmcp.Errorf(ctxmcp.CodeConflict, "tool_call_id %q was answered with another result", ctxmcp.Clip(callID, ctxmcp.MaxIDLength)).
		WithHint("each call has one result: check which call this one belongs to")
}
