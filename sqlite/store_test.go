package sqlite

import (
	"context"
	"log/slog"
	"testing"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/storetest"
)

func TestStore(t *testing.T) {
	storetest.Run(t, func(t *testing.T) storetest.Store { return audited{openStore(t, t.TempDir())} })
}

// audited is a store that tells its audit trail.
type audited struct{ *Store }

func (a audited) Trail(ctx context.Context) (events []ctxmcp.Event, err error) {
	rows, err := a.reads.QueryContext(ctx, `SELECT tenant, action, object_id, detail FROM audit ORDER BY seq`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var e ctxmcp.Event
		if err := rows.Scan(&e.Tenant, &e.Action, &e.ObjectID, &e.Detail); err != nil {
			return nil, err
		}
		events = append(events, e)
	}
	return events, rows.Err()
}

// openStore opens the store in dir until the test ends.
func openStore(t testing.TB, dir string) *Store {
	t.Helper()
	s, err := Open(t.Context(), dir, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return s
}
