package storetest

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/serve/access"
)

// token returns a token of ann's, made at the epoch, with every field set but Revoked.
func token(id string) access.Token {
	t := access.Token{
		ID: id, Name: "Ann's laptop — 日本語 \"quoted\"", Created: epoch, Expires: day(90),
		Caller: ctxmcp.Caller{
			Tenant: "acme", User: "ann", Roles: []string{"ops", "dev", "ops.night"}, Projects: []string{"web", "api"},
			Clearance: ctxmcp.Confidential, Authority: ctxmcp.AuthorityDeveloper,
		},
	}
	for i := range t.Digest {
		t.Digest[i] = byte(255 - i)
	}
	return t
}

// tokenRoundTrip: a store gives back every field as it was given, the roles and projects in their order.
func tokenRoundTrip(t *testing.T, s Store) {
	full, bare, gone := token("aaaaaaaaaa"), token("bbbbbbbbbb"), token("cccccccccc")
	bare.Name, bare.Expires = "", time.Time{}
	bare.Caller = ctxmcp.Caller{Tenant: "acme", User: "ann", Clearance: ctxmcp.Public, Authority: ctxmcp.AuthorityPlatform}
	gone.Revoked = day(1)
	for _, want := range []access.Token{full, bare, gone} {
		save(t, s, want)
		wantToken(t, s, want)
	}
}

// tokenOrder: tokens are listed by when they were made, then by id.
func tokenOrder(t *testing.T, s Store) {
	wantTokens(t, s)
	late, b, a := token("aaaaaaaaaa"), token("cccccccccc"), token("bbbbbbbbbb")
	late.Created = epoch.Add(time.Microsecond)
	for _, tok := range []access.Token{late, b, a} {
		save(t, s, tok)
	}
	wantTokens(t, s, a, b, late)
}

// tokenConflict: an id is given out once, and the first holder keeps it, even after its end.
func tokenConflict(t *testing.T, s Store) {
	first, second := token("aaaaaaaaaa"), token("aaaaaaaaaa")
	second.Caller.User, second.Digest = "bob", [32]byte{1}
	save(t, s, first)
	for range 2 {
		if err := s.SaveToken(context.Background(), second); ctxmcp.CodeOf(err) != ctxmcp.CodeConflict {
			t.Errorf("SaveToken of an id that is taken = %v, want a conflict", err)
		}
		wantTokens(t, s, first)
		first.Revoked = day(1)
		revoke(t, s, first.ID, first.Revoked)
	}
}

// tokenUnknown: a text that is no id finds nothing, even if some collation or pattern could match it to one.
func tokenUnknown(t *testing.T, s Store) {
	save(t, s, token("aaaaaaaaaa"))
	for _, id := range []string{"", "bbbbbbbbbb", "AAAAAAAAAA", "aaaaaaaaa", "aaaaaaaaaa ", "%", "a*", "aaaaaaaaaa\x00", "' OR 1 --"} {
		if got, err := s.FindToken(context.Background(), id); got != nil || ctxmcp.CodeOf(err) != ctxmcp.CodeNotFound {
			t.Errorf("FindToken(%q) = %v, %v, want not_found", id, got, err)
		}
		if err := s.RevokeToken(context.Background(), id, day(1)); ctxmcp.CodeOf(err) != ctxmcp.CodeNotFound {
			t.Errorf("RevokeToken(%q) = %v, want not_found", id, err)
		}
	}
	wantTokens(t, s, token("aaaaaaaaaa"))
}

// tokenRevocation: it ends one token, at once, and keeps its first instant.
func tokenRevocation(t *testing.T, s Store) {
	a, b := token("aaaaaaaaaa"), token("bbbbbbbbbb")
	save(t, s, a)
	save(t, s, b)
	a.Revoked = day(2)
	for _, n := range []int{2, 1, 3} {
		revoke(t, s, a.ID, day(n))
		wantToken(t, s, a)
	}
	wantTokens(t, s, a, b)
}

func save(t *testing.T, s access.Store, tok access.Token) {
	t.Helper()
	if err := s.SaveToken(context.Background(), tok); err != nil {
		t.Fatalf("SaveToken: %v", err)
	}
}

func revoke(t *testing.T, s access.Store, id string, at time.Time) {
	t.Helper()
	if err := s.RevokeToken(context.Background(), id, at); err != nil {
		t.Fatalf("RevokeToken: %v", err)
	}
}

func wantToken(t *testing.T, s access.Store, want access.Token) {
	t.Helper()
	got, err := s.FindToken(context.Background(), want.ID)
	if err != nil {
		t.Fatalf("FindToken: %v", err)
	}
	if diff := cmp.Diff(&want, got); diff != "" {
		t.Errorf("FindToken differs (-want +got):\n%s", diff)
	}
}

func wantTokens(t *testing.T, s access.Store, want ...access.Token) {
	t.Helper()
	got, err := s.ListTokens(context.Background())
	if err != nil {
		t.Fatalf("ListTokens: %v", err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("ListTokens differs (-want +got):\n%s", diff)
	}
}
