package tasks_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
	"github.com/ctx-mcp/ctx-mcp/artifacts/blobs"
	"github.com/ctx-mcp/ctx-mcp/redact"
	"github.com/ctx-mcp/ctx-mcp/storetest/inmem"
	"github.com/ctx-mcp/ctx-mcp/tasks"
	"github.com/ctx-mcp/ctx-mcp/tokens"
)

var (
	ann  = ctxmcp.Caller{Tenant: "acme", User: "ann", Clearance: ctxmcp.HighlyRestricted}
	here = ctxmcp.Scope{User: "ann", Project: "web"}
)

type fixture struct {
	*tasks.Service
	artifacts *artifacts.Service
	count     int
	mu        sync.Mutex
}

func newFixture(t testing.TB) *fixture {
	t.Helper()
	kept, err := blobs.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	f, store, r := &fixture{}, &inmem.Store{}, redact.New([]byte("key"))
	now := func() time.Time { return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC) }
	hide := r.Func()
	f.artifacts = &artifacts.Service{
		Index: store, Keeper: store, Blobs: kept, Counter: tokens.Approximate{}, Redact: hide, Now: now, Logger: slog.New(slog.DiscardHandler),
		NewID: func() string { f.mu.Lock(); defer f.mu.Unlock(); f.count++; return fmt.Sprintf("%012d", f.count) },
	}
	f.Service = &tasks.Service{Store: store, Artifacts: f.artifacts, Counter: tokens.Approximate{}, Redact: hide, Now: now}
	f.artifacts.Lineage = f.Service
	return f
}

func (f *fixture) put(t testing.TB, task, content string) string {
	t.Helper()
	kept, err := f.artifacts.Put(context.Background(), ann, here, artifacts.Draft{Content: content, Type: "results", Summary: "some results", Task: task})
	if err != nil {
		t.Fatalf("Put: %v", err)
	}
	return kept.Artifact.ID
}

func (f *fixture) save(t testing.TB, d tasks.Draft) tasks.View {
	t.Helper()
	v, err := f.Save(context.Background(), ann, here, d)
	if err != nil {
		t.Fatalf("Save: %v", err)
	}
	return v
}

func (f *fixture) declare(t testing.TB, ask tasks.Ask) tasks.Declared {
	t.Helper()
	d, err := f.Declare(context.Background(), ann, here, ask)
	if err != nil {
		t.Fatalf("Declare(%+v): %v", ask, err)
	}
	return d
}

func version(n int) *int { return &n }

// TestVersions: every save is a version, what is left out stays, and artifacts add up.
func TestVersions(t *testing.T) {
	f := newFixture(t)
	a, b := f.put(t, "", "[1]"), f.put(t, "", "[2]")
	f.save(t, tasks.Draft{ID: "t", Summary: "first", Producer: "searcher", ArtifactIDs: []string{a}, Metadata: map[string]json.RawMessage{"n": json.RawMessage("1")}})
	v := f.save(t, tasks.Draft{ID: "t", Summary: "second", ArtifactIDs: []string{b, a}, Expected: version(1)})
	if v.Version != 2 || v.Summary != "second" || v.Producer != "searcher" || string(v.Metadata["n"]) != "1" {
		t.Errorf("Save = %+v", v.State)
	}
	if diff := cmp.Diff([]string{a, b}, v.Artifacts); diff != "" {
		t.Errorf("artifacts differ (-want +got):\n%s", diff)
	}
	_, err := f.Save(context.Background(), ann, here, tasks.Draft{ID: "t", Expected: version(1)})
	if ctxmcp.CodeOf(err) != ctxmcp.CodeConflict || !strings.Contains(err.Error(), "version 2") {
		t.Errorf("Save over a newer version = %v, want a conflict that names 2", err)
	}
	if _, err := f.Save(context.Background(), ann, here, tasks.Draft{ID: "new", Expected: version(1)}); ctxmcp.CodeOf(err) != ctxmcp.CodeConflict {
		t.Errorf("Save of a new task that is expected to exist = %v, want a conflict", err)
	}
	got, err := f.Get(context.Background(), ann, here, "t")
	if err != nil || got.Version != 2 || !strings.Contains(got.Summaries(), "[ref: "+b+"]") {
		t.Errorf("Get = %+v, %v", got, err)
	}
}

// TestRacingSavers: none of those who expect no version is lost.
func TestRacingSavers(t *testing.T) {
	f := newFixture(t)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			if _, err := f.Save(context.Background(), ann, here, tasks.Draft{ID: "t", Summary: fmt.Sprint(i)}); err != nil {
				t.Errorf("Save: %v", err)
			}
		})
	}
	wg.Wait()
	if v, err := f.Get(context.Background(), ann, here, "t"); err != nil || v.Version != 8 {
		t.Errorf("Get = version %d, %v, want 8", v.Version, err)
	}
}

const search = `{"market_size": "$832B", "cagr": 18.4, "items": [{"url": "u0"}, {"title": "x"}, {"url": "u2"}], "nested": {"a": 1}}`

func TestDeclare(t *testing.T) {
	f := newFixture(t)
	first := f.put(t, "", search)
	second := f.put(t, "", `[{"author": "ann"}, {"author": "bob", "cagr": 0}]`)
	text := f.put(t, "", "plain words")
	lines := f.put(t, "", "{\"row\": 1}\n{\"row\": 2, \"late\": true}\n")
	f.save(t, tasks.Draft{ID: "t", ArtifactIDs: []string{text, first, second, lines}})
	for range 2 { // the second time from the cache
		d := f.declare(t, tasks.Ask{ID: "t", Fields: []string{"market_size", "cagr", "items[*].url", "$.nested.a", "author", "late", "none", "_raw"}})
		want := map[string]tasks.Field{
			"market_size":  {Value: json.RawMessage(`"$832B"`), Artifact: first, Path: "$['market_size']"},
			"cagr":         {Value: json.RawMessage(`0`), Artifact: second, Path: "$[1]['cagr']"}, // of the newest that has it
			"items[*].url": {Value: json.RawMessage(`["u0","u2"]`), Artifact: first, Path: "$['items'][0]['url']"},
			"$.nested.a":   {Value: json.RawMessage(`1`), Artifact: first, Path: "$['nested']['a']"},
			"author":       {Value: json.RawMessage(`"ann"`), Artifact: second, Path: "$[0]['author']"},
			"late":         {Value: json.RawMessage(`true`), Artifact: lines, Path: "$[1]['late']"},
			"_raw":         {Value: json.RawMessage(`"plain words"`), Artifact: text, Path: "$"},
		}
		if diff := cmp.Diff(want, d.Fields); diff != "" {
			t.Errorf("fields differ (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff([]string{"none"}, d.Missing); diff != "" {
			t.Errorf("missing differs (-want +got):\n%s", diff)
		}
	}
	if d := f.declare(t, tasks.Ask{ID: "t", Fields: []string{"cagr"}, ArtifactIDs: []string{second}}); string(d.Fields["cagr"].Value) != "0" {
		t.Errorf("cagr of the second = %+v", d.Fields)
	}
	d := f.declare(t, tasks.Ask{ID: "t", Fields: []string{"items", "cagr"}, MaxTokens: 8})
	if d.Tokens > 8 || len(d.Omitted) != 1 || d.Fields["cagr"].Value == nil {
		t.Errorf("within 8 tokens: %+v", d)
	}
}

func TestDeclareRefuses(t *testing.T) {
	f := newFixture(t)
	f.save(t, tasks.Draft{ID: "t"})
	for _, tt := range []struct {
		ask  tasks.Ask
		want ctxmcp.Code
	}{
		{tasks.Ask{ID: "t"}, ctxmcp.CodeInvalid},
		{tasks.Ask{ID: "t", Fields: []string{"$["}}, ctxmcp.CodeInvalid},
		{tasks.Ask{ID: "nothing", Fields: []string{"a"}}, ctxmcp.CodeNotFound},
		{tasks.Ask{ID: "t", Fields: []string{"a"}, Expected: version(7)}, ctxmcp.CodeConflict},
		{tasks.Ask{ID: "t", Fields: []string{"a"}, ArtifactIDs: []string{"nothing"}}, ctxmcp.CodeNotFound},
	} {
		if _, err := f.Declare(context.Background(), ann, here, tt.ask); ctxmcp.CodeOf(err) != tt.want {
			t.Errorf("Declare(%+v) = %v, want %s", tt.ask, err, tt.want)
		}
	}
}

// TestFamily: a task's artifacts are there for its descendants, nearest first, and for no other task.
func TestFamily(t *testing.T) {
	f := newFixture(t)
	top, middle := f.put(t, "plan", `{"a": "top", "b": "top"}`), f.put(t, "search", `{"b": "middle"}`)
	f.save(t, tasks.Draft{ID: "plan"})
	f.save(t, tasks.Draft{ID: "search", Parent: "plan"})
	f.save(t, tasks.Draft{ID: "write", Parent: "search"})
	f.save(t, tasks.Draft{ID: "other"})
	d := f.declare(t, tasks.Ask{ID: "write", Fields: []string{"a", "b"}})
	if string(d.Fields["a"].Value) != `"top"` || string(d.Fields["b"].Value) != `"middle"` {
		t.Errorf("the grandchild got %+v", d.Fields)
	}
	if d := f.declare(t, tasks.Ask{ID: "plan", Fields: []string{"a", "b"}}); string(d.Fields["b"].Value) != `"top"` {
		t.Errorf("the parent got %+v", d.Fields)
	}
	if d := f.declare(t, tasks.Ask{ID: "other", Fields: []string{"a", "b"}}); len(d.Fields) != 0 {
		t.Errorf("another task got %+v", d.Fields)
	}
	for _, id := range []string{top, middle} {
		if _, err := f.Declare(context.Background(), ann, here, tasks.Ask{ID: "other", Fields: []string{"a"}, ArtifactIDs: []string{id}}); ctxmcp.CodeOf(err) != ctxmcp.CodeNotFound {
			t.Errorf("another task names %s: %v, want not_found", id, err)
		}
		if _, err := f.Save(context.Background(), ann, here, tasks.Draft{ID: "other", ArtifactIDs: []string{id}}); ctxmcp.CodeOf(err) != ctxmcp.CodeNotFound {
			t.Errorf("another task saves %s: %v, want not_found", id, err)
		}
	}
	if _, err := f.Save(context.Background(), ann, here, tasks.Draft{ID: "plan", Parent: "write"}); ctxmcp.CodeOf(err) != ctxmcp.CodeInvalid {
		t.Errorf("a circle of parents = %v, want invalid", err)
	}
}

// TestScopes: a task of a session, a project or a user does not exist elsewhere.
func TestScopes(t *testing.T) {
	f := newFixture(t)
	session := here
	session.Session = "s1"
	if _, err := f.Save(context.Background(), ann, session, tasks.Draft{ID: "t"}); err != nil {
		t.Fatal(err)
	}
	bob := ctxmcp.Caller{Tenant: "acme", User: "bob", Clearance: ctxmcp.HighlyRestricted}
	for _, tt := range []struct {
		by   ctxmcp.Caller
		at   ctxmcp.Scope
		seen bool
	}{
		{ann, session, true},
		{ann, here, false},
		{ann, ctxmcp.Scope{User: "ann", Project: "web", Session: "s2"}, false},
		{bob, ctxmcp.Scope{User: "bob", Project: "web", Session: "s1"}, false},
		{ctxmcp.Caller{Tenant: "other", User: "ann"}, session, false},
	} {
		_, err := f.Get(context.Background(), tt.by, tt.at, "t")
		if (err == nil) != tt.seen || err != nil && ctxmcp.CodeOf(err) != ctxmcp.CodeNotFound {
			t.Errorf("%s/%s from %s: %v, want seen = %v", tt.by.Tenant, tt.by.User, tt.at.Namespace(), err, tt.seen)
		}
	}
}

// TestSecretsInState: a state is redacted before it is kept.
func TestSecretsInState(t *testing.T) {
	f := newFixture(t)
	secret := "AKIA" + "Q3JTCJ4U3BUD5XZ7"
	v := f.save(t, tasks.Draft{ID: "t", Summary: secret, Producer: secret, Metadata: map[string]json.RawMessage{"k": json.RawMessage(`"` + secret + `"`)}})
	if raw, err := json.Marshal(v); err != nil || strings.Contains(string(raw), secret) {
		t.Errorf("the state holds a secret: %s", raw)
	}
}

// FuzzDeclare: whatever is asked, a task never gets the bytes of another.
func FuzzDeclare(f *testing.F) {
	fx := newFixture(f)
	const theirs = "belongs-to-another-task"
	other := fx.put(f, "theirs", `{"secret": "`+theirs+`", "items": [{"x": "`+theirs+`"}]}`)
	fx.put(f, "mine", `{"name": "mine", "items": [{"x": 1}]}`)
	fx.save(f, tasks.Draft{ID: "theirs"})
	fx.save(f, tasks.Draft{ID: "mine"})
	for _, field := range []string{"secret", "$..*", "items[*].x", "$", "_raw", "$.items[?@.x]", "$['secret']"} {
		f.Add(field, "")
		f.Add(field, other)
	}
	f.Fuzz(func(t *testing.T, field, id string) {
		ask := tasks.Ask{ID: "mine", Fields: []string{field}}
		if id != "" {
			ask.ArtifactIDs = []string{id}
		}
		d, err := fx.Declare(context.Background(), ann, here, ask)
		if err != nil && ctxmcp.CodeOf(err) == ctxmcp.CodeInternal {
			t.Errorf("Declare(%+v): %v", ask, err)
		}
		for _, v := range d.Fields {
			if strings.Contains(string(v.Value), theirs) {
				t.Errorf("Declare(%+v) = %s", ask, v.Value)
			}
		}
	})
}
