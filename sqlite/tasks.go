package sqlite

import (
	"context"
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
WHERE t.tenant = ?1 AND (?2 = '' OR t.id = ?2) AND t.namespace IN (SELECT value FROM json_each(?3))
  AND t.version = (SELECT max(version) FROM task_states WHERE tenant = t.tenant AND id = t.id AND namespace = t.namespace)`
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
ON CONFLICT DO UPDATE SET until = excluded.until`
)

// FindTasks implements tasks.Store.
func (s *Store) FindTasks(ctx context.Context, tenant string, namespaces []string, id string) ([]tasks.State, error) {
	rows, err := s.reads.QueryContext(ctx, latestStates, tenant, id, list(namespaces))
	if err != nil {
		return nil, wrap("find a task", err)
	}
	found, err := decodeRows[tasks.State](rows)
	slices.SortFunc(found, tasks.Compare)
	return found, wrap("find a task", err)
}

// SaveTask implements tasks.Store.
func (s *Store) SaveTask(ctx context.Context, t tasks.State, pins []artifacts.Pin, audit ctxmcp.Event) error {
	body, err := json.Marshal(t)
	if err != nil {
		return fmt.Errorf("save task: %w", err)
	}
	return s.do(ctx, operation{
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
