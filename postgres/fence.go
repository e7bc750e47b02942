package postgres

import (
	"context"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/ctx-mcp/ctx-mcp/sqlite"
)

// settings returns the values of the settings by which a transaction names the rows that it is about (migration 0007). The empty tenant, of the log of
// receipts itself, is always among them.
func settings(s sqlite.Sight) (tenants, all string, err error) {
	if s.All {
		return "[]", "yes", nil
	}
	list, err := json.Marshal(append(slices.Clone(s.Tenants), ""))
	return string(list), "no", err
}

// beginReading begins a transaction that reads one snapshot, and opens the fence around the tenants of the read. Both go in one message, and end with
// the transaction: a pooler in transaction mode hands nothing of it on.
const beginReading = `
BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
SELECT set_config('ctx_mcp.tenants', $1, true), set_config('ctx_mcp.all', $2, true)`

func (c *conn) beginReading(ctx context.Context) (driver.Tx, error) {
	tenants, all, err := settings(sqlite.SightOf(ctx))
	if err != nil {
		return nil, err
	}
	r := reading{c}
	if _, err := c.Conn.Conn().Exec(ctx, beginReading, escape(tenants), all); err != nil {
		return nil, failed(errors.Join(err, r.Rollback()))
	}
	c.inTx = true
	return r, nil
}

// reading is a transaction that reads.
type reading struct{ c *conn }

// patienceToEnd bounds the time that the end of a transaction that reads may take.
const patienceToEnd = 5 * time.Second

// Commit implements driver.Tx.
func (r reading) Commit() error { return r.end("COMMIT") }

// Rollback implements driver.Tx.
func (r reading) Rollback() error { return r.end("ROLLBACK") }

// end ends the transaction, or else the connection: the next read must not find the fence open.
func (r reading) end(how string) error {
	r.c.inTx = false
	base := r.c.Conn.Conn()
	if base.IsClosed() {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), patienceToEnd)
	defer cancel()
	if _, err := base.Exec(ctx, how); err != nil {
		return failed(errors.Join(err, base.Close(ctx)))
	}
	return nil
}

// alone is the rows of a read that has a transaction of its own.
type alone struct {
	driver.Rows
	tx driver.Tx
}

// Close implements driver.Rows.
func (a alone) Close() error { return errors.Join(a.Rows.Close(), a.tx.Commit()) }
