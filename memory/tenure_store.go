package memory

import (
	"context"
	"slices"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

// ReviewKind says what a review asks a person to decide. The words are stored and sent: append only.
type ReviewKind string

// The kinds.
const (
	ConflictReview     ReviewKind = "conflict"     // claims that nothing tells apart
	EntityReview       ReviewKind = "entity"       // a mention that may be an entity that is known
	ConfirmationReview ReviewKind = "confirmation" // an object at the end of its life
)

// ReviewKinds lists the vocabulary.
func ReviewKinds() []ReviewKind {
	return []ReviewKind{ConflictReview, EntityReview, ConfirmationReview}
}

// Review is a question for a person. It holds ids and no content, so that what is erased is not left in it.
type Review struct {
	ID        string
	Tenant    string
	Namespace string // home of what it is about
	Kind      ReviewKind
	Subjects  []string // ids, in order: objects, or entities for EntityReview
	Asked     time.Time
	Settled   time.Time // zero: it is open
	Decision  string    // once it is settled
}

// Settlement ends a review. Apply fails with CodeConflict if there is no such review, or if it is settled already.
type Settlement struct {
	Tenant   string
	ID       string
	At       time.Time
	Decision string
}

// ReviewQuery selects reviews: open ones, in the order in which they were asked. It names the places as a Query does.
type ReviewQuery struct {
	Tenant   string
	Under    ctxmcp.Scope // home of what they are about lies within it, or belongs to the whole tenant
	Projects []string     // only these, and what belongs to no project; empty: any
	IDs      []string
	Subject  string // one of Subjects
	Limit    int    // zero: no limit
}

// Match reports whether q selects r, but for the limit. It is the specification of Reviewer.Reviews.
func (q ReviewQuery) Match(r Review) bool {
	home, err := ctxmcp.ParseNamespace(r.Namespace)
	return err == nil && r.Tenant == q.Tenant && r.Settled.IsZero() &&
		(r.Namespace == "" || q.Under.Covers(home)) &&
		(len(q.Projects) == 0 || home.Project == "" || slices.Contains(q.Projects, home.Project)) &&
		oneOf(q.IDs, r.ID) && (q.Subject == "" || slices.Contains(r.Subjects, q.Subject))
}

// Reviewer reads what waits for a decision.
type Reviewer interface {
	// Reviews returns the reviews for which q.Match is true, in the order in which they were asked, at most q.Limit.
	Reviews(ctx context.Context, q ReviewQuery) ([]Review, error)
}

// Keeper reads what may be at the end of its life.
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

// Use records that an object reached a model.
type Use struct {
	Tenant   string
	ObjectID string
	At       time.Time
}

// DueAt returns the earliest instant at which the life of o may end by a rule: the zero time if it never does. A store
// keeps it with every version from its insertion on, so that finding what has ended costs what has ended, not what is
// held. A confirmation does not move it: what is due may turn out to live on, and is then postponed.
//
// An object of a session or a task may end at any time: only its service knows how long these last. What is left of a
// superseded object is history, which its valid time alone does not end.
func DueAt(o ctxmcp.ContextObject) time.Time {
	if o.Archived || !o.TxEnd.IsZero() {
		return time.Time{}
	}
	due := o.FadesAt()
	if o.Layer == ctxmcp.SessionLayer || o.Layer == ctxmcp.TaskLayer {
		due = earlier(due, o.TxStart)
	}
	if o.SupersessionLink == "" && orElse(o.RetirementRule, ctxmcp.Archive) != ctxmcp.Archive {
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
