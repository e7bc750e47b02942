package storetest

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctx-mcp/ctx-mcp"
)

// prefixes: a prefix is kept under its whole key, one replaces another, and an empty one is not none.
func prefixes(t *testing.T, s Store) {
	ctx := context.Background()
	key := ctxmcp.PrefixKey{Tenant: "acme", Namespace: "user_ann:session_s", Digest: "d"}
	save := func(p ctxmcp.Prefix) {
		t.Helper()
		if err := s.SavePrefix(ctx, key, p, epoch); err != nil {
			t.Fatalf("SavePrefix: %v", err)
		}
	}
	want := func(key ctxmcp.PrefixKey, want *ctxmcp.Prefix) {
		t.Helper()
		got, err := s.FindPrefix(ctx, key)
		if err != nil {
			t.Fatalf("FindPrefix: %v", err)
		}
		if (got == nil) != (want == nil) || got != nil && len(got.Pins)+len(want.Pins) > 0 && !cmp.Equal(got, want) {
			t.Errorf("FindPrefix(%v) = %v, want %v", key, got, want)
		}
	}
	want(key, nil)
	save(ctxmcp.Prefix{Pins: []ctxmcp.PrefixPin{}})
	want(key, &ctxmcp.Prefix{})
	both := ctxmcp.Prefix{Pins: []ctxmcp.PrefixPin{{ObjectID: "b", Version: 2}, {ObjectID: "a", Version: 1}}}
	save(both)
	want(key, &both)
	for _, other := range []ctxmcp.PrefixKey{
		{Tenant: "evil", Namespace: key.Namespace, Digest: key.Digest}, {Tenant: key.Tenant, Namespace: "user_ann", Digest: key.Digest},
		{Tenant: key.Tenant, Namespace: key.Namespace, Digest: "e"},
	} {
		want(other, nil)
	}
}
