package sqlite

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"math"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
)

// columns lists the columns that a version is read back from: the object as it was inserted, and the changes since.
const columns = `v.object, v.tx_end, v.closing, v.last_confirmed, v.last_used`

// row holds the columns of a version.
type row struct {
	text        string
	txEnd, used sql.NullInt64
	closing     sql.NullString
	confirmed   int64
}

// scanRow reads columns, and any others that the statement selects behind them.
func scanRow(rows *sql.Rows, more ...any) (r row, err error) {
	err = rows.Scan(append([]any{&r.text, &r.txEnd, &r.closing, &r.confirmed, &r.used}, more...)...)
	return r, err
}

// changed returns the object as it was inserted, with the changes since.
func (r row) changed(o ctxmcp.ContextObject) (ctxmcp.ContextObject, error) {
	if r.txEnd.Valid {
		o.TxEnd = time.UnixMicro(r.txEnd.Int64).UTC()
	}
	if r.closing.Valid {
		o.Closing = new(ctxmcp.Closing)
		if err := json.Unmarshal([]byte(r.closing.String), o.Closing); err != nil {
			return o, fmt.Errorf("read closing: %w", err)
		}
	}
	o.LastConfirmed, o.LastUsed = instant(r.confirmed), instant(r.used.Int64)
	return o, nil
}

// micros returns t as it is stored. The zero time is stored as 0: nothing is remembered of 1970's first microsecond.
func micros(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}

func instant(us int64) time.Time {
	if us == 0 {
		return time.Time{}
	}
	return time.UnixMicro(us).UTC()
}

// open returns the end of an interval, NULL for "still".
func open(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UnixMicro()
}

// text returns s, NULL for "".
func text(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// atMost returns n as the LIMIT of a statement; 0 is none. A statement casts it: SQLite plans by a bare parameter of LIMIT, and so compiles the statement anew
// for each use.
func atMost(n int) int {
	if n == 0 {
		return math.MaxInt64
	}
	return n
}

// list returns a JSON array, NULL for an empty list.
func list[T any](values []T) any {
	if len(values) == 0 {
		return nil
	}
	return array(values)
}

// array returns a JSON array for json_each.
func array[T any](values []T) string {
	if values == nil {
		return "[]"
	}
	b, err := json.Marshal(values)
	if err != nil { // strings and integers only
		panic(err)
	}
	return string(b)
}

// arguments returns the named parameters of the clauses in filter. Sealed versions are found by digests of their values.
func (z *sealing) arguments(q memory.Query, scopes []int64) []any {
	var asOf, believed any
	if !q.AsOf.IsZero() {
		asOf = q.AsOf.UnixMicro()
	}
	if !q.BelievedAt.IsZero() {
		believed = q.BelievedAt.UnixMicro()
	}
	var contents []string
	if q.ContentKey != "" {
		contents = z.both(q.Tenant, kindContent, []string{q.ContentKey})
	}
	var before, beforeObject, beforeVersion any
	if m := q.Before; m != nil {
		before, beforeObject, beforeVersion = micros(m.TxStart), m.Key.ObjectID, m.Key.Version
	}
	return []any{
		sql.Named("before", before), sql.Named("before_object", beforeObject), sql.Named("before_version", beforeVersion),
		sql.Named("tenant", q.Tenant), sql.Named("scopes", array(scopes)),
		sql.Named("clearance", q.Clearance.Rank()), sql.Named("roles", array(q.Roles)),
		sql.Named("unrestricted", q.Unrestricted),
		sql.Named("as_of", asOf), sql.Named("believed", believed), sql.Named("every", q.EveryVersion),
		sql.Named("objects", list(q.ObjectIDs)), sql.Named("object_end", text(q.ObjectEnd)), sql.Named("facts", list(q.FactIDs)), sql.Named("slots", list(z.both(q.Tenant, kindSlot, q.Slots))),
		sql.Named("subjects", list(z.both(q.Tenant, kindSubject, q.Subjects))), sql.Named("contents", list(contents)), sql.Named("session", text(q.Session)),
		sql.Named("types", list(q.Types)), sql.Named("sources", list(q.Sources)), sql.Named("derived_from", list(q.DerivedFrom)),
		sql.Named("displaced_by", list(q.DisplacedBy)), sql.Named("statuses", list(q.Statuses)),
		sql.Named("archived", q.Archived), sql.Named("origin", text(q.Origin)),
	}
}
