package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions"
	"github.com/ctx-mcp/ctx-mcp/receipts"
)

var _ actions.Store = (*Store)(nil)

const (
	lastAction = `
SELECT coalesce(max(last), 0)
FROM action_sessions
WHERE tenant = ? AND user = ? AND session = ?`
	insertAction = `
INSERT INTO action_log (tenant, user, session, seq, kind, at, body)
VALUES (?, ?, ?, ?, ?, ?, ?)`
	touchSession = `
INSERT INTO action_sessions (tenant, user, session, last, until, waiting)
VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (tenant, user, session) DO UPDATE SET last = excluded.last, until = excluded.until, waiting = excluded.waiting`
	waitingSessions = `
SELECT tenant, user, session
FROM action_sessions
WHERE waiting > 0 AND tenant = ? AND (user = ? OR ? = '')
ORDER BY user, session`
	actionLog = `
SELECT seq, kind, at, body
FROM action_log
WHERE tenant = ? AND user = ? AND session = ? AND seq > ?
ORDER BY seq
LIMIT CAST(? AS BIGINT)`
	listedSessions = `
SELECT session, last, waiting, until
FROM action_sessions
WHERE tenant = :tenant AND user = :user AND (:behind IS NULL OR (until, session) < (:behind, :behind_session))
ORDER BY until DESC, session DESC
LIMIT CAST(:limit AS BIGINT)`
	dueSessions = `
SELECT tenant, user, session
FROM action_sessions
WHERE until <= ?`
	deleteLog     = `DELETE FROM action_log WHERE tenant = ? AND user = ? AND session = ?`
	forgetPrivate = `UPDATE receipts SET private = NULL WHERE tenant = ? AND user = ? AND session = ?`
	deleteSession = `DELETE FROM action_sessions WHERE tenant = ? AND user = ? AND session = ?`
)

// AppendAction implements actions.Store.
func (s *Store) AppendAction(ctx context.Context, k actions.Key, r actions.Record, until time.Time, audit ctxmcp.Event, proof *receipts.Proof) error {
	body, err := s.seal(r.Body, actionPlace(k, r.Seq)...)
	if err != nil {
		return err
	}
	o := operation{
		tenants: only(k.Tenant),
		check: func(b *batch) error {
			var last int
			if err := b.tx.QueryRowContext(b.ctx, lastAction, k.Tenant, k.User, k.Session).Scan(&last); err != nil {
				return errors.Join(errStore, err)
			}
			if r.Seq != last+1 {
				return actions.Moved(k.Session)
			}
			return b.room(r.Claims(k, len(body)))
		},
		write: func(b *batch) error {
			if err := b.exec(insertAction, k.Tenant, k.User, k.Session, r.Seq, string(r.Kind), micros(r.At), body); err != nil {
				return fmt.Errorf("append to a session: %w", err)
			}
			if err := b.exec(touchSession, k.Tenant, k.User, k.Session, r.Seq, micros(until), r.Waiting); err != nil {
				return fmt.Errorf("append to a session: %w", err)
			}
			return b.audit(audit)
		},
	}
	if proof != nil {
		o = both(o, s.receiptOperation(proof.Key, proof.Make))
	}
	return s.do(ctx, o)
}

// both returns two operations, each of which has tenants, as one.
func both(a, c operation) operation {
	return operation{
		check: func(b *batch) error {
			if err := a.check(b); err != nil {
				return err
			}
			return c.check(b)
		},
		write: func(b *batch) error {
			if err := a.write(b); err != nil {
				return err
			}
			return c.write(b)
		},
		erases: a.erases || c.erases, logs: a.logs || c.logs,
		tenants: func() []string { return append(a.tenants(), c.tenants()...) },
	}
}

// actionPlace returns the place that a record's body is sealed for.
func actionPlace(k actions.Key, seq int) []string {
	return []string{"action", k.Tenant, k.User, k.Session, strconv.Itoa(seq)}
}

// ActionLog implements actions.Store.
func (s *Store) ActionLog(ctx context.Context, k actions.Key, after, limit int) ([]actions.Record, error) {
	ctx = seeing(ctx, k.Tenant)
	rows, err := s.reads.QueryContext(ctx, actionLog, k.Tenant, k.User, k.Session, after, atMost(limit))
	if err != nil {
		return nil, wrap("read a session", err)
	}
	defer rows.Close()
	var all []actions.Record
	for rows.Next() {
		var r actions.Record
		var at int64
		if err := rows.Scan(&r.Seq, &r.Kind, &at, (*[]byte)(&r.Body)); err != nil {
			return nil, wrap("read a session", err)
		}
		if r.Body, err = s.unseal(r.Body, actionPlace(k, r.Seq)...); err != nil {
			return nil, err
		}
		r.At = instant(at)
		all = append(all, r)
	}
	return all, wrap("read a session", rows.Err())
}

// SweepActions implements actions.Store. A session that is removed is in no file afterwards. On an engine the tenants follow one another, so that
// none waits for the writers of another.
func (s *Store) SweepActions(ctx context.Context, at time.Time) (removed int, err error) {
	ctx = seeingAll(ctx)
	due, err := dueActions(ctx, s.reads, at)
	if err != nil || len(due) == 0 { // nothing to write
		return 0, wrap("find sessions", err)
	}
	tenants := slices.Compact(slices.Sorted(slices.Values(owners(nil, due, func(k actions.Key) string { return k.Tenant }))))
	if s.engine == nil {
		return s.sweepActions(ctx, at, tenants...)
	}
	for _, tenant := range tenants {
		n, err := s.sweepActions(ctx, at, tenant)
		if err != nil {
			return removed, err
		}
		removed += n
	}
	return removed, nil
}

// sweepActions removes the sessions of some tenants whose time is over.
func (s *Store) sweepActions(ctx context.Context, at time.Time, tenants ...string) (int, error) {
	var due []actions.Key
	err := s.do(ctx, operation{
		tenants: func() []string { return slices.Clone(tenants) },
		check: func(b *batch) (err error) {
			if due, err = dueActions(b.ctx, b.tx, at); err != nil {
				return errors.Join(errStore, err)
			}
			due = slices.DeleteFunc(due, func(k actions.Key) bool { return s.engine != nil && !slices.Contains(tenants, k.Tenant) }) // not locked
			return nil
		},
		write: func(b *batch) error {
			for _, k := range due {
				for _, statement := range []string{deleteLog, deleteSession, forgetPrivate} {
					if err := b.exec(statement, k.Tenant, k.User, k.Session); err != nil {
						return fmt.Errorf("remove a session: %w", err)
					}
				}
			}
			return nil
		},
		erases: true,
	})
	return len(due), err
}

func dueActions(ctx context.Context, q querier, at time.Time) ([]actions.Key, error) {
	return actionKeys(ctx, q, dueSessions, micros(at))
}

// WaitingSessions implements actions.Store.
func (s *Store) WaitingSessions(ctx context.Context, tenant, user string) ([]actions.Key, error) {
	ctx = seeing(ctx, tenant)
	found, err := actionKeys(ctx, s.reads, waitingSessions, tenant, user, user)
	return found, wrap("find sessions", err)
}

// ActionSessions implements actions.Store.
func (s *Store) ActionSessions(ctx context.Context, tenant, user string, behind *actions.Listed, limit int) ([]actions.Listed, error) {
	ctx = seeing(ctx, tenant)
	var until any
	var session string
	if behind != nil {
		until, session = micros(behind.Until), behind.Session
	}
	rows, err := s.reads.QueryContext(ctx, listedSessions, sql.Named("tenant", tenant), sql.Named("user", user), sql.Named("behind", until),
		sql.Named("behind_session", session), sql.Named("limit", limit))
	if err != nil {
		return nil, wrap("list sessions", err)
	}
	defer rows.Close()
	var all []actions.Listed
	for rows.Next() {
		var one actions.Listed
		var kept int64
		if err := rows.Scan(&one.Session, &one.Records, &one.Waiting, &kept); err != nil {
			return nil, wrap("list sessions", err)
		}
		one.Until = instant(kept)
		all = append(all, one)
	}
	return all, wrap("list sessions", rows.Err())
}

// actionKeys reads sessions: tenant, user, session.
func actionKeys(ctx context.Context, q querier, statement string, args ...any) ([]actions.Key, error) {
	rows, err := q.QueryContext(ctx, statement, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var found []actions.Key
	for rows.Next() {
		var k actions.Key
		if err := rows.Scan(&k.Tenant, &k.User, &k.Session); err != nil {
			return nil, err
		}
		found = append(found, k)
	}
	return found, rows.Err()
}
