package sqlite

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/serve/access"
)

var made = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

// TestTokensOfTwoProcesses: a token that one process creates or revokes is valid or invalid in the other at once.
func TestTokensOfTwoProcesses(t *testing.T) {
	dir := t.TempDir()
	one, two := openStore(t, dir), openStore(t, dir)
	if err := one.SaveToken(t.Context(), access.Token{ID: "aaaaaaaaaa", Created: made}); err != nil {
		t.Fatal(err)
	}
	for _, revoked := range []time.Time{{}, made.Add(time.Hour)} {
		if !revoked.IsZero() {
			if err := one.RevokeToken(t.Context(), "aaaaaaaaaa", revoked); err != nil {
				t.Fatal(err)
			}
		}
		got, err := two.FindToken(t.Context(), "aaaaaaaaaa")
		if err != nil || !got.Revoked.Equal(revoked) {
			t.Errorf("FindToken = %+v, %v, want one revoked at %v", got, err, revoked)
		}
	}
}

// TestRacingTokens: of many who save one id, through two processes, one wins and nobody else's token is lost.
func TestRacingTokens(t *testing.T) {
	dir := t.TempDir()
	stores := []*Store{openStore(t, dir), openStore(t, dir)}
	const racers = 16
	results := make([]error, racers)
	var wg sync.WaitGroup
	for i := range racers {
		wg.Go(func() {
			s := stores[i%len(stores)]
			own := access.Token{ID: fmt.Sprintf("own%d", i), Created: made}
			if err := s.SaveToken(t.Context(), own); err != nil {
				t.Errorf("SaveToken(%s): %v", own.ID, err)
			}
			results[i] = s.SaveToken(t.Context(), access.Token{ID: "shared", Created: made})
		})
	}
	wg.Wait()
	won := 0
	for _, err := range results {
		switch {
		case err == nil:
			won++
		case ctxmcp.CodeOf(err) != ctxmcp.CodeConflict:
			t.Errorf("a racer got %v, want a conflict", err)
		}
	}
	if all, err := stores[0].ListTokens(t.Context()); won != 1 || len(all) != racers+1 || err != nil {
		t.Errorf("%d racers won and %d tokens are there, %v, want 1 and %d", won, len(all), err, racers+1)
	}
}
