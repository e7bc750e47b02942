package memory

import (
	"cmp"
	"context"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

// Keeper reads the versions whose life may be over.
type Keeper interface {
	// Due returns open versions whose due instant is not after at, the earliest first, at most limit, of any tenant.
	Due(ctx context.Context, at time.Time, limit int) ([]ctxmcp.ContextObject, error)
	// LastWrite returns when something was last stored with this home; the zero time if nothing was.
	LastWrite(ctx context.Context, tenant, namespace string) (time.Time, error)
}

// Postponement says when a version is due next; a zero At: never by rule. It is dropped if the version has ended since.
type Postponement struct {
	Tenant string
	Key    ctxmcp.VersionKey
	At     time.Time
}

// Use records an outcome of an object. A showing to anybody is kept with the object too.
type Use struct {
	Tenant   string
	ObjectID string
	At       time.Time
	User     string  // for whom; "" if nothing is learned from it
	Outcome  Outcome // "" is one that is shown, and nothing is learned from it
}

// DueAt returns the earliest instant at which the life of o may end by a rule: the zero time if it never does. A store
// keeps it with every version from its insertion on, so that the search for ended versions costs as much as they are many,
// not as many as are held. A confirmation does not move it: a due version may turn out to live on, and is then postponed.
//
// An object of a session or a task may end at any time: only its service knows how long these last. The rest of a
// superseded object is history, which its valid time alone does not end.
func DueAt(o ctxmcp.ContextObject) time.Time {
	if o.Archived || !o.TxEnd.IsZero() {
		return time.Time{}
	}
	due := o.FadesAt()
	if o.Layer == ctxmcp.SessionLayer || o.Layer == ctxmcp.TaskLayer {
		due = earlier(due, o.TxStart)
	}
	if o.SupersessionLink == "" && cmp.Or(o.RetirementRule, ctxmcp.Archive) != ctxmcp.Archive {
		due = earlier(due, o.ValidUntil)
	}
	return due
}

// earlier returns the earlier instant, of which a zero one is never.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}
