package trail

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

// Entry is a line of the trail with its number, which rises with each line.
type Entry struct {
	Seq int64
	ctxmcp.Event
}

// Query selects lines of one person. A zero field of those below User does not restrict.
type Query struct {
	Tenant string
	User   string
	Action string // the whole word, or what stands in front of its first dot
	Object string // one of those that the line is about
	From   time.Time
	Until  time.Time // exclusive
	Before int64     // number; the page before ended with it
	Limit  int
}

// Match reports whether the query selects a line.
func (q Query) Match(e Entry) bool {
	family, _, _ := strings.Cut(e.Action, ".")
	return e.Tenant == q.Tenant && e.User == q.User &&
		(q.Action == "" || e.Action == q.Action || family == q.Action) &&
		(q.Object == "" || slices.Contains(strings.Split(e.ObjectID, " "), q.Object)) &&
		(q.From.IsZero() || !e.At.Before(q.From)) && (q.Until.IsZero() || e.At.Before(q.Until)) &&
		(q.Before == 0 || e.Seq < q.Before)
}

// Store reads the trail. It decides nothing.
type Store interface {
	// Events returns the lines for which q.Match is true, the latest first, at most q.Limit of them.
	Events(ctx context.Context, q Query) ([]Entry, error)
}

// Service reads the trail for its callers.
type Service struct{ Store Store }

// List returns the lines of the caller that the query selects, the latest first. Tenant and user are the caller's, whatever the query says.
// It returns CodeInvalid for a limit below 1.
func (s *Service) List(ctx context.Context, by ctxmcp.Caller, q Query) ([]Entry, error) {
	if by.User == "" { // lines of nobody are the server's own
		return nil, nil
	}
	if q.Limit < 1 {
		return nil, ctxmcp.Errorf(ctxmcp.CodeInvalid, "limit is below 1")
	}
	q.Tenant, q.User = by.Tenant, by.User
	found, err := s.Store.Events(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("read the audit trail: %w", err)
	}
	for _, e := range found {
		if !q.Match(e) {
			return nil, fmt.Errorf("the store returned line %d of the audit trail, which was not asked for", e.Seq)
		}
	}
	return found, nil
}
