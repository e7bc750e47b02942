package postgres

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
)

// connector makes connections that take the statements of the embedded store.
type connector struct {
	driver.Connector
	reading bool // each transaction reads one snapshot
	made    *live
}

func newConnector(base driver.Connector, reading bool) connector {
	return connector{base, reading, &live{}}
}

// Connect implements driver.Connector.
func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	base, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, unreachable{failure{err}}
	}
	made := base.(*stdlib.Conn)
	c.made.add(made.Conn().PgConn())
	return &conn{Conn: made, reading: c.reading}, nil
}

// Close implements io.Closer, for a pool that is closed.
func (c connector) Close() error {
	c.made.wait()
	return nil
}

// conn is a connection that translates.
type conn struct {
	*stdlib.Conn
	reading bool
	inTx    bool // a transaction is under way
}

// CheckNamedValue implements driver.NamedValueChecker: a value becomes one of the driver's kinds, whatever it is named.
func (c *conn) CheckNamedValue(v *driver.NamedValue) (err error) {
	v.Value, err = driver.DefaultParameterConverter.ConvertValue(v.Value)
	if text, ok := v.Value.(string); ok {
		v.Value = escape(text)
	}
	return err
}

// BeginTx implements driver.ConnBeginTx.
func (c *conn) BeginTx(ctx context.Context, o driver.TxOptions) (driver.Tx, error) {
	if c.reading {
		return c.beginReading(ctx)
	}
	tx, err := c.Conn.BeginTx(ctx, o)
	return transaction{tx}, failed(err)
}

// transaction translates the errors of a commit.
type transaction struct{ driver.Tx }

// Commit implements driver.Tx.
func (t transaction) Commit() error { return failed(t.Tx.Commit()) }

// QueryContext implements driver.QueryerContext. A read outside of a transaction has one of its own, which names the tenants.
func (c *conn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	if !c.reading || c.inTx {
		return c.query(ctx, query, args)
	}
	tx, err := c.beginReading(ctx)
	if err != nil {
		return nil, err
	}
	found, err := c.query(ctx, query, args)
	if err != nil {
		return nil, errors.Join(err, tx.Rollback())
	}
	return alone{found, tx}, nil
}

func (c *conn) query(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	s := translate(query)
	args, err := s.arguments(args)
	if err != nil {
		return nil, err
	}
	found, err := c.Conn.QueryContext(ctx, s.text, args)
	if err != nil {
		return nil, failed(err)
	}
	return rows{found}, nil
}

// ExecContext implements driver.ExecerContext.
func (c *conn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	s := translate(query)
	args, err := s.arguments(args)
	if err != nil {
		return nil, err
	}
	r, err := c.Conn.ExecContext(ctx, s.text, args)
	return r, failed(err)
}

// arguments returns the arguments in the order of the parameters. Arguments that no parameter names are left out.
func (s statement) arguments(args []driver.NamedValue) ([]driver.NamedValue, error) {
	by := make(map[string]driver.Value, len(args))
	for _, a := range args {
		if a.Name == "" {
			a.Name = strconv.Itoa(a.Ordinal)
		}
		by[a.Name] = a.Value
	}
	ordered := make([]driver.NamedValue, len(s.args))
	for i, name := range s.args {
		v, given := by[name]
		if !given {
			return nil, fmt.Errorf("the statement has no argument %s", name)
		}
		ordered[i] = driver.NamedValue{Ordinal: i + 1, Value: v}
	}
	return ordered, nil
}

// mark begins a byte that a column of text cannot hold, written as two hexadecimal digits.
const mark = "\x01"

// escape returns a text as a column keeps it, which holds UTF-8 without the byte 0.
func escape(text string) string {
	if utf8.ValidString(text) && !strings.ContainsAny(text, "\x00"+mark) {
		return text
	}
	var b strings.Builder
	for i, r := range text { // r is utf8.RuneError for one byte that is no UTF-8
		_, width := utf8.DecodeRuneInString(text[i:])
		if r == 0 || r == 1 || r == utf8.RuneError && width == 1 {
			fmt.Fprintf(&b, mark+"%02x", text[i])
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// unescape returns the text that escape was given.
func unescape(text string) string {
	before, rest, found := strings.Cut(text, mark)
	if !found {
		return text
	}
	b := []byte(before)
	for found {
		digits := rest[:min(2, len(rest))]
		n, err := strconv.ParseUint(digits, 16, 8)
		if err != nil { // nothing that escape wrote
			return text
		}
		b = append(b, byte(n))
		before, rest, found = strings.Cut(rest[2:], mark)
		b = append(b, before...)
	}
	return string(b)
}

// rows tells true and false as 1 and 0, as the embedded store does, and texts as they were written.
type rows struct{ driver.Rows }

// Next implements driver.Rows.
func (r rows) Next(values []driver.Value) error {
	if err := r.Rows.Next(values); err != nil {
		if err == io.EOF {
			return err
		}
		return failed(err)
	}
	for i, v := range values {
		switch v := v.(type) {
		case bool:
			values[i] = map[bool]int64{true: 1}[v]
		case string:
			values[i] = unescape(v)
		}
	}
	return nil
}

// failure is an error of the server or of the way to it.
type failure struct{ error }

// Unwrap returns the error of the driver.
func (f failure) Unwrap() error { return f.error }

// Down reports whether the server cannot be used at the moment. The classes are those of PostgreSQL's appendix A: 08 is the connection, 25P03 a
// transaction that waited for its client for too long, 40 one that gave way to another, 53 a lack of resources, 55P03 a lock that was held for too long,
// 57 an operator: a shutdown, or a statement that took longer than the role may; 25006 a server that only reads, 58 the system below.
func (f failure) Down() bool {
	e, ok := errors.AsType[*pgconn.PgError](f.error)
	if !ok {
		return true // no answer of the server
	}
	for _, class := range []string{"08", "25P03", "40", "53", "55P03", "57", "25006", "58"} {
		if strings.HasPrefix(e.Code, class) {
			return true
		}
	}
	return false
}

// unreachable is a failure to connect, such as for a password that was changed: whatever the server said, no statement was at fault.
type unreachable struct{ failure }

// Down reports that the server cannot be used.
func (unreachable) Down() bool { return true }

// failed returns err as a failure, but for the errors that database/sql knows and those of a caller who has gone.
func failed(err error) error {
	switch {
	case err == nil, errors.Is(err, driver.ErrBadConn), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	}
	return failure{err}
}
