package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/ctx-mcp/ctx-mcp/receipts"
)

var _ receipts.Log = (*Store)(nil)

const (
	receiptColumns = `idx, tenant, user, session, id, envelope, private`

	receiptEnd = `
SELECT size, frontier, at, key_id, head
FROM receipt_end
WHERE one = 1`
	receiptSession = `
SELECT size, frontier, closed
FROM receipt_sessions
WHERE tenant = ? AND user = ? AND session = ?`
	receiptByKey = `
SELECT ` + receiptColumns + `
FROM receipts
WHERE tenant = ? AND user = ? AND session = ? AND id = ?`
	receiptsFrom = `
SELECT ` + receiptColumns + `
FROM receipts
WHERE idx >= ?
ORDER BY idx
LIMIT CAST(? AS BIGINT)`
	receiptsOfSession = `
SELECT ` + receiptColumns + `
FROM receipts
WHERE tenant = ? AND user = ? AND session = ? AND idx >= ?
ORDER BY idx
LIMIT CAST(? AS BIGINT)`
	receiptHash = `
SELECT hash
FROM receipt_hashes
WHERE number = ?`
	insertReceiptHash = `
INSERT INTO receipt_hashes (number, hash)
VALUES (?, ?)`
	insertReceipt = `
INSERT INTO receipts (` + receiptColumns + `)
VALUES (?, ?, ?, ?, ?, ?, ?)`
	saveReceiptEnd = `
INSERT INTO receipt_end (one, size, frontier, at, key_id, head)
VALUES (1, ?, ?, ?, ?, ?)
ON CONFLICT (one) DO UPDATE SET size = excluded.size, frontier = excluded.frontier, at = excluded.at, key_id = excluded.key_id, head = excluded.head`
	saveReceiptSession = `
INSERT INTO receipt_sessions (tenant, user, session, size, frontier, closed)
VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (tenant, user, session) DO UPDATE SET size = excluded.size, frontier = excluded.frontier, closed = excluded.closed`
)

// AppendReceipt implements receipts.Log.
func (s *Store) AppendReceipt(ctx context.Context, key receipts.Key, make receipts.Make) error {
	return s.do(ctx, s.receiptOperation(key, make))
}

// receiptOperation returns an append as an operation: others may go to disk with it.
func (s *Store) receiptOperation(key receipts.Key, make receipts.Make) operation {
	var w *receipts.Written
	return operation{
		tenants: only(key.Tenant), logs: true,
		check: func(b *batch) error {
			if err := b.lockLog(); err != nil {
				return err
			}
			at, err := s.receiptPlace(b.ctx, b.tx, key)
			if err != nil {
				return errors.Join(errStore, err)
			}
			w, err = make(at)
			return err
		},
		write: func(b *batch) error {
			if w == nil {
				return nil
			}
			return s.writeReceipts(b, key, w)
		},
	}
}

func (s *Store) writeReceipts(b *batch, key receipts.Key, w *receipts.Written) error {
	for _, e := range w.Entries {
		private, err := s.seal(e.Private, "receipt", e.Tenant, e.User, e.Session, e.ID)
		if err != nil {
			return fmt.Errorf("receipt: %w", err)
		}
		if err := b.exec(insertReceipt, e.Index, e.Tenant, e.User, e.Session, e.ID, string(e.Envelope), private); err != nil {
			return fmt.Errorf("receipt: %w", err)
		}
	}
	for _, h := range w.Hashes {
		if err := b.exec(insertReceiptHash, h.Number, h.Hash[:]); err != nil {
			return fmt.Errorf("tree of the receipts: %w", err)
		}
	}
	if err := b.exec(saveReceiptEnd, w.End.Size, w.End.Frontier, micros(w.End.At), w.End.KeyID, string(w.End.Head)); err != nil {
		return fmt.Errorf("end of the receipts: %w", err)
	}
	if key.Session == "" {
		return nil
	}
	frontier := append([]byte{}, w.Session.Frontier...)
	if err := b.exec(saveReceiptSession, key.Tenant, key.User, key.Session, w.Session.Size, frontier, w.Session.Closed); err != nil {
		return fmt.Errorf("receipts of the session: %w", err)
	}
	return nil
}

// rowQuerier is a database or a transaction.
type rowQuerier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

func (s *Store) receiptPlace(ctx context.Context, db rowQuerier, key receipts.Key) (at receipts.Place, err error) {
	if at.End, err = receiptLogEnd(ctx, db); err != nil {
		return at, err
	}
	if key.Session != "" {
		err := db.QueryRowContext(ctx, receiptSession, key.Tenant, key.User, key.Session).Scan(&at.Session.Size, &at.Session.Frontier, &at.Session.Closed)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return at, err
		}
	}
	held, err := s.readReceipts(ctx, db, receiptByKey, key.Tenant, key.User, key.Session, key.ID)
	if len(held) > 0 {
		at.Held = &held[0]
	}
	return at, err
}

func receiptLogEnd(ctx context.Context, db rowQuerier) (receipts.End, error) {
	var e receipts.End
	var at int64
	err := db.QueryRowContext(ctx, receiptEnd).Scan(&e.Size, &e.Frontier, &at, &e.KeyID, &e.Head)
	if errors.Is(err, sql.ErrNoRows) {
		return receipts.End{}, nil
	}
	e.At = instant(at)
	return e, err
}

// TreeHashes implements receipts.Log.
func (s *Store) TreeHashes(ctx context.Context, numbers []int64) ([][32]byte, error) {
	hashes := make([][32]byte, len(numbers))
	for i, number := range numbers {
		var hash []byte
		if err := s.reads.QueryRowContext(ctx, receiptHash, number).Scan(&hash); err != nil {
			return nil, wrap("read the tree of the receipts", err)
		}
		if copy(hashes[i][:], hash) != len(hash) || len(hash) != len(hashes[i]) {
			return nil, fmt.Errorf("the hash %d of the receipts has %d bytes", number, len(hash))
		}
	}
	return hashes, nil
}

// LogEnd implements receipts.Log.
func (s *Store) LogEnd(ctx context.Context) (receipts.End, error) {
	e, err := receiptLogEnd(ctx, s.reads)
	return e, wrap("find the end of the receipts", err)
}

// Receipts implements receipts.Log.
func (s *Store) Receipts(ctx context.Context, q receipts.Query) ([]receipts.Entry, error) {
	statement, args := receiptsFrom, []any{q.From, atMost(q.Limit)}
	ctx = seeingAll(ctx)
	if q.Session != "" {
		ctx = seeing(ctx, q.Tenant)
		statement, args = receiptsOfSession, []any{q.Tenant, q.User, q.Session, q.From, atMost(q.Limit)}
	}
	found, err := s.readReceipts(ctx, s.reads, statement, args...)
	return found, wrap("read receipts", err)
}

func (s *Store) readReceipts(ctx context.Context, db rowQuerier, statement string, args ...any) ([]receipts.Entry, error) {
	rows, err := db.QueryContext(ctx, statement, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var found []receipts.Entry
	for rows.Next() {
		var e receipts.Entry
		if err := rows.Scan(&e.Index, &e.Tenant, &e.User, &e.Session, &e.ID, &e.Envelope, &e.Private); err != nil {
			return nil, err
		}
		if e.Private, err = s.unseal(e.Private, "receipt", e.Tenant, e.User, e.Session, e.ID); err != nil {
			return nil, err
		}
		found = append(found, e)
	}
	return found, rows.Err()
}
