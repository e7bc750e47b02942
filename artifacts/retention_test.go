package artifacts_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
	"github.com/ctx-mcp/ctx-mcp/tasks"
)

func (f *fixture) sweep(t *testing.T, dry bool) artifacts.Swept {
	t.Helper()
	swept, err := f.Sweep(context.Background(), f.blobs, dry)
	if err != nil {
		t.Fatalf("Sweep: %v", err)
	}
	return swept
}

// TestRetention: beyond the count the oldest go, but not those that a live task refers to; dry, nothing goes.
func TestRetention(t *testing.T) {
	f := newFixture(t)
	f.Options = artifacts.Options{Keep: 3, SweepAt: 5}
	var ids []string
	for i := range 7 {
		f.now = f.now.Add(time.Second)
		ids = append(ids, f.put(t, here, artifacts.Draft{Content: fmt.Sprint(i)}).ID)
	}
	pin := []artifacts.Pin{{Tenant: "acme", Artifact: ids[0], Holder: "task:t", Until: f.now.Add(time.Hour)}}
	if err := f.store.SaveTask(context.Background(), tasks.State{Tenant: "acme", ID: "t", Home: here, Version: 1}, pin, ctxmcp.Event{}); err != nil {
		t.Fatal(err)
	}
	if due := f.sweep(t, true).Retired; len(due) != 3 || due[0].ID != ids[1] || due[0].Why == "" {
		t.Errorf("dry: %+v", due)
	}
	f.read(t, artifacts.Ask{ID: ids[1]})
	f.sweep(t, false)
	for i, id := range ids {
		_, err := f.Find(context.Background(), ann, here, id)
		if want := i == 0 || i > 3; (err == nil) != want {
			t.Errorf("artifact %d: %v, want kept = %v", i, err, want)
		}
	}
	if due := f.sweep(t, true).Retired; len(due) != 0 {
		t.Errorf("a second sweep: %+v", due)
	}
}

// TestTheNewestStayBesideThePinned: a home in which live tasks hold more than are kept still keeps its newest artifacts.
func TestTheNewestStayBesideThePinned(t *testing.T) {
	f := newFixture(t)
	f.Options = artifacts.Options{Keep: 2, SweepAt: 4}
	var pins []artifacts.Pin
	var ids []string
	for i := range 8 {
		f.now = f.now.Add(time.Second)
		id := f.put(t, here, artifacts.Draft{Content: fmt.Sprint(i)}).ID
		ids = append(ids, id)
		if i < 5 {
			pins = append(pins, artifacts.Pin{Tenant: "acme", Artifact: id, Holder: "task:t", Until: f.now.Add(time.Hour)})
		}
	}
	if err := f.store.SaveTask(context.Background(), tasks.State{Tenant: "acme", ID: "t", Home: here, Version: 1}, pins, ctxmcp.Event{}); err != nil {
		t.Fatal(err)
	}
	if due := f.sweep(t, false).Retired; len(due) != 1 || due[0].ID != ids[5] {
		t.Errorf("retired %+v, want the one that is neither held nor among the two newest", due)
	}
	f.read(t, artifacts.Ask{ID: ids[6]})
	f.read(t, artifacts.Ask{ID: ids[7]})
}

// TestAge: an artifact that is too old goes, once no task holds it.
func TestAge(t *testing.T) {
	f := newFixture(t)
	f.Options.MaxAge = time.Hour
	old := f.put(t, here, artifacts.Draft{Content: "old"})
	f.now = f.now.Add(2 * time.Hour)
	fresh := f.put(t, here, artifacts.Draft{Content: "fresh"})
	if due := f.sweep(t, false).Retired; len(due) != 1 || due[0].ID != old.ID {
		t.Errorf("retired %+v, want the old one", due)
	}
	f.read(t, artifacts.Ask{ID: fresh.ID})
}

// TestCrowdedByItself: a session that only ever puts does not grow without bound.
func TestCrowdedByItself(t *testing.T) {
	f := newFixture(t)
	f.Options = artifacts.Options{Keep: 10, SweepAt: 20}
	for i := range 120 {
		f.put(t, here, artifacts.Draft{Content: fmt.Sprint(i)})
	}
	found, err := f.Index.FindArtifacts(context.Background(), artifacts.Query{Tenant: "acme", Everywhere: true, Unbounded: true})
	if err != nil || len(found) > 30 {
		t.Errorf("%d artifacts are kept, %v", len(found), err)
	}
}

// TestOrphans: blobs without a row go after a while, those with one stay.
func TestOrphans(t *testing.T) {
	f := newFixture(t)
	f.now = time.Now()
	a := f.put(t, here, artifacts.Draft{Content: "kept"})
	if _, _, err := f.blobs.Put(context.Background(), strings.NewReader("orphan")); err != nil {
		t.Fatal(err)
	}
	if swept := f.sweep(t, false); swept.Orphans != 0 {
		t.Errorf("a blob that is new was swept: %+v", swept)
	}
	f.now = f.now.Add(2 * time.Hour)
	for _, dry := range []bool{true, false} {
		if swept := f.sweep(t, dry); swept.Orphans != 1 || swept.Bytes == 0 {
			t.Errorf("dry %v: %+v, want one orphan", dry, swept)
		}
	}
	f.read(t, artifacts.Ask{ID: a.ID})
}

// reverser is a Sealer that needs no key.
type reverser struct{}

func (reverser) Seal(content []byte) ([]byte, error) {
	var out []byte
	for i := len(content) - 1; i >= 0; i-- {
		out = append(out, content[i]^0x5a)
	}
	return out, nil
}

func (r reverser) Unseal(sealed []byte) ([]byte, error) { return r.Seal(sealed) }

// TestOriginal: an original is kept only where one is asked for and something was redacted, and only an operator reads it.
func TestOriginal(t *testing.T) {
	f := newFixture(t)
	without := f.put(t, here, artifacts.Draft{Content: "key " + awsKey})
	f.Sealer = reverser{}
	with, clean := f.put(t, here, artifacts.Draft{Content: "key " + awsKey}), f.put(t, here, artifacts.Draft{Content: "nothing to hide"})
	operator := ctxmcp.Caller{Tenant: "acme", User: "ops", Roles: []string{ctxmcp.Operator}}
	stranger := ctxmcp.Caller{Tenant: "other", User: "ops", Roles: []string{ctxmcp.Operator}}
	for _, tt := range []struct {
		by   ctxmcp.Caller
		id   string
		want ctxmcp.Code
	}{
		{operator, with.ID, ""}, {ann, with.ID, ctxmcp.CodeDenied}, {stranger, with.ID, ctxmcp.CodeNotFound},
		{operator, without.ID, ctxmcp.CodeNotFound}, {operator, clean.ID, ctxmcp.CodeNotFound},
	} {
		got, err := f.Original(context.Background(), tt.by, tt.id)
		if tt.want == "" && string(got) != "key "+awsKey || tt.want != "" && ctxmcp.CodeOf(err) != tt.want {
			t.Errorf("Original(%s, %s) = %v, want %q", tt.by.User, tt.id, err, tt.want)
		}
	}
}
