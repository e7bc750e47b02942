package memory_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/storetest/inmem"
)

// wantError checks the code of the error and the beginning of its message.
func wantError(t *testing.T, err error, code ctxmcp.Code, prefix string) {
	t.Helper()
	e, ok := errors.AsType[*ctxmcp.Error](err)
	if !ok || e.Code != code || !strings.HasPrefix(e.Message, prefix) {
		t.Errorf("error = %v (%s), want %q… (%s)", err, ctxmcp.CodeOf(err), prefix, code)
	}
}

// plain is a draft that is stored as it is.
func plain() memory.Draft {
	return memory.Draft{Content: "Ann likes tea", Source: memory.Source{Kind: ctxmcp.UserStatement}, Scope: atHome}
}

// refusal is a draft that is refused, by what is wrong with it.
type refusal struct {
	name    string
	wrong   func(*memory.Draft)
	code    ctxmcp.Code
	message string
}

// names returns n ids.
func names(n int) []string { return slices.Repeat([]string{"a"}, n) }

func number(x float64) *float64 { return &x }

// refusals lists a draft for every rule that refuses one.
func refusals() []refusal {
	const invalid, tooLarge, denied, notFound = ctxmcp.CodeInvalid, ctxmcp.CodeTooLarge, ctxmcp.CodeDenied, ctxmcp.CodeNotFound
	decay := func(halfLife, least float64) func(*memory.Draft) {
		return func(d *memory.Draft) {
			d.Decay = &ctxmcp.DecayRule{HalfLifeDays: halfLife, MinimumThreshold: least}
		}
	}
	return []refusal{
		{"no content", func(d *memory.Draft) { d.Content = "" }, invalid, "content is empty"},
		{"blank content", func(d *memory.Draft) { d.Content = " \n\t " }, invalid, "content is empty"},
		{"a megabyte and a byte", func(d *memory.Draft) { d.Content = strings.Repeat("x", 1<<20+1) }, tooLarge, "content has 1048577 bytes, over the limit of 1048576"},

		{"claim without a value", func(d *memory.Draft) { d.Claim = ctxmcp.Claim{Subject: "a", Predicate: "b"} }, invalid, "claim lacks a part"},
		{"claim without a subject", func(d *memory.Draft) { d.Claim = ctxmcp.Claim{Predicate: "b", Value: "c"} }, invalid, "claim lacks a part"},
		{"claim about a sign", func(d *memory.Draft) { d.Claim = ctxmcp.Claim{Subject: " _. ", Predicate: "b", Value: "c"} }, invalid, "claim lacks a part"},
		{"update_path without a scheme", func(d *memory.Draft) { d.UpdatePath = "the wiki" }, invalid, "update_path is not a URI"},
		{"update_path that is broken", func(d *memory.Draft) { d.UpdatePath = "https://%zz" }, invalid, "update_path is not a URI"},

		{"object_type", func(d *memory.Draft) { d.ObjectType = "thought" }, invalid, `object_type "thought" is not a known word`},
		{"classification", func(d *memory.Draft) { d.Classification = "SECRET" }, invalid, `classification "SECRET" is not a known word`},
		{"source.kind", func(d *memory.Draft) { d.Source.Kind = "gossip" }, invalid, `source.kind "gossip" is not a known word`},
		{"retirement_rule", func(d *memory.Draft) { d.RetirementRule = "never" }, invalid, `retirement_rule "never" is not a known word`},
		{"level", func(d *memory.Draft) { d.Level = "galaxy" }, invalid, `level "galaxy" is not a known word`},
		{"a layer of operators", func(d *memory.Draft) { d.Level = ctxmcp.PolicyLayer }, ctxmcp.CodeDenied, `level "policy" is written by operators only`},
		{"task_types", func(d *memory.Draft) { d.TaskTypes = []ctxmcp.TaskType{ctxmcp.CodeGeneration, ""} }, invalid, `task_types "" is not a known word`},

		{"confidence below", func(d *memory.Draft) { d.Source.Confidence = number(-0.01) }, invalid, "source.confidence is not between 0 and 1"},
		{"confidence above", func(d *memory.Draft) { d.Source.Confidence = number(1.01) }, invalid, "source.confidence is not between 0 and 1"},
		{"confidence that is no number", func(d *memory.Draft) { d.Source.Confidence = number(math.NaN()) }, invalid, "source.confidence is not between 0 and 1"},
		{"decay at once", decay(0, 0), invalid, "decay is out of range"},
		{"decay never", decay(math.Inf(1), 0), invalid, "decay is out of range"},
		{"decay to no number", decay(1, math.NaN()), invalid, "decay is out of range"},
		{"decay to below nothing", decay(1, -0.1), invalid, "decay is out of range"},
		{"decay to above all", decay(1, 1.1), invalid, "decay is out of range"},

		{"a role with a space", func(d *memory.Draft) { d.Permissions.AllowRoles = []string{"a b"} }, invalid, "a role or object id holds characters"},
		{"an empty role", func(d *memory.Draft) { d.Permissions.DenyRoles = []string{""} }, invalid, "a role or object id holds characters"},
		{"a source that is no id", func(d *memory.Draft) { d.DerivedFrom = []string{"a\x00"} }, invalid, "a role or object id holds characters"},
		{"many allowed roles", func(d *memory.Draft) { d.Permissions.AllowRoles = names(101) }, tooLarge, "a list has over 100 entries"},
		{"many denied roles", func(d *memory.Draft) { d.Permissions.DenyRoles = names(101) }, tooLarge, "a list has over 100 entries"},
		{"many sources", func(d *memory.Draft) { d.DerivedFrom = names(101) }, tooLarge, "a list has over 100 entries"},
		{"many task types", func(d *memory.Draft) { d.TaskTypes = slices.Repeat(ctxmcp.TaskTypes(), 26) }, tooLarge, "a list has over 100 entries"},

		{"observed later", func(d *memory.Draft) { d.ObservedAt = start.Add(5*time.Minute + 1) }, invalid, "observed_at is in the future"},
		{"valid in another century", func(d *memory.Draft) { d.ValidFrom = start.AddDate(101, 0, 0) }, invalid, "valid_from is over a hundred years ahead"},
		{"valid for no time", func(d *memory.Draft) { d.ValidUntil = start }, invalid, "valid_until is not after valid_from"},
		{"valid for less than can be stored", func(d *memory.Draft) { d.ValidUntil = start.Add(999) }, invalid, "valid_until is not after valid_from"},
		{"valid backwards", func(d *memory.Draft) { d.ValidFrom, d.ValidUntil = day(2), day(1) }, invalid, "valid_until is not after valid_from"},
		{"valid until before it was observed", func(d *memory.Draft) { d.ObservedAt, d.ValidUntil = day(-1), day(-2) }, invalid, "valid_until is not after valid_from"},
		{"valid until year 10000", func(d *memory.Draft) {
			d.ValidUntil = time.Date(9999, 12, 31, 23, 0, 0, 0, time.FixedZone("", -14*3600))
		}, invalid, "a time lies outside the years 1 to 9999"},
		{"valid from before year 1", func(d *memory.Draft) { d.ValidFrom = time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC) }, invalid, "a time lies outside the years 1 to 9999"},

		{"project level outside a project", func(d *memory.Draft) { d.Level = ctxmcp.ProjectLayer }, invalid, `level "project" needs scope.project`},
		{"session level outside a session", func(d *memory.Draft) { d.Level = ctxmcp.SessionLayer }, invalid, `level "session" needs scope.session`},
		{"task level outside a task", func(d *memory.Draft) { d.Level = ctxmcp.TaskLayer }, invalid, `level "task" needs scope.task`},

		{"a rule from a user", func(d *memory.Draft) { d.Source.Kind = ctxmcp.System }, denied, "source.kind system is for operators"},
		{"a replacement of nothing", func(d *memory.Draft) { d.Supersedes = "unknown" }, notFound, "there is no such object"},
		{"a source that is nothing", func(d *memory.Draft) { d.DerivedFrom = []string{"unknown"} }, notFound, `derived_from: there is no object "unknown"`},
	}
}

// TestRefusals: every rule refuses its draft, with its code and in its words, and nothing at all is stored.
func TestRefusals(t *testing.T) {
	for _, r := range refusals() {
		t.Run(r.name, func(t *testing.T) {
			d := plain()
			r.wrong(&d)
			wantRefused(t, d, r.code, r.message)
		})
	}
}

// TestUnreadableTexts: every free text is refused if it is no text, or longer than any use.
func TestUnreadableTexts(t *testing.T) {
	texts := map[string]func(*memory.Draft, string){
		"content":                func(d *memory.Draft, s string) { d.Content = s },
		"author":                 func(d *memory.Draft, s string) { d.Author = s },
		"claim.subject":          func(d *memory.Draft, s string) { d.Claim = ctxmcp.Claim{Subject: s, Predicate: "p", Value: "v"} },
		"claim.predicate":        func(d *memory.Draft, s string) { d.Claim = ctxmcp.Claim{Subject: "s", Predicate: s, Value: "v"} },
		"claim.value":            func(d *memory.Draft, s string) { d.Claim = ctxmcp.Claim{Subject: "s", Predicate: "p", Value: s} },
		"why_it_matters":         func(d *memory.Draft, s string) { d.WhyItMatters = s },
		"behavioral_implication": func(d *memory.Draft, s string) { d.BehavioralImplication = s },
		"source.origin":          func(d *memory.Draft, s string) { d.Source.Origin = s },
		"update_path":            func(d *memory.Draft, s string) { d.UpdatePath = s },
		"idempotency_key":        func(d *memory.Draft, s string) { d.IdempotencyKey = s },
	}
	for name, set := range texts {
		t.Run(name, func(t *testing.T) {
			for _, text := range []string{"a\x00b", "\xff", "caf\xe9"} {
				d := plain()
				set(&d, text)
				wantRefused(t, d, ctxmcp.CodeInvalid, name+" is not text")
			}
			if name == "content" {
				return
			}
			d := plain()
			set(&d, "x:"+strings.Repeat("é", 1999))
			wantRefused(t, d, ctxmcp.CodeTooLarge, name+" has over 2000 characters")
		})
	}
}

// wantRefused checks that the draft fails and leaves nothing behind, not even its idempotency key.
func wantRefused(t *testing.T, d memory.Draft, code ctxmcp.Code, message string) {
	t.Helper()
	store := &inmem.Store{}
	s, _ := newService(store)
	if d.IdempotencyKey == "" {
		d.IdempotencyKey = "k"
	}
	r, err := s.Remember(t.Context(), ann, d)
	wantError(t, err, code, message)
	if r.Status != "" || r.ObjectID != "" {
		t.Errorf("Remember = %+v beside an error, want nothing", r)
	}
	if rows := find(t, store, every("acme")); len(rows) > 0 {
		t.Errorf("%d versions are stored", len(rows))
	}
	if kept, err := store.Replay(t.Context(), memory.Key{Tenant: "acme", User: "ann", Name: d.IdempotencyKey}); kept != nil || err != nil {
		t.Errorf("Replay = %v, %v, want the key free", kept, err)
	}
}

// TestLimitsAreInclusive: a draft just within every limit is stored.
func TestLimitsAreInclusive(t *testing.T) {
	d := plain()
	d.Content = strings.Repeat("x", 50_000)
	d.Author, d.WhyItMatters, d.BehavioralImplication = strings.Repeat("é", 2000), strings.Repeat("é", 2000), strings.Repeat("é", 2000)
	d.Claim = ctxmcp.Claim{Subject: strings.Repeat("s", 2000), Predicate: "$", Value: "+"}
	d.UpdatePath, d.Source.Origin = "crm:"+strings.Repeat("x", 1996), strings.Repeat("é", 2000)
	d.Permissions = ctxmcp.PermissionScope{AllowRoles: names(100), DenyRoles: slices.Repeat([]string{"b"}, 100)}
	d.TaskTypes = slices.Repeat(ctxmcp.TaskTypes(), 25)
	d.ObservedAt = start.Add(5 * time.Minute)
	d.ValidFrom, d.ValidUntil = time.Date(1, 1, 1, 0, 0, 1, 0, time.UTC), time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC)
	d.Decay, d.Source.Confidence = &ctxmcp.DecayRule{HalfLifeDays: 1e-9, MinimumThreshold: 1}, number(0)
	d.IdempotencyKey = strings.Repeat("k", 2000)
	overStores(t, func(t *testing.T, store memory.Store) {
		s, _ := newService(store)
		r := remember(t, s, ann, d)
		if rows := find(t, store, every("acme")); len(rows) != 1 || r.Status != memory.Stored {
			t.Errorf("%d versions are stored, %+v, want 1", len(rows), r)
		}
	})
}
