package artifacts_test

import (
	"context"
	"testing"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
)

// TestKeepOnce: the same content is one artifact in one place, under an id that is known beforehand, and another one elsewhere.
func TestKeepOnce(t *testing.T) {
	f := newFixture(t)
	ctx, d := context.Background(), artifacts.Draft{Content: "one\ntwo\n", Type: "history", Tool: "history"}
	first, err := f.KeepOnce(ctx, ann, here, d, artifacts.Original{})
	if err != nil {
		t.Fatal(err)
	}
	again, err := f.KeepOnce(ctx, ann, here, d, artifacts.Original{})
	if err != nil || again.ID != first.ID || first.ID != artifacts.OnceID(ann, here, d) {
		t.Errorf("KeepOnce again = %s, %v, want %s", again.ID, err, first.ID)
	}
	elsewhere := here
	elsewhere.Session = "another"
	other, err := f.KeepOnce(ctx, ann, elsewhere, d, artifacts.Original{})
	if err != nil || other.ID == first.ID {
		t.Errorf("KeepOnce elsewhere = %s, %v, want another id", other.ID, err)
	}
	text, err := f.Text(ctx, ann, here, first.ID)
	if err != nil || text != d.Content {
		t.Errorf("Text = %q, %v", text, err)
	}
	if _, err := f.Text(ctx, ann, here, other.ID); ctxmcp.CodeOf(err) != ctxmcp.CodeNotFound {
		t.Errorf("Text from another session = %v, want not_found", err)
	}
}

// TestMovedOutWithoutTheSession: an artifact that a conversation names is found by its id without the session, by its user alone, and not
// from another session or project; other artifacts are not.
func TestMovedOutWithoutTheSession(t *testing.T) {
	f := newFixture(t)
	ctx := context.Background()
	history, err := f.KeepOnce(ctx, ann, here, artifacts.Draft{Content: "one", Type: "history", Tool: "history"}, artifacts.Original{})
	if err != nil {
		t.Fatal(err)
	}
	report := f.put(t, here, artifacts.Draft{Content: "two", Type: "report"})
	bob := ctxmcp.Caller{Tenant: "acme", User: "bob", Clearance: ctxmcp.HighlyRestricted}
	for _, tt := range []struct {
		name string
		by   ctxmcp.Caller
		at   ctxmcp.Scope
		id   string
		gone bool
	}{
		{"no session", ann, ctxmcp.Scope{User: "ann", Project: "web"}, history.ID, false},
		{"nothing but the user", ann, ctxmcp.Scope{User: "ann"}, history.ID, false},
		{"another session", ann, ctxmcp.Scope{User: "ann", Project: "web", Session: "s9"}, history.ID, true},
		{"another project", ann, ctxmcp.Scope{User: "ann", Project: "app"}, history.ID, true},
		{"another user", bob, ctxmcp.Scope{User: "bob"}, history.ID, true},
		{"no user", bob, ctxmcp.Scope{}, history.ID, true},
		{"another kind", ann, ctxmcp.Scope{User: "ann", Project: "web"}, report.ID, true},
	} {
		if _, err := f.Text(ctx, tt.by, tt.at, tt.id); (err != nil) != tt.gone || tt.gone && ctxmcp.CodeOf(err) != ctxmcp.CodeNotFound {
			t.Errorf("%s: Text = %v, want not_found: %v", tt.name, err, tt.gone)
		}
	}
}

// TestHold: an artifact is not retired until the last hold on it ends.
func TestHold(t *testing.T) {
	f := newFixture(t)
	f.Options = artifacts.Options{Keep: 1, SweepAt: 2}
	first := f.put(t, here, artifacts.Draft{Content: "first"})
	if err := f.Hold(context.Background(), ann, "conversation", []string{first.ID}, f.now.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"second", "third", "fourth"} {
		f.now = f.now.Add(time.Minute)
		f.put(t, here, artifacts.Draft{Content: text})
	}
	f.sweep(t, false)
	if _, err := f.Find(context.Background(), ann, here, first.ID); err != nil {
		t.Errorf("what is held is gone: %v", err)
	}
	f.now = f.now.Add(2 * time.Hour)
	f.put(t, here, artifacts.Draft{Content: "fifth"})
	f.sweep(t, false)
	if _, err := f.Find(context.Background(), ann, here, first.ID); ctxmcp.CodeOf(err) != ctxmcp.CodeNotFound {
		t.Errorf("what is held no longer stays: %v", err)
	}
}
