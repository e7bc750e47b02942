package inmem

import (
	"context"
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
	"github.com/ctx-mcp/ctx-mcp/tasks"
)

var _ tasks.Store = (*Store)(nil)

// FindTasks implements tasks.Store.
func (s *Store) FindTasks(_ context.Context, tenant string, namespaces []string, id string) ([]tasks.State, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	type key struct{ id, home string }
	latest := map[key]tasks.State{}
	for _, t := range s.tasks {
		at := key{t.ID, t.Home.Namespace()}
		if t.Tenant == tenant && (id == "" || t.ID == id) && slices.Contains(namespaces, at.home) && t.Version > latest[at].Version {
			latest[at] = t.Clone()
		}
	}
	var found []tasks.State
	for _, t := range latest {
		found = append(found, t)
	}
	slices.SortFunc(found, tasks.Compare)
	return found, nil
}

// BrowseTasks implements tasks.Store.
func (s *Store) BrowseTasks(_ context.Context, l tasks.Browsing) ([]tasks.State, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	latest := map[string]tasks.State{}
	for _, t := range s.tasks {
		if key := t.Tenant + " " + t.Key(); t.Version > latest[key].Version {
			latest[key] = t
		}
	}
	var found []tasks.State
	for _, t := range latest {
		if l.Match(t) {
			found = append(found, t.Clone())
		}
	}
	slices.SortFunc(found, tasks.Later)
	return found[:min(len(found), l.Limit)], nil
}

// SaveTask implements tasks.Store.
func (s *Store) SaveTask(_ context.Context, t tasks.State, pins []artifacts.Pin, audit ctxmcp.Event) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	current := 0
	for _, held := range s.tasks {
		if held.Tenant == t.Tenant && held.ID == t.ID && held.Home == t.Home {
			current = max(current, held.Version)
		}
	}
	if t.Version != current+1 {
		return tasks.Moved(t.ID, current)
	}
	s.tasks = append(s.tasks, t.Clone())
	s.pin(pins)
	s.audit = append(s.audit, audit)
	return nil
}
