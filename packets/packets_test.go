package packets_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
	"github.com/ctx-mcp/ctx-mcp/artifacts/blobs"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/packets"
	"github.com/ctx-mcp/ctx-mcp/redact"
	"github.com/ctx-mcp/ctx-mcp/storetest/inmem"
)

var (
	epoch = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	ann   = ctxmcp.Caller{Tenant: "acme", User: "ann", Clearance: ctxmcp.Confidential, Authority: ctxmcp.AuthorityUser}
	desk  = ctxmcp.Scope{User: "ann", Project: "web", Session: "s1"}
)

// loud is a compiler of one line: it writes the text of its inputs in capitals.
type loud struct{ mark string }

func (l loud) Recompile(_ context.Context, inputs json.RawMessage, _ time.Time) (json.RawMessage, error) {
	var in struct{ Text string }
	if err := json.Unmarshal(inputs, &in); err != nil {
		return nil, err
	}
	return json.Marshal(map[string]any{"text": strings.ToUpper(in.Text) + l.mark, "trace": map[string]int{"characters": len(in.Text)}})
}

// bench is a service on stores in memory and blobs in a folder.
type bench struct {
	*packets.Service
	store  *inmem.Store
	blobs  *blobs.Store
	object ctxmcp.ContextObject
	handle ctxmcp.Artifact
	now    time.Time
}

func newBench(t testing.TB) *bench {
	t.Helper()
	kept, err := blobs.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{store: &inmem.Store{}, blobs: kept, now: epoch}
	all := redact.New([]byte("key"))
	some := all.Without("EMAIL", "PHONE")
	b.Service = &packets.Service{
		Store: b.store, Blobs: kept, Digests: b.store, Objects: b.store, Artifacts: b.store,
		Redact:      some.Func(),
		Personal:    all.Func(),
		Recompilers: map[packets.Kind]packets.Recompiler{packets.Compile: loud{}},
		Now:         func() time.Time { return b.now }, Logger: slog.New(slog.DiscardHandler),
	}
	b.object = ctxmcp.ContextObject{
		ObjectID: "o_1", FactID: "o_1", Version: 1, Content: "Ann likes tea", ObjectType: ctxmcp.Preference, CanonicalEntityIDs: []string{},
		SourceOrigin: "user://ann", Classification: ctxmcp.Restricted, TenantID: "acme", UserID: "ann", Layer: ctxmcp.UserLayer,
		ValidFrom: epoch, TxStart: epoch, LastConfirmed: epoch, ApplicableTaskTypes: []ctxmcp.TaskType{}, ContradictionStatus: ctxmcp.Clean,
		Authority: ctxmcp.AuthorityUser,
	}
	if err := b.store.Apply(t.Context(), memory.Change{Insert: []ctxmcp.ContextObject{b.object}}); err != nil {
		t.Fatal(err)
	}
	b.handle = b.keep(t, "a_1", "forty reports")
	return b
}

// keep stores text as an artifact.
func (b *bench) keep(t testing.TB, id, text string) ctxmcp.Artifact {
	t.Helper()
	digest, size, err := b.blobs.Put(t.Context(), strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	a := ctxmcp.Artifact{
		ID: id, TenantID: "acme", Home: desk, Digest: digest, Size: size, Classification: ctxmcp.Restricted, Origin: "tool://search",
		SchemaKeys: []string{}, Created: epoch,
	}
	if err := b.store.ApplyArtifacts(t.Context(), artifacts.Change{Insert: []ctxmcp.Artifact{a}}); err != nil {
		t.Fatal(err)
	}
	return a
}

// draft returns a compile of the bench's object and artifact.
func (b *bench) draft(t *testing.T, text string) packets.Draft {
	t.Helper()
	inputs, err := packets.Canonical(t.Context(), map[string]string{"text": text})
	if err != nil {
		t.Fatal(err)
	}
	output, err := loud{}.Recompile(t.Context(), inputs, epoch)
	if err != nil {
		t.Fatal(err)
	}
	object, err := packets.Object(b.object)
	if err != nil {
		t.Fatal(err)
	}
	return packets.Draft{
		Kind: packets.Compile, Trace: "tr-1", At: epoch, Inputs: inputs, Output: output, Policy: json.RawMessage(`{"weights": {"b": 1.0, "a": 2}}`),
		Sources: []packets.Source{packets.Artifact(b.handle), object, packets.Outside("message", "user://ann", text, ctxmcp.AuthorityUser, ctxmcp.Restricted)},
	}
}

func (b *bench) seal(t *testing.T, d packets.Draft) packets.Sealed {
	t.Helper()
	sealed, err := b.Seal(t.Context(), ann, desk, d)
	if err != nil {
		t.Fatalf("Seal: %v", err)
	}
	return sealed
}

// TestSeal: the name is the digest of the canonical form, and equal drafts have one name.
func TestSeal(t *testing.T) {
	b := newBench(t)
	d := b.draft(t, "a cup of tea")
	first := b.seal(t, d)
	d.Sources[0], d.Sources[2] = d.Sources[2], d.Sources[0]
	d.Inputs = json.RawMessage(" {\n\"text\":\"a cup of t\\u0065a\"}")
	if second := b.seal(t, d); second.Ref != first.Ref || !bytes.Equal(second.Bytes, first.Bytes) {
		t.Errorf("the same draft has the names %s and %s", first.Ref, second.Ref)
	}
	if got := ctxmcp.DigestRef(first.Bytes); got != first.Ref || !packets.ValidRef(got) {
		t.Errorf("DigestRef(bytes) = %s, want %s", got, first.Ref)
	}
	for _, name := range []string{first.Ref, "tr-1"} {
		got, err := b.Named(t.Context(), ann, ctxmcp.Scope{}, name)
		if err != nil {
			t.Fatalf("Named(%s): %v", name, err)
		}
		if !bytes.Equal(got.Bytes, first.Bytes) {
			t.Errorf("Named(%s) differs:\n%s", name, cmp.Diff(string(first.Bytes), string(got.Bytes)))
		}
	}
	if got := b.seal(t, b.draft(t, "a cup of coffee")); got.Ref == first.Ref {
		t.Error("another draft has the same name")
	}
}

// TestSealUnseen: a source that a caller may not see does not exist.
func TestSealUnseen(t *testing.T) {
	b := newBench(t)
	ref := b.seal(t, b.draft(t, "tea")).Ref
	d := b.draft(t, "more tea")
	d.Sources[1].Permissions.AllowRoles = []string{"barista"}
	barista := ann
	barista.Roles = []string{"barista"}
	guarded, err := b.Seal(t.Context(), barista, desk, d)
	if err != nil {
		t.Fatal(err)
	}
	bob, elsewhere, public, abroad := ann, ann, ann, ann
	bob.User, elsewhere.Tenant, public.Clearance, abroad.Projects = "bob", "other", ctxmcp.Public, []string{"api"}
	for _, c := range []struct {
		by  ctxmcp.Caller
		ref string
	}{{bob, ref}, {elsewhere, ref}, {public, ref}, {abroad, ref}, {ctxmcp.Caller{Tenant: "acme"}, ref}, {ann, guarded.Ref}, {ann, ""}, {ann, "tr-2"}} {
		if _, err := b.Verify(t.Context(), c.by, ctxmcp.Scope{}, c.ref); ctxmcp.CodeOf(err) != ctxmcp.CodeNotFound {
			t.Errorf("Verify by %+v = %v, want not_found", c.by, err)
		}
		if _, err := b.Bundle(t.Context(), c.by, c.ref); ctxmcp.CodeOf(err) != ctxmcp.CodeNotFound {
			t.Errorf("Bundle by %+v = %v, want not_found", c.by, err)
		}
	}
	if v, err := b.Verify(t.Context(), barista, ctxmcp.Scope{}, guarded.Ref); err != nil || !v.Valid {
		t.Errorf("Verify by a barista = %+v, %v", v, err)
	}
}

// TestSealSchema: a packet names the version of its schema, and of those in force.
func TestSealSchema(t *testing.T) {
	b := newBench(t)
	b.Options.Schemas = map[string]string{"refund": "v0.5.0"}
	d := b.draft(t, "tea")
	d.Schema = "refund"
	p := b.seal(t, d).Packet
	if want := (packets.Schema{Name: "refund", Version: "v0.5.0"}); p.Schema != want {
		t.Errorf("Schema = %v, want %v", p.Schema, want)
	}
	if diff := cmp.Diff(map[string]string{"refund": "v0.5.0", "compile": "v1", "retrieval": "v1"}, p.Schemas); diff != "" {
		t.Errorf("Schemas differ (-want +got):\n%s", diff)
	}
	d.Schema = "incident"
	if _, err := b.Seal(t.Context(), ann, desk, d); ctxmcp.CodeOf(err) != ctxmcp.CodeInvalid {
		t.Errorf("an unknown schema = %v, want invalid", err)
	}
	if err := packets.CheckSchemas(map[string]string{"compile": "v2"}); ctxmcp.CodeOf(err) != ctxmcp.CodeInvalid {
		t.Errorf("CheckSchemas = %v, want invalid", err)
	}
}

// TestSealTooLarge: a draft over the limit is kept nowhere.
func TestSealTooLarge(t *testing.T) {
	b := newBench(t)
	b.Options.MaxSize = 2000
	if _, err := b.Seal(t.Context(), ann, desk, b.draft(t, strings.Repeat("tea ", 500))); ctxmcp.CodeOf(err) != ctxmcp.CodeTooLarge {
		t.Fatalf("Seal = %v, want too_large", err)
	}
	if found, err := b.store.FindPackets(t.Context(), packets.Query{Tenant: "acme", Everywhere: true, Unbounded: true}); len(found) != 0 || err != nil {
		t.Errorf("FindPackets = %v, %v, want none", found, err)
	}
}

// TestPromote: a new version holds the artifact and names its parent, which stays as it was.
func TestPromote(t *testing.T) {
	b := newBench(t)
	parent := b.seal(t, b.draft(t, "tea"))
	b.now = epoch.Add(time.Hour)
	made := b.keep(t, "a_2", "a summary")
	page := packets.Outside("https://example.org", "https://example.org", "a page", ctxmcp.AuthorityRetrieved, ctxmcp.Public)
	child, err := b.Promote(t.Context(), ann, parent.Ref, []packets.Source{page}, []packets.Derivative{{ID: "a_2", Digest: "sha256:" + made.Digest}})
	if err != nil {
		t.Fatal(err)
	}
	if child.Ref == parent.Ref || child.Packet.Parent != parent.Ref || len(child.Packet.Sources) != len(parent.Packet.Sources)+1 || len(child.Packet.Derived) != 1 {
		t.Errorf("Promote = %+v, want a child of %s", child.Packet, parent.Ref)
	}
	for _, ref := range []string{parent.Ref, child.Ref} {
		if v, err := b.Verify(t.Context(), ann, ctxmcp.Scope{}, ref); err != nil || !v.Valid {
			t.Errorf("Verify(%s) = %+v, %v", ref, v, err)
		}
	}
	if _, err := b.Promote(t.Context(), ann, "sha256:"+strings.Repeat("0", 64), nil, nil); ctxmcp.CodeOf(err) != ctxmcp.CodeNotFound {
		t.Errorf("Promote of nothing = %v, want not_found", err)
	}
}
