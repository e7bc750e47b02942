package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/config"
	"github.com/ctx-mcp/ctx-mcp/sqlite"
)

// storeOfPrefixes returns a data directory with n rows.
func storeOfPrefixes(t *testing.T, n int) string {
	t.Helper()
	dir := t.TempDir()
	s, err := sqlite.Open(t.Context(), dir, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		key := ctxmcp.PrefixKey{Tenant: "acme", Namespace: strings.Repeat("n", i+1), Digest: "d"}
		if err := s.SavePrefix(t.Context(), key, ctxmcp.Prefix{}, time.Unix(int64(i), 0)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestMigrateStopped: a copy that is stopped leaves a target that nothing opens, and the same command ends it.
func TestMigrateStopped(t *testing.T) {
	from, to := storeOfPrefixes(t, 600), t.TempDir()
	clock := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	var out, said bytes.Buffer
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	sys := &system{out: &out, err: &said, getenv: func(string) string { return "" }, random: strings.NewReader(strings.Repeat("x", 1<<12)), watched: always}
	sys.now = func() time.Time { // the second look at the clock is that of the first group of rows
		clock = clock.Add(time.Minute)
		return clock
	}
	m := move{from: placeSQLite + from, to: placeSQLite + to, asJSON: true}
	stopping := *sys
	stopping.err = writerFunc(func(p []byte) (int, error) { stop(); return said.Write(p) }) // at the first line of the progress
	if err := m.rows(ctx, &stopping, config.New()); !errors.Is(err, context.Canceled) {
		t.Fatalf("a stopped migrate = %v", err)
	}
	if text := said.String(); !strings.Contains(text, "copied 500 of 600 rows, ") || !strings.Contains(text, " left") {
		t.Errorf("it said %q", text)
	}
	c := config.New()
	c.DataDir = to
	if _, err := openStore(t.Context(), c, slog.New(slog.DiscardHandler)); ctxmcp.CodeOf(err) != ctxmcp.CodeUnavailable {
		t.Errorf("openStore of a half filled one = %v, want unavailable", err)
	}
	out.Reset()
	if err := m.rows(t.Context(), sys, config.New()); err != nil {
		t.Fatalf("the second run: %v", err)
	}
	var r movedReport
	if err := json.Unmarshal(out.Bytes(), &r); err != nil || r.Rows != 600 || r.Have != 500 || r.Log != nil || len(r.Tables) == 0 {
		t.Errorf("the report is %+v, %v", r, err)
	}
	s, err := openStore(t.Context(), c, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// writerFunc is a Writer.
type writerFunc func([]byte) (int, error)

// Write implements io.Writer.
func (f writerFunc) Write(p []byte) (int, error) { return f(p) }
