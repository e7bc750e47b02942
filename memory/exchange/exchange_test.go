package exchange

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/redact"
	"github.com/ctx-mcp/ctx-mcp/sqlite"
	"github.com/ctx-mcp/ctx-mcp/storetest/inmem"
)

// redactor is the real one, with one key for all tenants, so that a version can move between them.
func redactor(ctx context.Context, _, text string) (string, []redact.Finding, error) {
	return redact.New([]byte("key")).Try(ctx, text)
}

var plain = ImportOptions{Redact: redactor}

// stores lists the stores that an exchange is proved over.
var stores = map[string]func(t *testing.T) memory.Store{
	"inmem": func(*testing.T) memory.Store { return &inmem.Store{} },
	"sqlite": func(t *testing.T) memory.Store {
		s, err := sqlite.Open(t.Context(), t.TempDir(), slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatalf("Open: %v", err)
		}
		t.Cleanup(func() {
			if err := s.Close(); err != nil {
				t.Errorf("Close: %v", err)
			}
		})
		return s
	},
}

func export(t testing.TB, s memory.Store, tenant string) string {
	t.Helper()
	var b bytes.Buffer
	n, err := Export(context.Background(), s, tenant, &b)
	if err != nil {
		t.Fatalf("Export: %v", err)
	}
	if lines := strings.Count(b.String(), "\n"); lines != n {
		t.Fatalf("Export = %d, and wrote %d lines", n, lines)
	}
	return b.String()
}

func doImport(t testing.TB, s memory.Store, text string, o ImportOptions) Report {
	t.Helper()
	r, err := Import(context.Background(), s, strings.NewReader(text), o)
	if err != nil {
		t.Fatalf("Import: %v", err)
	}
	return r
}

// wantRefused checks that the input is refused with words that begin with want, and that nothing is stored.
func wantRefused(t *testing.T, s memory.Store, text string, o ImportOptions, code ctxmcp.Code, want string) {
	t.Helper()
	before := export(t, s, "acme") + export(t, s, "globex")
	r, err := Import(context.Background(), s, strings.NewReader(text), o)
	e, ok := errors.AsType[*ctxmcp.Error](err)
	if !ok {
		t.Fatalf("Import = %+v, %v, want a ctxmcp.Error", r, err)
	}
	if e.Code != code || !strings.HasPrefix(e.Message, want) || r != (Report{}) {
		t.Errorf("Import = %+v, %s %q, want %s %q", r, e.Code, e.Message, code, want)
	}
	if after := export(t, s, "acme") + export(t, s, "globex"); after != before {
		t.Errorf("the refused import left something behind:\n%s", after)
	}
}

// TestRoundTrip: through any store and back, every byte is the same, and importing again changes nothing.
func TestRoundTrip(t *testing.T) {
	for from, openSource := range stores {
		for to, openTarget := range stores {
			t.Run(from+" to "+to, func(t *testing.T) {
				source, target := openSource(t), openTarget(t)
				newWorld(t).fill(t, source)
				for _, tenant := range []string{"acme", "globex"} {
					want := export(t, source, tenant)
					n := strings.Count(want, "\n")
					if r := doImport(t, target, want, plain); r != (Report{Read: n, Imported: n}) {
						t.Errorf("Import = %+v, want %d imported", r, n)
					}
					if diff := cmp.Diff(want, export(t, target, tenant)); diff != "" {
						t.Fatalf("the round trip differs (-want +got):\n%s", diff)
					}
					if r := doImport(t, target, want, plain); r != (Report{Read: n, Unchanged: n}) {
						t.Errorf("the second Import = %+v, want %d unchanged", r, n)
					}
				}
			})
		}
	}
}

// TestImportedIsWhatWasHeld: not only the export but the versions themselves are alike in every store.
func TestImportedIsWhatWasHeld(t *testing.T) {
	source := &inmem.Store{}
	newWorld(t).fill(t, source)
	text := export(t, source, "acme")
	var want []ctxmcp.ContextObject
	for _, open := range stores {
		s := open(t)
		doImport(t, s, text, plain)
		got, err := s.Find(t.Context(), everything("acme"))
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = got
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("two stores differ (-one +other):\n%s", diff)
		}
	}
}

// TestOwnExport: memories that the verbs of memory store can be imported, above all redacted ones.
func TestOwnExport(t *testing.T) {
	s, w := &inmem.Store{}, newWorld(t)
	now := time.Date(2026, 5, 1, 9, 0, 0, 0, time.UTC)
	m := memory.New(memory.Core{Store: s, Redact: redactor, NewID: w.uuid, Now: func() time.Time { now = now.Add(time.Minute); return now }})
	by := ctxmcp.Caller{Tenant: "acme", User: "ann", Clearance: ctxmcp.HighlyRestricted, Authority: ctxmcp.AuthorityUser}
	said := func(d memory.Draft) string {
		d.Scope = ctxmcp.Scope{User: "ann", Project: "web"}
		r, err := m.Remember(t.Context(), by, d)
		if err != nil || r.ObjectID == "" {
			t.Fatalf("Remember = %+v, %v", r, err)
		}
		return r.ObjectID
	}
	long := strings.Repeat("The nightly job writes its report into the shared folder. ", 2)
	said(memory.Draft{Content: long, Source: memory.Source{Origin: "docs/plan of the year.md", Kind: ctxmcp.Document}})
	said(memory.Draft{Content: long + "Twice.", UpdatePath: "postgres://app:winter-moose-8070!!@db/x", Author: "Ann <ann@example.org>"})
	said(memory.Draft{Content: long + "Password: winter-moose-8070!!"})
	claim := ctxmcp.Claim{Subject: "deploy", Predicate: "day", Value: "Thursday"}
	old := said(memory.Draft{Content: long + "We deploy on Thursday.", Claim: claim})
	claim.Value = "Friday"
	said(memory.Draft{Content: long + "We deploy on Friday.", Claim: claim, Supersedes: old})
	gone := said(memory.Draft{Content: long + "For the shelf."})
	if _, err := m.Forget(t.Context(), by, gone, memory.Archive, "no longer needed"); err != nil {
		t.Fatal(err)
	}
	want, target := export(t, s, "acme"), stores["sqlite"](t)
	doImport(t, target, want, plain)
	if diff := cmp.Diff(want, export(t, target, "acme")); diff != "" {
		t.Errorf("the round trip differs (-want +got):\n%s", diff)
	}
}

// TestOtherRedaction: an import of memories stored under other rules of redaction leaves them unchanged, and stores none anew.
func TestOtherRedaction(t *testing.T) {
	s := &inmem.Store{}
	doImport(t, s, line(`"content":"a word"`), plain)
	o := ImportOptions{Redact: func(_ context.Context, _, text string) (string, []redact.Finding, error) {
		return strings.ReplaceAll(text, "word", "[X:REDACTED]"), nil, nil
	}}
	before := export(t, s, "acme")
	if r := doImport(t, s, before, o); r != (Report{Read: 1, Unchanged: 1}) {
		t.Errorf("Import = %+v, want 1 unchanged", r)
	}
	if after := export(t, s, "acme"); after != before {
		t.Errorf("the store changed to\n%s", after)
	}
}

// failing is a store, a reader and a writer that fail.
type failing struct{ memory.Store }

var errFailing = errors.New("out of order")

func (failing) Find(context.Context, memory.Query) ([]ctxmcp.ContextObject, error) {
	return nil, errFailing
}
func (failing) Read([]byte) (int, error)  { return 0, errFailing }
func (failing) Write([]byte) (int, error) { return 0, errFailing }

func TestFailures(t *testing.T) {
	ctx, s := t.Context(), &inmem.Store{}
	_, err := Import(ctx, s, io.MultiReader(strings.NewReader(line("")+"\n"), failing{}), plain)
	if !errors.Is(err, errFailing) || export(t, s, "acme") != "" {
		t.Errorf("Import of half a file = %v, want the reader's error and nothing stored", err)
	}
	if _, err := Import(ctx, failing{}, strings.NewReader(line("")), plain); !errors.Is(err, errFailing) {
		t.Errorf("Import into a failing store = %v", err)
	}
	if _, err := Import(ctx, s, strings.NewReader(line("")), ImportOptions{}); err == nil {
		t.Error("Import without redaction succeeded")
	}
	doImport(t, s, line(""), plain)
	if _, err := Export(ctx, failing{}, "acme", io.Discard); !errors.Is(err, errFailing) {
		t.Errorf("Export from a failing store = %v", err)
	}
	if _, err := Export(ctx, s, "acme", failing{}); !errors.Is(err, errFailing) {
		t.Errorf("Export to a failing writer = %v", err)
	}
	done, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := Import(done, &inmem.Store{}, strings.NewReader(line("")), plain); !errors.Is(err, context.Canceled) {
		t.Errorf("Import under a done context = %v", err)
	}
}
