package packets

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
	"github.com/ctx-mcp/ctx-mcp/quota"
)

// Record is a packet as the store knows it: its place, and its sources. It holds no content.
type Record struct {
	Tenant         string                `json:"tenant"`
	Ref            string                `json:"context_ref"`
	Kind           Kind                  `json:"kind"`
	Schema         Schema                `json:"schema"`
	Parent         string                `json:"parent,omitempty"`
	Trace          string                `json:"trace_id,omitempty"`
	Home           ctxmcp.Scope          `json:"home"`
	Classification ctxmcp.Classification `json:"classification"` // the highest of its sources
	PII            bool                  `json:"pii,omitempty"`
	PolicyDigest   string                `json:"policy_digest,omitempty"`
	Size           int64                 `json:"size_bytes"`
	Objects        []string              `json:"objects,omitempty"`   // ids of the context objects it was made of
	Artifacts      []string              `json:"artifacts,omitempty"` // ids of the artifacts it was made of
	Derived        []Derivative          `json:"derived,omitempty"`   // artifacts made of it
	Created        time.Time             `json:"created"`
	Erased         bool                  `json:"erased,omitempty"` // its content went with one of its objects
}

// Store keeps the records. It decides nothing: Query and Change carry every rule as data.
//
// Where an object is erased, the store marks in the same transaction the packets that were made of it as erased, and removes
// the artifacts derived from these; so, in turn, with the packets that were made of such an artifact.
type Store interface {
	// FindPackets returns the records for which q.Match is true, in the order of Compare, at most q.Limit of them.
	FindPackets(ctx context.Context, q Query) ([]Record, error)
	// ApplyPackets commits c whole or not at all. It returns CodeConflict if an object of a new record is not held any
	// longer: it was erased while the packet was made; CodeTooLarge if what it claims is over a quota.
	ApplyPackets(ctx context.Context, c Change) error
	quota.Room
	// CrowdedPackets returns the homes that hold more than most packets.
	CrowdedPackets(ctx context.Context, most int) ([]artifacts.Home, error)
}

// Query selects records. A zero field does not restrict, but for Tenant, Namespaces and Clearance.
type Query struct {
	Tenant     string
	Namespaces []string // a packet is in place if its home is one of these, or if Everywhere is set
	Everywhere bool
	AnyTenant  bool     // whatever the tenant: for upkeep, which acts for no caller
	User       string   // only what is the user's, or nobody's
	Projects   []string // only these, and what belongs to no project
	Clearance  ctxmcp.Classification
	Unbounded  bool // whatever the clearance: for upkeep
	Ref        string
	Trace      string
	Object     string // only what was made of the context object
	Before     time.Time
	Erased     bool // only what was erased
	// Newest asks for the packets from the end of the order of Compare; Behind then for those that stand before a mark, whose id is a
	// reference: the next page.
	Newest bool
	Behind *artifacts.Mark
	Limit  int
}

// Match reports whether q selects r. It is the specification of Store.FindPackets.
func (q Query) Match(r Record) bool {
	return (q.AnyTenant || r.Tenant == q.Tenant) && q.inPlace(r) &&
		(q.Unbounded || r.Classification.Rank() <= q.Clearance.Rank()) &&
		(q.Ref == "" || r.Ref == q.Ref) && (q.Trace == "" || r.Trace == q.Trace) &&
		(q.Object == "" || slices.Contains(r.Objects, q.Object)) &&
		(q.Before.IsZero() || r.Created.Before(q.Before)) && (!q.Erased || r.Erased) && q.Behind.Precedes(r.Created, r.Ref)
}

func (q Query) inPlace(r Record) bool {
	if q.User != "" && r.Home.User != "" && r.Home.User != q.User {
		return false
	}
	if len(q.Projects) > 0 && r.Home.Project != "" && !slices.Contains(q.Projects, r.Home.Project) {
		return false
	}
	return q.Everywhere || slices.Contains(q.Namespaces, r.Home.Namespace())
}

// Compare orders records by when they were made, then by reference and tenant.
func Compare(a, b Record) int {
	return cmp.Or(a.Created.Compare(b.Created), cmp.Compare(a.Ref, b.Ref), cmp.Compare(a.Tenant, b.Tenant))
}

// Sort brings records into the order that q asks for, and cuts them at its limit.
func (q Query) Sort(found []Record) []Record {
	return ctxmcp.Listing(found, Compare, q.Newest, q.Limit)
}

// DerivedIDs returns the ids of the artifacts that were made of it.
func (r Record) DerivedIDs() []string {
	var ids []string
	for _, d := range r.Derived {
		ids = append(ids, d.ID)
	}
	return ids
}

// Change is a write as a value.
type Change struct {
	Insert []Record        // of one that is held already only Created moves on, unless it was erased
	Pins   []artifacts.Pin // of what the new packets are made of
	Remove []Key           // with the pins of each; what is gone already is passed over
	Audit  []ctxmcp.Event
}

// Key names one packet.
type Key struct{ Tenant, Ref string }

// Holder returns the name under which a packet pins its artifacts.
func Holder(ref string) string { return "packet:" + ref }

// Vanished is the Error for a packet whose object was erased while it was made.
func Vanished() error {
	return ctxmcp.Errorf(ctxmcp.CodeConflict, "a memory that went into the packet was erased meanwhile").WithHint("call again")
}

// Recompiler makes the output of a packet again from its inputs. It is pure: the same inputs give the same bytes on any
// machine.
type Recompiler interface {
	// Recompile returns the JSON of the output. The inputs are those of a packet, in canonical form, and created is its instant.
	Recompile(ctx context.Context, inputs json.RawMessage, created time.Time) (output json.RawMessage, err error)
}

// Claims returns what records that are not held yet would add to what their tenants hold.
func Claims(fresh []Record) []quota.Claim {
	var claims []quota.Claim
	for _, r := range fresh {
		i := slices.IndexFunc(claims, func(held quota.Claim) bool { return held.Tenant == r.Tenant })
		if i < 0 {
			i = len(claims)
			claims = append(claims, quota.Claim{Tenant: r.Tenant, Name: quota.Packets})
		}
		claims[i].Add++
	}
	return claims
}
