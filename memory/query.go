package memory

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

// Query selects versions. Everything that policy says about a caller is resolved into it before it reaches a store. A
// zero field does not restrict, but for Tenant, Clearance and the times as said.
type Query struct {
	Tenant string

	// Where. An object is in place if its home namespace is one of Namespaces, or lies within the scope Under, or if
	// Everywhere is set. A query that names no place selects nothing.
	Namespaces []string
	Under      *ctxmcp.Scope
	Everywhere bool
	Projects   []string // only these, and objects of no project

	// Who asks. The roles and the clearance of the caller. Unrestricted asks for the objects that anyone may see: for the operator's
	// own tools, which act for no caller.
	Roles        []string
	Clearance    ctxmcp.Classification
	Unrestricted bool

	// When. AsOf asks for versions that are true at the instant; zero: at any. BelievedAt asks for versions that the system held
	// then; zero: that it holds now. EveryVersion asks for all that it ever held.
	AsOf         time.Time
	BelievedAt   time.Time
	EveryVersion bool

	// Which. An object has one of the ids, subjects, types and sources that are named; an empty list restricts nothing.
	ObjectIDs   []string
	ObjectEnd   string // the last characters of an object id
	FactIDs     []string
	Slots       []string // of Claim.Slot
	Subjects    []string // normalised subjects of claims
	ContentKey  string   // of ContentKey
	Session     string   // that it was said in
	DerivedFrom []string // ids of objects that it names as its sources
	DisplacedBy []string // ids of objects that ended it
	Types       []ctxmcp.ObjectType
	Sources     []ctxmcp.SourceKind
	Statuses    []ctxmcp.ContradictionStatus
	Archived    bool // archived versions too
	// Origin is the web domain that the task is about: objects learned from another domain are left out. Empty: any.
	Origin string

	// Newest asks for the versions in the order of Compare from its end. Before then asks for those that stand before a mark in
	// the order of Compare: the next page.
	Newest bool
	Before *Mark
	Limit  int // of Find; zero: no limit

	// For is the user whose experience with memories counts in their rank. A store does not look at it.
	For string

	// Whole is of Search: where the places hold no more versions than this in all, Search returns what holds none of the terms too.
	Whole int
}

// Mark is the place of a version in the order of Compare.
type Mark struct {
	TxStart time.Time
	Key     ctxmcp.VersionKey
}

// MarkOf returns the mark of a version.
func MarkOf(o ctxmcp.ContextObject) Mark { return Mark{o.TxStart, ctxmcp.KeyOf(o)} }

// follows reports whether the mark stands behind o.
func (m Mark) follows(o ctxmcp.ContextObject) bool {
	return cmp.Or(o.TxStart.Compare(m.TxStart), cmp.Compare(o.ObjectID, m.Key.ObjectID), cmp.Compare(o.Version, m.Key.Version)) < 0
}

// Sort brings versions into the order that q asks for, and cuts them at its limit.
func (q Query) Sort(found []ctxmcp.ContextObject) []ctxmcp.ContextObject {
	return ctxmcp.Listing(found, Compare, q.Newest, q.Limit)
}

// Match reports whether q selects o, but for its limit. It is the specification of Store.Find: every store is compared with it.
func (q Query) Match(o ctxmcp.ContextObject) bool { return q.Selects(&o) }

// Selects is Match for an object that is large to copy.
func (q *Query) Selects(o *ctxmcp.ContextObject) bool {
	return o.TenantID == q.Tenant && q.atTime(o) && q.permits(o) && q.inPlace(o) && q.isAsked(o)
}

func (q *Query) inPlace(o *ctxmcp.ContextObject) bool {
	home := o.Home()
	if len(q.Projects) > 0 && home.Project != "" && !slices.Contains(q.Projects, home.Project) {
		return false
	}
	return q.Everywhere || q.Under != nil && q.Under.Covers(home) || slices.Contains(q.Namespaces, home.Namespace())
}

func (q *Query) permits(o *ctxmcp.ContextObject) bool {
	return q.Unrestricted || o.Classification.Rank() <= q.Clearance.Rank() && o.PermissionScope.Allows(q.Roles)
}

func (q *Query) atTime(o *ctxmcp.ContextObject) bool {
	if !q.AsOf.IsZero() && !o.Valid().Contains(q.AsOf) {
		return false
	}
	switch {
	case q.EveryVersion:
		return true
	case q.BelievedAt.IsZero():
		return o.TxEnd.IsZero()
	default:
		return o.Tx().Contains(q.BelievedAt)
	}
}

func (q *Query) isAsked(o *ctxmcp.ContextObject) bool {
	displaced := func() bool { return o.Closing != nil && slices.Contains(q.DisplacedBy, o.Closing.Link) }
	return (len(q.DisplacedBy) == 0 || displaced()) && q.names(o) && q.isOfKind(o) && q.isClaimed(o) && q.isFrom(o) && (q.Before == nil || q.Before.follows(*o))
}

// names reports whether o is among the objects and facts that q names.
func (q *Query) names(o *ctxmcp.ContextObject) bool {
	return oneOf(q.ObjectIDs, o.ObjectID) && strings.HasSuffix(o.ObjectID, q.ObjectEnd) && oneOf(q.FactIDs, o.FactID)
}

// isOfKind reports whether the type, the source and the status of o are asked for.
func (q *Query) isOfKind(o *ctxmcp.ContextObject) bool {
	return oneOf(q.Types, o.ObjectType) && oneOf(q.Sources, o.SourceKind) && oneOf(q.Statuses, o.ContradictionStatus) && (q.Archived || !o.Archived)
}

// isClaimed reports whether the claim and the words of o are asked for.
func (q *Query) isClaimed(o *ctxmcp.ContextObject) bool {
	return (len(q.Slots) == 0 || claimed(q.Slots, o.Claim.Slot())) && (len(q.Subjects) == 0 || claimed(q.Subjects, ctxmcp.Normalize(o.Claim.Subject))) &&
		(q.ContentKey == "" || q.ContentKey == ContentKey(o.Content))
}

// isFrom reports whether o was said in the session, derived from an object and learned from no other web domain than asked for.
func (q *Query) isFrom(o *ctxmcp.ContextObject) bool {
	elsewhere := func(domain string) bool { return domain != q.Origin }
	named := func(id string) bool { return slices.Contains(q.DerivedFrom, id) }
	return (q.Session == "" || q.Session == o.SessionID) && (len(q.DerivedFrom) == 0 || slices.ContainsFunc(o.DerivedFrom, named)) && (q.Origin == "" || !slices.ContainsFunc(o.Domains, elsewhere))
}

// claimed reports whether a part of a claim is one of those that are asked for; without a claim it is not.
func claimed(list []string, said string) bool {
	return said != "" && slices.Contains(list, said)
}

func oneOf[T comparable](list []T, v T) bool { return len(list) == 0 || slices.Contains(list, v) }

// Compare orders versions by when they began to be held, then by object and version: the order of Store.Find.
func Compare(a, b ctxmcp.ContextObject) int { return compareRefs(&a, &b) }

// compareRefs is Compare for objects that are not worth a copy.
func compareRefs(a, b *ctxmcp.ContextObject) int {
	if c := a.TxStart.Compare(b.TxStart); c != 0 {
		return c
	}
	return cmp.Or(cmp.Compare(a.ObjectID, b.ObjectID), cmp.Compare(a.Version, b.Version))
}
