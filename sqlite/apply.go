package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/quota"
)

// errStore marks a failure of the database, as opposed to an expectation that does not hold.
var errStore = errors.New("store failed")

// batch writes changes in one transaction. It puts off the work that is cheaper done once for the whole group: the
// statistics of the scopes, and the full-text index, which flushes whenever a row id does not increase.
type batch struct {
	ctx    context.Context
	tx     *sql.Tx
	scopes map[scopeKey]*scope
	texts  []indexed
	limits quota.Limits
	owes   bool    // an erasure is to be noted
	engine *Engine // nil: the file
	logged bool    // the lock of the log is held

	sealing *sealing     // nil: nothing is sealed
	under   []versionKey // of the versions or artifacts that the change inserts; none: they are not sealed
}

// keyOf returns the key of the row that the change inserts, counted from 0; nil: it is not sealed.
func (b *batch) keyOf(i int) *versionKey {
	if len(b.under) == 0 {
		return nil
	}
	return &b.under[i]
}

type scopeKey struct{ tenant, namespace string }

type scope struct{ number, lastSeq, documents, length int64 }

// indexed is a version's text on its way into the full-text index.
type indexed struct {
	id    int64
	terms string
}

func newBatch(ctx context.Context, tx *sql.Tx) *batch {
	return &batch{ctx: ctx, tx: tx, scopes: map[scopeKey]*scope{}}
}

// check returns a CodeConflict Error unless everything that c counts on holds, and CodeTooLarge over a quota. The lock is held, so its answer is
// true until the commit.
func (b *batch) check(c memory.Change) error {
	if err := c.Check(); err != nil {
		return err
	}
	for _, e := range c.Expect {
		if err := b.flushScopes(); err != nil {
			return errors.Join(errStore, err)
		}
		open, err := b.sealing.findIn(b.ctx, b.tx, e.Query)
		if err != nil {
			return errors.Join(errStore, err)
		}
		if !slices.EqualFunc(open, e.Open, func(o ctxmcp.ContextObject, k ctxmcp.VersionKey) bool { return ctxmcp.KeyOf(o) == k }) {
			return ctxmcp.Errorf(ctxmcp.CodeConflict, "memory changed in between").WithHint("call again")
		}
	}
	for _, cl := range c.Close {
		if err := b.expect(1, "object "+cl.Key.ObjectID+" has ended in between",
			`SELECT count(*) FROM versions WHERE tenant = ? AND object_id = ? AND version = ? AND tx_end IS NULL`,
			cl.Tenant, cl.Key.ObjectID, cl.Key.Version); err != nil {
			return err
		}
	}
	for _, o := range c.Insert {
		if err := b.expect(0, "object "+o.ObjectID+" has such a version already",
			`SELECT count(*) FROM versions WHERE tenant = ? AND object_id = ? AND version = ?`,
			o.TenantID, o.ObjectID, o.Version); err != nil {
			return err
		}
	}
	for _, e := range c.Erase {
		if err := b.expect(1, "object "+e.ObjectID+" is gone",
			`SELECT EXISTS (SELECT 1 FROM versions WHERE tenant = ? AND object_id = ?)`, e.Tenant, e.ObjectID); err != nil {
			return err
		}
	}
	for _, u := range c.Unconfirmed {
		if err := b.expect(0, "object "+u.ObjectID+" was confirmed in between",
			`SELECT EXISTS (SELECT 1 FROM versions WHERE tenant = ? AND object_id = ? AND last_confirmed > ?)`,
			u.Tenant, u.ObjectID, micros(u.At)); err != nil {
			return err
		}
	}
	if err := b.checkReviews(c); err != nil {
		return err
	}
	if err := b.checkEntities(c.Entities); err != nil {
		return err
	}
	if r := c.Replay; r != nil {
		if err := b.expect(0, "the idempotency key was used in between",
			`SELECT count(*) FROM replays WHERE tenant = ? AND user = ? AND name = ?`, r.Key.Tenant, r.Key.User, r.Key.Name); err != nil {
			return err
		}
	}
	return b.room(c.Claims())
}

// expect returns a CodeConflict Error with the message unless the statement counts want rows.
func (b *batch) expect(want int, message, statement string, args ...any) error {
	var n int
	if err := b.tx.QueryRowContext(b.ctx, statement, args...).Scan(&n); err != nil {
		return errors.Join(errStore, err)
	}
	if n != want {
		return ctxmcp.Errorf(ctxmcp.CodeConflict, "%s", message)
	}
	return nil
}

func (b *batch) exec(statement string, args ...any) error {
	_, err := b.tx.ExecContext(b.ctx, statement, args...)
	return err
}

// write carries out a change that has been checked.
func (b *batch) write(c memory.Change) error {
	for _, cl := range c.Close {
		if err := b.close(cl); err != nil {
			return fmt.Errorf("close: %w", err)
		}
	}
	for i, o := range c.Insert {
		if err := b.insert(o, b.keyOf(i)); err != nil {
			return fmt.Errorf("insert: %w", err)
		}
	}
	if err := b.touch(c); err != nil {
		return err
	}
	if err := b.review(c); err != nil {
		return fmt.Errorf("review: %w", err)
	}
	for _, e := range c.Erase {
		if err := b.erase(e); err != nil {
			return fmt.Errorf("erase: %w", err)
		}
	}
	for _, v := range c.Vectors {
		if err := b.exec(`
INSERT OR REPLACE INTO vectors (id, model, dimension, vector)
SELECT id, ?, ?, ? FROM versions WHERE tenant = ? AND object_id = ? AND version = ?`,
			v.Model, len(v.Values), encode(v.Values), v.Tenant, v.Key.ObjectID, v.Key.Version); err != nil {
			return fmt.Errorf("keep vector: %w", err)
		}
	}
	if err := b.learn(c.Entities); err != nil {
		return fmt.Errorf("entities: %w", err)
	}
	return b.record(c)
}

// record writes the result for repetitions of a change, and its lines of the audit trail.
func (b *batch) record(c memory.Change) error {
	if r := c.Replay; r != nil {
		if err := b.exec(`INSERT INTO replays (tenant, user, name, digest, object_id, result) VALUES (?, ?, ?, ?, ?, ?)`,
			r.Key.Tenant, r.Key.User, r.Key.Name, r.Digest, r.ObjectID, r.Result); err != nil {
			return fmt.Errorf("keep result: %w", err)
		}
	}
	for _, e := range c.Audit {
		if err := b.exec(`INSERT INTO audit (at, tenant, user, action, object_id, detail) VALUES (?, ?, ?, ?, ?, ?)`,
			micros(e.At), e.Tenant, e.User, e.Action, e.ObjectID, e.Detail); err != nil {
			return fmt.Errorf("audit: %w", err)
		}
	}
	return nil
}

func (b *batch) close(cl memory.Closing) error {
	closing, err := json.Marshal(cl.Closing)
	if err != nil {
		return err
	}
	return b.exec(`UPDATE versions SET tx_end = ?, closing = ? WHERE tenant = ? AND object_id = ? AND version = ?`,
		micros(cl.TxEnd), string(closing), cl.Tenant, cl.Key.ObjectID, cl.Key.Version)
}

const insertVersion = `
INSERT INTO versions (id, tenant, object_id, version, fact_id, slot, subject, content_key, object_type, classification,
  allow_roles, deny_roles, status, archived, valid_from, valid_until, tx_start, tx_end, closing, last_confirmed, session, position, object,
  due, last_used, domains, source_kind)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
`

// insert adds a version, sealed under a key if there is one.
func (b *batch) insert(o ctxmcp.ContextObject, key *versionKey) error {
	sc, err := b.scope(scopeKey{o.TenantID, o.Home().Namespace()})
	if err != nil {
		return err
	}
	var closing any
	if o.Closing != nil {
		c, err := json.Marshal(o.Closing)
		if err != nil {
			return err
		}
		closing = string(c)
	}
	body := o
	body.TxEnd, body.Closing, body.LastConfirmed, body.LastUsed = time.Time{}, nil, time.Time{}, time.Time{}
	object, err := json.Marshal(body)
	if err != nil {
		return err
	}
	terms := memory.IndexedTerms(o)
	w, err := b.sealing.written(o, string(object), strings.Join(terms, " "), key)
	if err != nil {
		return err
	}
	position, err := b.count(sc, o, len(terms))
	if err != nil {
		return err
	}
	sc.lastSeq++
	id := sc.number<<32 | sc.lastSeq
	if err := b.exec(insertVersion, id, o.TenantID, o.ObjectID, o.Version, o.FactID, text(w.slot),
		text(w.subject), w.content, string(o.ObjectType), o.Classification.Rank(),
		list(o.PermissionScope.AllowRoles), list(o.PermissionScope.DenyRoles), string(o.ContradictionStatus), o.Archived,
		micros(o.ValidFrom), open(o.ValidUntil), micros(o.TxStart), open(o.TxEnd), closing, micros(o.LastConfirmed),
		text(o.SessionID), position, w.object, open(memory.DueAt(o)), open(o.LastUsed), list(o.Domains), text(string(o.SourceKind))); err != nil {
		return err
	}
	b.texts = append(b.texts, indexed{id, w.terms})
	return nil
}

const (
	countSession = `
INSERT INTO sessions (scope, session, last_position, documents, length)
VALUES (?, ?, 1, 1, ?)
ON CONFLICT (scope, session)
DO UPDATE SET last_position = sessions.last_position + 1, documents = sessions.documents + 1, length = sessions.length + excluded.length
RETURNING last_position
`
	countAuthor = `
INSERT INTO authors (scope, author, documents)
VALUES (?, ?, 1)
ON CONFLICT (scope, author) DO UPDATE SET documents = authors.documents + 1
`
)

// count adds a version to the statistics of its scope, its session and its author. It returns its place in the session.
func (b *batch) count(sc *scope, o ctxmcp.ContextObject, length int) (position int, err error) {
	sc.documents++
	sc.length += int64(length)
	if o.Author != "" {
		if err := b.exec(countAuthor, sc.number, o.Author); err != nil {
			return 0, fmt.Errorf("count author: %w", err)
		}
	}
	if o.SessionID == "" {
		return 0, nil
	}
	if err := b.tx.QueryRowContext(b.ctx, countSession, sc.number, o.SessionID, length).Scan(&position); err != nil {
		return 0, fmt.Errorf("count session: %w", err)
	}
	return position, nil
}

// scope returns the scope's row, which is made if it is new. Its statistics are written by flush.
func (b *batch) scope(k scopeKey) (*scope, error) {
	if sc := b.scopes[k]; sc != nil {
		return sc, nil
	}
	sc := &scope{}
	err := b.tx.QueryRowContext(b.ctx, `SELECT scope, last_seq, documents, length FROM scopes WHERE tenant = ? AND namespace = ?`,
		k.tenant, k.namespace).Scan(&sc.number, &sc.lastSeq, &sc.documents, &sc.length)
	if errors.Is(err, sql.ErrNoRows) {
		err = b.tx.QueryRowContext(b.ctx, `
INSERT INTO scopes (tenant, namespace, last_seq, documents, length) VALUES (?, ?, 0, 0, 0) RETURNING scope`,
			k.tenant, k.namespace).Scan(&sc.number)
	}
	if err != nil {
		return nil, fmt.Errorf("scope: %w", err)
	}
	b.scopes[k] = sc
	return sc, nil
}

// finish does the work that was put off, and notes the erasures last: the notes of an engine have the order of their commits, so one
// transaction at a time adds to them.
func (b *batch) finish() error {
	if err := b.flush(); err != nil || !b.owes {
		return err
	}
	if b.engine != nil {
		if err := b.engine.Lock(b.ctx, b.tx, TableOfErasures); err != nil {
			return fmt.Errorf("lock the erasures: %w", err)
		}
	}
	return b.exec(owe)
}

// lockLog waits until no other transaction of an engine is at the log of receipts.
func (b *batch) lockLog() error {
	if b.engine == nil || b.logged {
		return nil
	}
	if err := b.engine.Lock(b.ctx, b.tx, LogOfReceipts); err != nil {
		return errors.Join(errStore, err)
	}
	b.logged = true
	return nil
}

// flush writes the statistics and the texts.
func (b *batch) flush() error {
	if err := b.flushScopes(); err != nil {
		return err
	}
	return b.flushTexts()
}

func (b *batch) flushScopes() error {
	for _, sc := range b.scopes {
		if err := b.exec(`UPDATE scopes SET last_seq = ?, documents = ?, length = ? WHERE scope = ?`,
			sc.lastSeq, sc.documents, sc.length, sc.number); err != nil {
			return fmt.Errorf("count: %w", err)
		}
	}
	return nil
}

func (b *batch) flushTexts() error {
	slices.SortFunc(b.texts, func(x, y indexed) int { return cmp.Compare(x.id, y.id) })
	for _, t := range b.texts {
		if err := b.exec(`INSERT INTO texts (id, terms) VALUES (?, ?)`, t.id, t.terms); err != nil {
			return fmt.Errorf("index: %w", err)
		}
		if err := b.exec(`INSERT INTO search (rowid, terms) VALUES (?, ?)`, t.id, t.terms); err != nil {
			return fmt.Errorf("index: %w", err)
		}
	}
	b.texts = nil
	return nil
}
