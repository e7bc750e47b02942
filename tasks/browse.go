package tasks

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

// Browsing selects the latest versions of a person's tasks, wherever they live. A zero field of those below User does not restrict.
type Browsing struct {
	Tenant   string
	User     string
	Projects []string // only these, and tasks of no project
	ID       string
	Parent   string
	Behind   *Mark // last one of the page before
	Limit    int
}

// Mark is the place of a state in the order of a list: the last saved first, then by Key.
type Mark struct {
	Saved time.Time
	Key   string
}

// MarkOf returns the mark of a state.
func MarkOf(s State) *Mark { return &Mark{s.Saved, s.Key()} }

// Key names a task with its home, which tells tasks of one id apart.
func (s State) Key() string { return s.ID + " " + s.Home.Namespace() }

// Match reports whether the browsing selects a state that is the latest of its task.
func (b Browsing) Match(s State) bool {
	return s.Tenant == b.Tenant && s.Home.User == b.User &&
		(len(b.Projects) == 0 || s.Home.Project == "" || slices.Contains(b.Projects, s.Home.Project)) &&
		(b.ID == "" || s.ID == b.ID) && (b.Parent == "" || s.Parent == b.Parent) &&
		(b.Behind == nil || s.Saved.Before(b.Behind.Saved) || s.Saved.Equal(b.Behind.Saved) && s.Key() < b.Behind.Key)
}

// Later orders states as a list does: the last saved first.
func Later(a, b State) int { return cmp.Or(b.Saved.Compare(a.Saved), cmp.Compare(b.Key(), a.Key())) }

// Browse returns the tasks of the caller's own places, the last saved first, at most b.Limit. Tenant, user and projects are the caller's,
// whatever the browsing says.
func (s *Service) Browse(ctx context.Context, by ctxmcp.Caller, b Browsing) ([]State, error) {
	if by.User == "" { // an empty part of a browsing does not restrict: this would be everybody
		return nil, nil
	}
	b.Tenant, b.User, b.Projects = by.Tenant, by.User, by.Projects
	found, err := s.Store.BrowseTasks(ctx, b)
	if err != nil {
		return nil, fmt.Errorf("browse tasks: %w", err)
	}
	for _, t := range found {
		if !b.Match(t) {
			return nil, fmt.Errorf("the store returned task %s, which was not asked for", t.ID)
		}
	}
	return found, nil
}
