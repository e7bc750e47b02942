package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
	"github.com/ctx-mcp/ctx-mcp/tasks"
)

var _ tasks.Store = (*Store)(nil)

const (
	latestStates = `
SELECT t.state
FROM task_states AS t
WHERE t.tenant = ?1 AND t.id = ?2 AND t.namespace IN (SELECT value FROM json_each(?3))
  AND t.version = (SELECT max(version) FROM task_states WHERE tenant = t.tenant AND id = t.id AND namespace = t.namespace)`
	// statesHeld brings the tasks of every id.
	statesHeld = `
SELECT t.state
FROM task_states AS t
WHERE t.tenant = ?1 AND ?2 = '' AND t.namespace IN (SELECT value FROM json_each(?3))
  AND t.version = (SELECT max(version) FROM task_states WHERE tenant = t.tenant AND id = t.id AND namespace = t.namespace)`
	// listStates brings a person's tasks: those of their own place, and of the places within, whose names begin with it and a colon.
	listStates = `
SELECT t.state
FROM task_states AS t
WHERE t.tenant = :tenant AND (t.namespace = 'user_' || :user OR substr(t.namespace, 1, length(:user) + 6) = 'user_' || :user || ':')
  AND t.version = (SELECT max(version) FROM task_states WHERE tenant = t.tenant AND id = t.id AND namespace = t.namespace)
  AND (:id = '' OR t.id = :id)
  AND (:parent = '' OR t.state ->> '$.parent_task_id' = :parent)
  AND (json_array_length(:projects) = 0 OR coalesce(t.state ->> '$.home.project', '') = ''
    OR t.state ->> '$.home.project' IN (SELECT value FROM json_each(:projects)))
  AND (:saved IS NULL OR (t.saved, t.id || ' ' || t.namespace) < (:saved, :key))
ORDER BY t.saved DESC, t.id || ' ' || t.namespace DESC
LIMIT CAST(:limit AS BIGINT)`
	lastVersion = `
SELECT coalesce(max(version), 0)
FROM task_states
WHERE tenant = ? AND id = ? AND namespace = ?`
	insertState = `
INSERT INTO task_states (tenant, id, namespace, version, saved, state)
VALUES (?, ?, ?, ?, ?, ?)`
	insertPin = `
INSERT INTO artifact_pins (tenant, artifact, holder, until)
VALUES (?, ?, ?, ?)
ON CONFLICT (tenant, artifact, holder) DO UPDATE SET until = excluded.until`
)

// FindTasks implements tasks.Store.
func (s *Store) FindTasks(ctx context.Context, tenant string, namespaces []string, id string) ([]tasks.State, error) {
	ctx = seeing(ctx, tenant)
	statement := latestStates
	if id == "" {
		statement = statesHeld
	}
	rows, err := s.reads.QueryContext(ctx, statement, tenant, id, list(namespaces))
	if err != nil {
		return nil, wrap("find a task", err)
	}
	found, err := decodeRows[tasks.State](rows)
	slices.SortFunc(found, tasks.Compare)
	return found, wrap("find a task", err)
}

// BrowseTasks implements tasks.Store.
func (s *Store) BrowseTasks(ctx context.Context, l tasks.Browsing) ([]tasks.State, error) {
	ctx = seeing(ctx, l.Tenant)
	var saved any
	key := ""
	if l.Behind != nil {
		saved, key = micros(l.Behind.Saved), l.Behind.Key
	}
	rows, err := s.reads.QueryContext(ctx, listStates, sql.Named("tenant", l.Tenant), sql.Named("user", l.User), sql.Named("id", l.ID),
		sql.Named("parent", l.Parent), sql.Named("projects", array(l.Projects)), sql.Named("saved", saved), sql.Named("key", key), sql.Named("limit", l.Limit))
	if err != nil {
		return nil, wrap("list tasks", err)
	}
	found, err := decodeRows[tasks.State](rows)
	return found, wrap("list tasks", err)
}

// SaveTask implements tasks.Store.
func (s *Store) SaveTask(ctx context.Context, t tasks.State, pins []artifacts.Pin, audit ctxmcp.Event) error {
	body, err := json.Marshal(t)
	if err != nil {
		return fmt.Errorf("save task: %w", err)
	}
	return s.do(ctx, operation{
		tenants: only(t.Tenant),
		check: func(b *batch) error {
			var current int
			if err := b.tx.QueryRowContext(b.ctx, lastVersion, t.Tenant, t.ID, t.Home.Namespace()).Scan(&current); err != nil {
				return errors.Join(errStore, err)
			}
			if t.Version != current+1 {
				return tasks.Moved(t.ID, current)
			}
			return nil
		},
		write: func(b *batch) error {
			if err := b.exec(insertState, t.Tenant, t.ID, t.Home.Namespace(), t.Version, micros(t.Saved), string(body)); err != nil {
				return fmt.Errorf("save task: %w", err)
			}
			for _, p := range pins {
				if err := b.exec(insertPin, p.Tenant, p.Artifact, p.Holder, open(p.Until)); err != nil {
					return fmt.Errorf("pin: %w", err)
				}
			}
			return b.audit(audit)
		},
	})
}
