package brief_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory/brief"
)

func typed(t ctxmcp.ObjectType, o ctxmcp.ContextObject) ctxmcp.ContextObject {
	o.ObjectType = t
	return o
}

// TestPartOf: a type that was named decides, else the words, and what was retrieved belongs to no part.
func TestPartOf(t *testing.T) {
	retrieved := said("2026-01-01", "Users must rotate their keys.")
	retrieved.Authority = ctxmcp.AuthorityRetrieved
	for _, tt := range []struct {
		o    ctxmcp.ContextObject
		want brief.Part
	}{
		{said("2026-01-01", "Never push to main directly."), brief.Constraints},
		{said("2026-01-01", "We use tabs in all Go files."), brief.Decisions},
		{said("2026-01-01", "I prefer short answers."), brief.Preferences},
		{said("2026-01-01", "We still need to renew the certificate."), brief.Tasks},
		{said("2026-01-01", "Anna is our designer."), brief.People},
		{said("2026-01-01", "PostgreSQL 16."), brief.Decisions},
		{said("2026-01-01", "I support Arsenal."), brief.People},
		{said("2026-01-01", "My son is allergic to penicillin."), brief.Constraints},
		{said("2026-01-01", "I have high blood pressure."), brief.Constraints},
		{said("2026-01-01", "We don't eat pork at home."), brief.Constraints},
		{typed(ctxmcp.InferredBelief, said("2026-01-01", "The user is vegetarian.")), brief.Constraints},
		{typed(ctxmcp.IdentityFact, said("2026-01-01", "Lyon, since May")), brief.People},
		{typed(ctxmcp.InferredBelief, said("2026-01-01", "The build is slow on Mondays")), brief.Lately},
		{typed(ctxmcp.ActionableConstraint, said("2026-01-01", "I prefer that db/tx.go stays as it is.")), brief.Constraints},
		{typed(ctxmcp.Preference, said("2026-01-01", "Never any comments.")), brief.Preferences},
		{retrieved, ""},
		{typed(ctxmcp.ToolSchema, said("2026-01-01", "search(query)")), ""},
	} {
		if got := brief.PartOf(tt.o); got != tt.want {
			t.Errorf("PartOf(%q, %s) = %q, want %q", tt.o.Content, tt.o.ObjectType, got, tt.want)
		}
	}
}

// TestCompose: parts stand in their order, the latest first in each, within the budget; each part has room, and nothing is said
// twice.
func TestCompose(t *testing.T) {
	held := []ctxmcp.ContextObject{
		said("2026-03-01", "We deploy on Thursdays."),
		said("2026-03-02", "Never deploy on a Friday."),
		said("2026-01-05", "Never ever deploy on Fridays."), // the same, earlier
		said("2026-01-01", "I prefer short answers."),
		said("2026-02-01", "I prefer British spelling."),
		said("2026-02-01", "I am Ann, and I run the bakery."),
		said("2026-02-02", "We still need to renew the certificate."),
	}
	var never []ctxmcp.ContextObject
	for _, thing := range strings.Fields("red green blue black white brown grey pink") {
		never = append(never, said("2026-04-01", "Never paint the door of the house number "+thing+"."))
	}
	compose := func(all []ctxmcp.ContextObject, b brief.Bounds, relevant string) (got []string) {
		var candidates []brief.Candidate
		for _, o := range all {
			c := brief.Candidate{Object: o}
			if relevant != "" && strings.Contains(o.Content, relevant) {
				c.Relevance, c.Bearing = 0.9, 0.9
			}
			candidates = append(candidates, c)
		}
		b.Price = func(ctxmcp.ContextObject) int { return 10 }
		b.Heading = func(brief.Part) int { return 0 }
		for _, c := range brief.Compose(candidates, b) {
			got = append(got, string(c.Part)+": "+c.Object.Content)
		}
		return got
	}
	want := []string{
		"constraints: Never deploy on a Friday.",
		"preferences: I prefer British spelling.", "preferences: I prefer short answers.",
		"decisions: We deploy on Thursdays.", "people: I am Ann, and I run the bakery.", "tasks: We still need to renew the certificate.",
	}
	if diff := cmp.Diff(want, compose(held, brief.Bounds{Tokens: 200}, "")); diff != "" {
		t.Errorf("the brief differs (-want +got):\n%s", diff)
	}
	about := compose(held, brief.Bounds{Tokens: 200, About: true}, "")
	if about[0] != "people: I am Ann, and I run the bakery." {
		t.Errorf("a brief about somebody begins with %q", about[0])
	}
	topical := compose(held, brief.Bounds{Tokens: 200, Topical: true}, "deploy")
	if diff := cmp.Diff([]string{"topic: Never deploy on a Friday.", "topic: We deploy on Thursdays."}, topical[:2]); diff != "" {
		t.Errorf("a brief for a topic begins otherwise (-want +got):\n%s", diff)
	}
	for tokens := range 150 {
		if got := compose(slices.Concat(held, never), brief.Bounds{Tokens: tokens, Most: 6}, "deploy"); len(got)*10 > tokens || len(got) > 6 {
			t.Errorf("with %d tokens the brief has %d entries", tokens, len(got))
		}
	}
	crowded := strings.Join(compose(slices.Concat(never, held), brief.Bounds{Tokens: 100}, ""), "\n")
	for _, part := range []string{"preferences:", "decisions:", "people:"} {
		if !strings.Contains(crowded, part) {
			t.Errorf("many constraints leave no room for %s\n%s", part, crowded)
		}
	}
	if got := compose(held, brief.Bounds{Tokens: 200, Only: []brief.Part{brief.Preferences}}, ""); len(got) != 2 {
		t.Errorf("of the preferences alone there are %q", got)
	}
}

// TestWords: the words to try are of different memories, and none is tried twice.
func TestWords(t *testing.T) {
	got := brief.Words([]ctxmcp.ContextObject{
		said("2026-01-01", "We deploy on Thursdays."), said("2026-01-01", "Thursdays are busy days."), said("2026-01-01", "Of it."), said("2026-01-01", "A dog."),
		said("2026-01-01", "The certificate expires."),
	}, 3)
	if diff := cmp.Diff([]string{"Thursdays", "busy", "certificate"}, got); diff != "" {
		t.Errorf("words differ (-want +got):\n%s", diff)
	}
}
