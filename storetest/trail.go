package storetest

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
	audit "github.com/ctx-mcp/ctx-mcp/trail"
)

// trailQueries: every way to ask for lines of the audit trail brings the lines that Match selects, the latest first.
func trailQueries(t *testing.T, s Store) {
	var all []audit.Entry
	for i, action := range []string{"remember.stored", "review.conflict", "forget.retire", "remember", "remembered.x", "remember.stored"} {
		e := ctxmcp.Event{At: day(i), Tenant: "acme", User: []string{"ann", "ann", "bob"}[i%3], Action: action, ObjectID: []string{"a", "a b", "ab"}[i%3], Detail: "d"}
		apply(t, s, memory.Change{Audit: []memory.Event{e}})
		all = append(all, audit.Entry{Event: e})
	}
	whole := events(t, s, audit.Query{Tenant: "acme", User: "ann", Limit: 99})
	for _, action := range []string{"", "remember", "remember.stored", "review", "rem", "review.", "forget"} {
		for _, object := range []string{"", "a", "b", "ab", "a b"} {
			for _, from := range []time.Time{{}, day(1), day(3)} {
				for _, user := range []string{"ann", "bob", ""} {
					q := audit.Query{Tenant: "acme", User: user, Action: action, Object: object, From: from, Limit: 2}
					wantEvents(t, s, q, all)
					q.Until, q.Limit = day(4), 99
					wantEvents(t, s, q, all)
				}
			}
		}
	}
	if len(whole) != 4 {
		t.Fatalf("ann has %d lines, want 4", len(whole))
	}
	page := audit.Query{Tenant: "acme", User: "ann", Before: whole[1].Seq, Limit: 9}
	if diff := cmp.Diff(whole[2:], events(t, s, page)); diff != "" {
		t.Errorf("the page behind the second line differs (-want +got):\n%s", diff)
	}
}

func events(t *testing.T, s Store, q audit.Query) []audit.Entry {
	t.Helper()
	found, err := s.Events(context.Background(), q)
	if err != nil {
		t.Fatalf("Events: %v", err)
	}
	return found
}

func wantEvents(t *testing.T, s Store, q audit.Query, all []audit.Entry) {
	t.Helper()
	var want, got []ctxmcp.Event
	for _, e := range slices.Backward(all) {
		if q.Match(e) && len(want) < q.Limit {
			want = append(want, e.Event)
		}
	}
	for _, e := range events(t, s, q) {
		got = append(got, e.Event)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Events(%+v) differs (-want +got):\n%s", q, diff)
	}
}
