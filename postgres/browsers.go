package postgres

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/console/visits"
)

// mostVisits bounds the browsers that are in; the one that was idle longest goes.
const mostVisits = 4096

const (
	addVisit = `
INSERT INTO visits (name, sealed, seen)
VALUES (?, ?, ?)`
	dropVisits = `
DELETE FROM visits
WHERE seen < ? OR name IN (SELECT name FROM visits ORDER BY seen DESC, name OFFSET ?)`
	findVisit = `
SELECT sealed, seen
FROM visits
WHERE name = ?`
	seeVisit = `
UPDATE visits
SET seen = greatest(seen, ?)
WHERE name = ?`
	endVisit = `
DELETE FROM visits
WHERE name = ?`
)

var _ visits.Store = browsers{}

// browsers are those that all servers of a database know.
type browsers struct{ db *sql.DB }

// AddVisit implements visits.Store.
func (b browsers) AddVisit(ctx context.Context, r visits.Row, before time.Time) error {
	_, err := b.db.ExecContext(ctx, addVisit, r.Name, r.Sealed, r.Seen.UnixMicro())
	if err == nil {
		_, err = b.db.ExecContext(ctx, dropVisits, before.UnixMicro(), mostVisits)
	}
	return err
}

// FindVisit implements visits.Store.
func (b browsers) FindVisit(ctx context.Context, name string) (visits.Row, error) {
	r, seen := visits.Row{Name: name}, int64(0)
	err := b.db.QueryRowContext(ctx, findVisit, name).Scan(&r.Sealed, &seen)
	if errors.Is(err, sql.ErrNoRows) {
		return r, ctxmcp.Errorf(ctxmcp.CodeNotFound, "the browser is not known")
	}
	r.Seen = time.UnixMicro(seen)
	return r, err
}

// SeeVisit implements visits.Store.
func (b browsers) SeeVisit(ctx context.Context, name string, seen time.Time) error {
	_, err := b.db.ExecContext(ctx, seeVisit, seen.UnixMicro(), name)
	return err
}

// EndVisit implements visits.Store.
func (b browsers) EndVisit(ctx context.Context, name string) error {
	_, err := b.db.ExecContext(ctx, endVisit, name)
	return err
}
