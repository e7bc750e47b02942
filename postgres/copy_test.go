package postgres

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/sqlite"
)

// TestCopyCutOff: a copy that is cut off again and again goes on where it was, in both directions; until its end the target says that it is unfinished,
// and another source is refused.
func TestCopyCutOff(t *testing.T) {
	needServer(t)
	file, err := sqlite.Open(t.Context(), t.TempDir(), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for i := range 1700 {
		e := ctxmcp.Prefix{}
		key := ctxmcp.PrefixKey{Tenant: "acme", Namespace: fmt.Sprint("n", i), Digest: "d"}
		if err := file.SavePrefix(t.Context(), key, e, time.Unix(int64(i), 0)); err != nil {
			t.Fatal(err)
		}
	}
	base := openStore(t, server.Empty(t))
	back, err := sqlite.Open(t.Context(), t.TempDir(), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer back.Close()
	for _, way := range []struct{ from, to *sqlite.Store }{{file, base}, {base, back}} {
		cuts := 0
		for last := 0; ; {
			ctx, cut := context.WithCancel(t.Context())
			_, err := sqlite.Copy(ctx, way.from, way.to, func(done, total int) {
				if done <= last || done > total {
					t.Errorf("%d of %d rows are there after %d", done, total, last)
				}
				last = done
				cut()
			})
			cut()
			if err == nil {
				break
			}
			if !errors.Is(err, context.Canceled) {
				t.Fatalf("Copy = %v", err)
			}
			if source, err := way.to.Unfinished(t.Context()); source == "" || err != nil {
				t.Fatalf("after a cut Unfinished = %q, %v", source, err)
			}
			if _, err := sqlite.Copy(t.Context(), way.to, way.to, func(int, int) {}); ctxmcp.CodeOf(err) != ctxmcp.CodeConflict {
				t.Errorf("Copy from another source = %v, want conflict", err)
			}
			if cuts++; cuts > 10 {
				t.Fatal("the copy does not get on")
			}
		}
		if cuts < 3 {
			t.Errorf("the copy was cut off %d times, want 3 or more", cuts)
		}
		if source, err := way.to.Unfinished(t.Context()); source != "" || err != nil {
			t.Errorf("at the end Unfinished = %q, %v", source, err)
		}
	}
	if p, err := back.FindPrefix(t.Context(), ctxmcp.PrefixKey{Tenant: "acme", Namespace: "n1699", Digest: "d"}); p == nil || err != nil {
		t.Errorf("after both ways the last row is %v, %v", p, err)
	}
}

// TestEveryTableMovesOrSaysWhyNot: a table of PostgreSQL's schema that is new is copied too, or named with the reason.
func TestEveryTableMovesOrSaysWhyNot(t *testing.T) {
	needServer(t)
	address := server.Empty(t)
	openStore(t, address)
	c, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(t.Context())
	rows, err := c.Query(t.Context(), `SELECT table_name::text FROM information_schema.tables WHERE table_schema = current_schema()`)
	if err != nil {
		t.Fatal(err)
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil || len(names) == 0 {
		t.Fatalf("the tables are %v, %v", names, err)
	}
	for _, name := range names {
		if moves, left := sqlite.Moves(name); moves == (left != "") {
			t.Errorf("the table %s moves: %v; it is left for the reason %q", name, moves, left)
		}
	}
}

// TestClaim: a database whose upkeep a server does cannot be claimed; afterwards it can, by one at a time.
func TestClaim(t *testing.T) {
	needServer(t)
	address := server.Empty(t)
	serving, moving := openStore(t, address), openStore(t, address)
	ctx, stop := context.WithCancel(t.Context())
	began, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		serving.Alone(ctx, sqlite.Upkeep, func(ctx context.Context) { close(began); <-ctx.Done() })
	}()
	<-began
	if _, err := moving.Claim(t.Context()); ctxmcp.CodeOf(err) != ctxmcp.CodeConflict {
		t.Errorf("Claim beside a server = %v, want conflict", err)
	}
	stop()
	<-ended
	release, err := moving.Claim(t.Context())
	if err != nil {
		t.Fatalf("Claim = %v", err)
	}
	if _, err := serving.Claim(t.Context()); ctxmcp.CodeOf(err) != ctxmcp.CodeConflict {
		t.Errorf("a second Claim = %v, want conflict", err)
	}
	if err := release(); err != nil {
		t.Error(err)
	}
}
