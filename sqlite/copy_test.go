package sqlite

import (
	"log/slog"
	"testing"

	"github.com/ctx-mcp/ctx-mcp"
)

// TestEveryTableMovesOrSaysWhyNot: a table that is new is copied too, or named with the reason.
func TestEveryTableMovesOrSaysWhyNot(t *testing.T) {
	s := openStore(t, t.TempDir())
	rows, err := s.reads.Query(`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'search_%'`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	n := 0
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			t.Fatal(err)
		}
		if moves, left := Moves(name); moves == (left != "") {
			t.Errorf("the table %s moves: %v; it is left for the reason %q", name, moves, left)
		}
		n++
	}
	if err := rows.Err(); err != nil || n == 0 {
		t.Fatalf("%d tables, %v", n, err)
	}
}

// TestClaim: a store that is open elsewhere cannot be claimed, and one that is claimed cannot be opened.
func TestClaim(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir)
	other, err := Open(t.Context(), dir, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Claim(t.Context()); ctxmcp.CodeOf(err) != ctxmcp.CodeConflict {
		t.Errorf("Claim beside another user = %v, want conflict", err)
	}
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	release, err := s.Claim(t.Context())
	if err != nil {
		t.Fatalf("Claim = %v", err)
	}
	if _, err := Open(t.Context(), dir, slog.New(slog.DiscardHandler)); ctxmcp.CodeOf(err) != ctxmcp.CodeUnavailable {
		t.Errorf("Open of a claimed store = %v, want unavailable", err)
	}
	if err := release(); err != nil {
		t.Fatal(err)
	}
	openStore(t, dir)
}
