package memory

import (
	"context"
	"slices"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

// ReviewKind is the matter that a review asks a person to decide. The words are stored and sent: append only.
type ReviewKind string

// The kinds.
const (
	ConflictReview     ReviewKind = "conflict"     // claims that nothing tells apart
	EntityReview       ReviewKind = "entity"       // a mention that may be an entity that is known
	ConfirmationReview ReviewKind = "confirmation" // an object at the end of its life
	ChangeReview       ReviewKind = "change"       // statements that hardly hold both, and nothing tells which does
)

// ReviewKinds lists the vocabulary.
func ReviewKinds() []ReviewKind {
	return []ReviewKind{ConflictReview, EntityReview, ConfirmationReview, ChangeReview}
}

// Review is a question for a person. It holds ids and no content, so that erased content is not left in it.
type Review struct {
	ID        string
	Tenant    string
	Namespace string // home of its subjects
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
	Under    ctxmcp.Scope // home of their subjects lies within it, or is the whole tenant
	Projects []string     // only these, and subjects of no project; empty: any
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

// Reviewer reads the reviews that wait for a decision.
type Reviewer interface {
	// Reviews returns the reviews for which q.Match is true, in the order in which they were asked, at most q.Limit.
	Reviews(ctx context.Context, q ReviewQuery) ([]Review, error)
}
