package trail_test

import (
	"context"
	"testing"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/trail"
)

var noon = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

var line = trail.Entry{Seq: 7, Event: ctxmcp.Event{At: noon, Tenant: "acme", User: "ann", Action: "review.conflict", ObjectID: "a b", Detail: "a"}}

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		name string
		q    trail.Query
		want bool
	}{
		{"everything of hers", trail.Query{}, true},
		{"the whole action", trail.Query{Action: "review.conflict"}, true},
		{"the family of the action", trail.Query{Action: "review"}, true},
		{"the beginning of a word", trail.Query{Action: "rev"}, false},
		{"another action of the family", trail.Query{Action: "review.entity"}, false},
		{"the second object", trail.Query{Object: "b"}, true},
		{"a part of the objects", trail.Query{Object: "a "}, false},
		{"from that instant on", trail.Query{From: noon}, true},
		{"until that instant", trail.Query{Until: noon}, false},
		{"the page behind it", trail.Query{Before: 7}, false},
	} {
		c.q.Tenant, c.q.User = "acme", "ann"
		if got := c.q.Match(line); got != c.want {
			t.Errorf("%s: Match = %v, want %v", c.name, got, c.want)
		}
	}
	for _, q := range []trail.Query{{Tenant: "acme", User: "bob"}, {Tenant: "globex", User: "ann"}, {Tenant: "acme"}} {
		if q.Match(line) {
			t.Errorf("%+v selects a line of ann of acme", q)
		}
	}
}

// wrong is a store that answers with a line of ann's, whoever asks.
type wrong struct{}

func (wrong) Events(context.Context, trail.Query) ([]trail.Entry, error) {
	return []trail.Entry{line}, nil
}

// TestList: whoever asks gets lines of their own, and a store that is wrong is a fault.
func TestList(t *testing.T) {
	s := trail.Service{Store: wrong{}}
	ask := trail.Query{Tenant: "acme", User: "ann", Limit: 9}
	if got, err := s.List(t.Context(), ctxmcp.Caller{Tenant: "acme", User: "ann"}, ask); err != nil || len(got) != 1 {
		t.Errorf("List for ann = %v, %v", got, err)
	}
	if got, err := s.List(t.Context(), ctxmcp.Caller{Tenant: "acme", User: "bob"}, ask); err == nil {
		t.Errorf("List for bob = %v, want a fault", got)
	}
	if got, err := s.List(t.Context(), ctxmcp.Caller{Tenant: "acme"}, ask); err != nil || got != nil {
		t.Errorf("List for nobody = %v, %v", got, err)
	}
	if _, err := s.List(t.Context(), ctxmcp.Caller{Tenant: "acme", User: "ann"}, trail.Query{}); ctxmcp.CodeOf(err) != ctxmcp.CodeInvalid {
		t.Errorf("List without a limit: %v", err)
	}
}
