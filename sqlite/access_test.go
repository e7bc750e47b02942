package sqlite

import (
	"fmt"
	"testing"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/serve/access"
	"github.com/ctx-mcp/ctx-mcp/storetest"
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
	storetest.Race(t, racers, 1, ctxmcp.CodeConflict, func(i int) error {
		s := stores[i%len(stores)]
		own := access.Token{ID: fmt.Sprintf("own%d", i), Created: made}
		if err := s.SaveToken(t.Context(), own); err != nil {
			t.Errorf("SaveToken(%s): %v", own.ID, err)
		}
		return s.SaveToken(t.Context(), access.Token{ID: "shared", Created: made})
	})
	if all, err := stores[0].ListTokens(t.Context()); len(all) != racers+1 || err != nil {
		t.Errorf("%d tokens are there, %v, want %d", len(all), err, racers+1)
	}
}
