package postgres

import (
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/jackc/pgx/v5/pgconn"
)

// FuzzEscape: every string comes back, two strings never become one, and a column of text can hold it.
func FuzzEscape(f *testing.F) {
	for _, s := range []string{"", "plain", "a\x00b", "\x01", "\x0100", "\xff\xfe", "é\x01\x00\xc3", "�"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		kept := escape(s)
		if !utf8.ValidString(kept) || strings.Contains(kept, "\x00") {
			t.Errorf("escape(%q) = %q, which a column cannot hold", s, kept)
		}
		if back := unescape(kept); back != s {
			t.Errorf("unescape(escape(%q)) = %q", s, back)
		}
	})
}

func TestTranslate(t *testing.T) {
	for _, c := range []struct{ from, want, args string }{
		{`SELECT user FROM replays WHERE user = ? AND name = ?`, `SELECT "user" FROM replays WHERE "user" = $1 AND name = $2`, "1 2"},
		{`SELECT ?2, ?1, 'a ? :b user'`, `SELECT $1, $2, 'a ? :b user'`, "2 1"},
		{`WHERE :user IS NULL OR p.user = :user`, `WHERE $1 IS NULL OR p."user" = $1`, "user"},
		{`FROM json_each(:scopes) AS k CROSS JOIN versions AS v NOT INDEXED`, `FROM numbers_of($1) AS k CROSS JOIN versions AS v`, "scopes"},
		{`FROM x AS v INDEXED BY some_index, json_each(v.allow_roles) AS a`, `FROM x AS v, list_of(v.allow_roles) AS a`, ""},
		{`t.state ->> '$.home.project' <> k.value ->> 'seen'`, `text_at(t.state, 'home', 'project') <> text_at(k.value, 'seen')::bigint`, ""},
		{`SET erased = 1 WHERE p.erased = 1 AND packets.erased = 0`, `SET erased = true WHERE p.erased AND NOT packets.erased`, ""},
		{"\nINSERT INTO search (rowid, terms)\nVALUES (?, ?)\n", `SELECT $1::bigint, $2::text`, "1 2"},
	} {
		got := translate(c.from)
		if got.text != c.want || strings.Join(got.args, " ") != c.args {
			t.Errorf("translate(%q) = %q with %q, want %q with %q", c.from, got.text, got.args, c.want, c.args)
		}
	}
}

func TestArgumentsInTheirOrder(t *testing.T) {
	s := translate(`SELECT :b, :a, :b`)
	got, err := s.arguments([]driver.NamedValue{{Name: "a", Ordinal: 1, Value: "A"}, {Name: "b", Ordinal: 2, Value: "B"}, {Name: "c", Ordinal: 3, Value: "C"}})
	if err != nil || len(got) != 2 || got[0].Value != "B" || got[1].Value != "A" || s.text != `SELECT $1, $2, $1` {
		t.Errorf("arguments = %v, %v, want B, A", got, err)
	}
	if _, err := s.arguments(got[:1]); err == nil {
		t.Error("arguments without b: no error")
	}
}

// A server that is away is told from a statement that is wrong.
func TestDown(t *testing.T) {
	for code, want := range map[string]bool{"08006": true, "57P01": true, "53300": true, "40P01": true, "57014": true, "42601": false, "23505": false} {
		if got := (failure{&pgconn.PgError{Code: code}}).Down(); got != want {
			t.Errorf("Down of %s = %v, want %v", code, got, want)
		}
	}
	if !(failure{errors.New("connection refused")}).Down() {
		t.Error("Down without an answer = false, want true")
	}
	refused := error(unreachable{failure{&pgconn.PgError{Code: "28P01"}}})
	var down interface{ Down() bool }
	if !errors.As(fmt.Errorf("search: %w", refused), &down) || !down.Down() {
		t.Error("Down of a refused password = false, want true")
	}
}

// An address in a message has no password.
func TestName(t *testing.T) {
	for address, want := range map[string]string{
		"postgres://ann:secret@db:5432/ctx?sslmode=require&password=other": "postgres://ann@db:5432/ctx",
		"postgres:///ctx?host=here":                                        "postgres:///ctx",
		"postgres://%zz:secret@db":                                         "the PostgreSQL database",
	} {
		if got := Name(address); got != want {
			t.Errorf("Name(%q) = %q, want %q", address, got, want)
		}
	}
}
