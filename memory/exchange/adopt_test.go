package exchange

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/memory/exchange/foreign"
	"github.com/ctx-mcp/ctx-mcp/redact"
	"github.com/ctx-mcp/ctx-mcp/storetest/golden"
	"github.com/ctx-mcp/ctx-mcp/storetest/inmem"
)

// adoption returns an Adoption for tests: into an empty store, at noon of a day in 2026.
func adoption(system string) (Adoption, *inmem.Store) {
	store := &inmem.Store{}
	redactor := redact.New([]byte("key"))
	hide := redactor.Func()
	ids := 0
	service := memory.New(memory.Core{
		Store: store, Redact: hide, Logger: slog.New(slog.DiscardHandler),
		Now:   func() time.Time { return time.Date(2026, 1, 5, 12, 0, 0, 0, time.UTC) },
		NewID: func() string { ids++; return fmt.Sprintf("00000000-0000-7000-8000-%012d", ids) },
	})
	by := ctxmcp.Caller{Tenant: "acme", User: "ann", Clearance: ctxmcp.Restricted, Authority: ctxmcp.AuthorityUser}
	return Adoption{
		Into: service, Before: store, By: by, Scope: ctxmcp.Scope{User: "ann"}, As: ctxmcp.Document, System: system, Redact: hide,
		Coexists: service.Options.Coexists,
	}, store
}

func foreignMemories(t *testing.T, system, text string) []foreign.Memory {
	t.Helper()
	f, ok := foreign.Find(system)
	if !ok {
		t.Fatalf("there is no form %q", system)
	}
	var all []foreign.Memory
	for m, err := range f.Read(t.Context(), strings.NewReader(text)) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, m)
	}
	return all
}

func adopt(t *testing.T, a Adoption, memories []foreign.Memory) Adopted {
	t.Helper()
	report, err := a.Adopt(t.Context(), memories)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func sample(t *testing.T, name string) string {
	t.Helper()
	return golden.Read(t, "foreign/testdata/"+name)
}

// TestAdoptServerMemory: everything of the genuine sample arrives, governed; a second time adds nothing.
func TestAdoptServerMemory(t *testing.T) {
	a, store := adoption("server-memory")
	memories := foreignMemories(t, "server-memory", sample(t, "server-memory.jsonl"))
	rehearsal := a
	rehearsal.DryRun = true
	want := Adopted{Read: 22, Stored: 22, Redacted: 1, Unclaimed: 4, Unkept: []Unkept{}}
	if diff := cmp.Diff(want, adopt(t, rehearsal, memories)); diff != "" {
		t.Errorf("a dry run reports (-want +got):\n%s", diff)
	}
	if text := export(t, store, "acme"); text != "" {
		t.Errorf("a dry run stored\n%s", text)
	}
	want.Stored, want.Held = 21, 1 // "Deploy day: Thursday" is said twice
	if diff := cmp.Diff(want, adopt(t, a, memories)); diff != "" {
		t.Errorf("Adopt reports (-want +got):\n%s", diff)
	}
	first := export(t, store, "acme")
	for _, want := range []string{
		`"claim":{"subject":"web_team","predicate":"deploy day","value":"Thursday"}`,
		`"claim":{"subject":"web_team","predicate":"maintains","value":"billing-service"}`,
		`"source_origin":"server-memory:%C3%89meraude"`, `"source_kind":"document","authority_level":4`,
		`"content":"billing-service: Port: 8443","normalized_claim":""`,
		`"user_id":"ann"`, `postgres://billing:[`,
	} {
		if !strings.Contains(first, want) {
			t.Errorf("the store lacks %s", want)
		}
	}
	again := adopt(t, a, memories)
	if diff := cmp.Diff(Adopted{Read: 22, Held: 22, Unkept: []Unkept{}}, again); diff != "" {
		t.Errorf("adopting twice reports (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(first, export(t, store, "acme")); diff != "" {
		t.Errorf("adopting twice changed the store (-first +second):\n%s", diff)
	}
}

// TestAdoptMem0: times order the claims, ids are provenance and not identity, and fields that have no place are reported.
func TestAdoptMem0(t *testing.T) {
	a, store := adoption("mem0")
	got := adopt(t, a, foreignMemories(t, "mem0", sample(t, "mem0.json")))
	want := Adopted{Read: 4, Stored: 4, Replaced: 1, Unkept: []Unkept{{"categories", 1}, {"metadata.category", 1}, {"metadata.weight", 1}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Adopt reports (-want +got):\n%s", diff)
	}
	q := memory.Query{Tenant: "acme", Everywhere: true, Unrestricted: true, Slots: []string{ctxmcp.Claim{Subject: "u1", Predicate: "lives_in", Value: "-"}.Slot()}}
	for at, want := range map[time.Time]string{
		time.Date(2025, 5, 1, 0, 0, 0, 0, time.UTC):   "Lives in Lisbon",
		time.Date(2025, 11, 1, 0, 0, 0, 0, time.UTC):  "Lives in Porto",
		time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC):   "",
		time.Date(2025, 3, 2, 17, 0, 1, 0, time.UTC):  "Lives in Lisbon",
		time.Date(2025, 9, 14, 10, 0, 0, 0, time.UTC): "Lives in Porto",
	} {
		q.AsOf = at
		found, err := store.Find(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		text := ""
		for _, o := range found {
			text += o.Content
			if o.UserID != "ann" || !strings.Contains(o.SourceOrigin, "user_id=u1") {
				t.Errorf("the memory is %s's, from %s", o.UserID, o.SourceOrigin)
			}
		}
		if text != want {
			t.Errorf("at %s it holds %q, want %q", at, text, want)
		}
	}
}

// TestAdoptHidesSecretsEverywhere: a secret in a name, an id or a field of metadata rests nowhere, escaped or not.
func TestAdoptHidesSecretsEverywhere(t *testing.T) {
	const secret = "hunter2-Zx81q"
	for system, text := range map[string]string{
		"server-memory": `{"type":"entity","name":"password: ` + secret + `","entityType":"password=` + secret + `","observations":["x","password: ` + secret + `"]}`,
		"mem0": `[{"id":"password: ` + secret + `","memory":"the password is ` + secret + `","user_id":"password: ` + secret +
			`","metadata":{"password: ` + secret + `":1}}]`,
	} {
		a, store := adoption(system)
		report := adopt(t, a, foreignMemories(t, system, text))
		if report.Redacted == 0 {
			t.Errorf("%s: nothing was redacted", system)
		}
		if all := export(t, store, "acme") + fmt.Sprintf("%+v", report); strings.Contains(all, secret) || all == "" {
			t.Errorf("%s: the secret rests in\n%s", system, all)
		}
	}
}

// TestAdoptRefuses: a memory that cannot be remembered is reported with its line, and the rest arrives.
func TestAdoptRefuses(t *testing.T) {
	a, store := adoption("mem0")
	a.As = ctxmcp.Inference
	report := adopt(t, a, foreignMemories(t, "mem0", `[{"memory":"short"},
{"memory":"what an agent says of its own accord has a floor, which this text reaches"},
{"memory":"a memory that ends before it begins is no memory at all, whatever it says","created_at":"2025-02-01","expiration_date":"2025-01-01"},
{"memory":"a memory from the future is not what somebody observed at any time before","created_at":"2030-01-01"}]`))
	if report.Stored != 1 || len(report.Refused) != 3 {
		t.Fatalf("Adopt reports %+v", report)
	}
	for i, want := range []Refusal{{1, "content has 5 characters"}, {3, "valid_until is not after"}, {4, "observed_at is in the future"}} {
		if got := report.Refused[i]; got.Line != want.Line || !strings.Contains(got.Reason, want.Reason) {
			t.Errorf("refusal %d is %v, want %v", i, got, want)
		}
	}
	if n := strings.Count(export(t, store, "acme"), "\n"); n != 1 {
		t.Errorf("the store holds %d versions, want 1", n)
	}
}

// TestAdoptedStaysForgotten: a file that is read again does not bring back memories that the user has forgotten since.
func TestAdoptedStaysForgotten(t *testing.T) {
	a, store := adoption("mem0")
	memories := foreignMemories(t, "mem0", `[{"memory":"Has a cat"}]`)
	adopt(t, a, memories)
	all, err := store.Find(t.Context(), everything("acme"))
	if err != nil || len(all) != 1 {
		t.Fatalf("the store holds %v, %v", all, err)
	}
	service := a.Into.(*memory.Service)
	if _, err := service.Forget(t.Context(), a.By, all[0].ObjectID, memory.Retire, "asked"); err != nil {
		t.Fatal(err)
	}
	if report := adopt(t, a, memories); report.Held != 1 || report.Stored != 0 {
		t.Errorf("adopting again reports %+v", report)
	}
}

// stumbling is a Rememberer that fails at the second memory.
type stumbling struct {
	Rememberer
	calls int
}

var errDisk = errors.New("disk on fire")

func (f *stumbling) Remember(ctx context.Context, by ctxmcp.Caller, d memory.Draft) (memory.Remembered, error) {
	if f.calls++; f.calls == 2 {
		return memory.Remembered{}, errDisk
	}
	return f.Rememberer.Remember(ctx, by, d)
}

// TestAdoptFails: when the store fails, the line is named, and adopting again goes on from there.
func TestAdoptFails(t *testing.T) {
	a, _ := adoption("mem0")
	memories := foreignMemories(t, "mem0", "[{\"memory\":\"one\"},\n{\"memory\":\"two\"},\n{\"memory\":\"three\"}]")
	broken := a
	broken.Into = &stumbling{Rememberer: a.Into}
	var done []int
	broken.Progress = func(n int) { done = append(done, n) }
	report, err := broken.Adopt(t.Context(), memories)
	if !errors.Is(err, errDisk) || !strings.HasPrefix(err.Error(), "line 2: ") || report.Stored != 1 || !slices.Equal(done, []int{1}) {
		t.Errorf("Adopt = %+v, %v, after %v", report, err, done)
	}
	if report := adopt(t, a, memories); report.Stored != 2 || report.Held != 1 {
		t.Errorf("adopting again reports %+v", report)
	}
}
