package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/serve/access"
)

var _ access.Store = (*Store)(nil)

const (
	tokenColumns = `id, name, tenant, user, roles, projects, clearance, authority, created, expires, revoked, digest`

	insertToken = `
INSERT INTO tokens (` + tokenColumns + `)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
`
	countToken = `
SELECT count(*)
FROM tokens
WHERE id = ?
`
	findToken = `
SELECT ` + tokenColumns + `
FROM tokens
WHERE id = ?
`
	listTokens = `
SELECT ` + tokenColumns + `
FROM tokens
ORDER BY created, id
`
	revokeToken = `
UPDATE tokens
SET revoked = coalesce(revoked, ?)
WHERE id = ?
`
)

// SaveToken implements access.Store.
func (s *Store) SaveToken(ctx context.Context, t access.Token) error {
	return s.do(ctx, operation{
		check: func(b *batch) error { return b.expect(0, "there is a token "+t.ID+" already", countToken, t.ID) },
		write: func(b *batch) error {
			c := t.Caller
			return b.exec(insertToken, t.ID, t.Name, c.Tenant, c.User, list(c.Roles), list(c.Projects), string(c.Clearance),
				int(c.Authority), micros(t.Created), open(t.Expires), open(t.Revoked), t.Digest[:])
		},
	})
}

// RevokeToken implements access.Store.
func (s *Store) RevokeToken(ctx context.Context, id string, at time.Time) error {
	return s.do(ctx, operation{
		check: func(b *batch) error {
			err := b.expect(1, "", countToken, id)
			if ctxmcp.CodeOf(err) == ctxmcp.CodeConflict {
				return noToken(id)
			}
			return err
		},
		write: func(b *batch) error { return b.exec(revokeToken, open(at), id) },
	})
}

func noToken(id string) error { return ctxmcp.Errorf(ctxmcp.CodeNotFound, "there is no token %q", id) }

// lookedUp stands before the id of a token that is looked up, in the place of the tenant, which is not known then.
const lookedUp = "token:"

// FindToken implements access.Store.
func (s *Store) FindToken(ctx context.Context, id string) (*access.Token, error) {
	found, err := s.tokens(seeing(ctx, lookedUp+id), findToken, id)
	if err != nil {
		return nil, wrap("find a token", err)
	}
	if len(found) == 0 {
		return nil, noToken(id)
	}
	return &found[0], nil
}

// ListTokens implements access.Store.
func (s *Store) ListTokens(ctx context.Context) ([]access.Token, error) {
	found, err := s.tokens(seeingAll(ctx), listTokens)
	return found, wrap("list tokens", err)
}

func (s *Store) tokens(ctx context.Context, statement string, args ...any) ([]access.Token, error) {
	rows, err := s.reads.QueryContext(ctx, statement, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var found []access.Token
	for rows.Next() {
		t, err := scanToken(rows)
		if err != nil {
			return nil, fmt.Errorf("read token: %w", err)
		}
		found = append(found, t)
	}
	return found, rows.Err()
}

// scanToken reads tokenColumns.
func scanToken(rows *sql.Rows) (access.Token, error) {
	var t access.Token
	var roles, projects sql.NullString
	var created int64
	var expires, revoked sql.NullInt64
	var digest []byte
	c := &t.Caller
	if err := rows.Scan(&t.ID, &t.Name, &c.Tenant, &c.User, &roles, &projects, &c.Clearance, &c.Authority,
		&created, &expires, &revoked, &digest); err != nil {
		return t, err
	}
	t.Created, t.Expires, t.Revoked = instant(created), ending(expires), ending(revoked)
	if copy(t.Digest[:], digest) != len(t.Digest) {
		return t, fmt.Errorf("digest of %d bytes", len(digest))
	}
	if err := scanList(roles, &c.Roles); err != nil {
		return t, err
	}
	return t, scanList(projects, &c.Projects)
}

// ending reads the instant that open wrote.
func ending(us sql.NullInt64) time.Time {
	if !us.Valid {
		return time.Time{}
	}
	return time.UnixMicro(us.Int64).UTC()
}

// scanList reads the list that list wrote.
func scanList(column sql.NullString, into *[]string) error {
	if !column.Valid {
		return nil
	}
	return json.Unmarshal([]byte(column.String), into)
}
