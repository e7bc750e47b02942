package memory_test

import (
	"context"
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/redact"
)

// hideLater redacts addresses too, as settings do that hide more than those of the day on which something was stored.
func hideLater(ctx context.Context, tenant, text string) (string, []redact.Finding, error) {
	hidden := regexp.MustCompile(`\w+@\w+`).ReplaceAllString(text, "[EMAIL:REDACTED]")
	if hidden == text {
		return hideSecrets(ctx, tenant, text)
	}
	return hidden, []redact.Finding{{Label: "EMAIL", Count: 1}}, nil
}

// TestHiddenLater: every answer hides what the settings hide by now, though it was stored in the clear.
func TestHiddenLater(t *testing.T) {
	overStores(t, func(t *testing.T, store memory.Store) {
		s, c := newService(store)
		say := func(d memory.Draft) string {
			d.Scope, d.Source.Kind, d.Author, d.WhyItMatters = atHome, ctxmcp.UserStatement, "zoe@home", "zoe@home asked for it"
			return remember(t, s, ann, d).ObjectID
		}
		first := say(memory.Draft{Content: "The landlord of the flat is bob@rents.", Claim: ctxmcp.Claim{Subject: "landlord", Predicate: "mail", Value: "bob@rents"}})
		say(memory.Draft{Content: "The landlord is pam@rents.", Claim: ctxmcp.Claim{Subject: "landlord", Predicate: "mail", Value: "pam@rents"}})
		say(memory.Draft{Content: "Prefer to write to eve@rents.", ObjectType: ctxmcp.Preference, DerivedFrom: []string{first}})
		c.set(day(1))
		later := memory.New(memory.Core{Store: store, Counter: words{}, Redact: hideLater, Now: c.now, NewID: countedIDs(), Logger: s.Logger})
		ask := memory.Ask{Query: "who is the landlord", Scope: atHome}
		answers := map[string]func() (any, error){
			"recall": func() (any, error) { return later.Recall(t.Context(), ann, ask) },
			"brief":  func() (any, error) { return later.Recall(t.Context(), ann, memory.Ask{Scope: atHome}) },
			"list":   func() (any, error) { return later.Recall(t.Context(), ann, memory.Ask{Newest: true, Scope: atHome}) },
			"meant":  func() (any, error) { return later.Meant(t.Context(), ann, ask, memory.Retire) },
			"all meant": func() (any, error) {
				return later.Meant(t.Context(), ann, memory.Ask{Query: "forget everything", Scope: atHome}, memory.Erase)
			},
			"history": func() (any, error) {
				return later.History(t.Context(), ann, memory.HistoryAsk{ObjectID: first, Scope: atHome})
			},
			"browse": func() (any, error) {
				return later.Browse(t.Context(), ann, memory.Browsing{EveryVersion: true, Limit: 9})
			},
			"derived from": func() (any, error) { return later.DerivedFrom(t.Context(), ann, first, 9) },
		}
		for name, answer := range answers {
			got, err := answer()
			text, _ := json.Marshal(got)
			if err != nil || !strings.Contains(string(text), "EMAIL:REDACTED") || strings.Contains(string(text), "@") {
				t.Errorf("%s = %s, %v, want the addresses hidden", name, text, err)
			}
		}
		stored, err := later.Browse(t.Context(), ann, memory.Browsing{AsStored: true, Limit: 9})
		if text, _ := json.Marshal(stored); err != nil || !strings.Contains(string(text), "pam@rents") {
			t.Errorf("as stored: %s, %v", text, err)
		}
		r, err := later.Recall(t.Context(), ann, ask)
		if err != nil || len(r.Memories) == 0 || !strings.Contains(r.Memories[0].Stored().Content, "@rents") {
			t.Errorf("Stored = %+v, %v, want the object as the store has it", r.Memories, err)
		}
		again, err := later.Remember(t.Context(), ann, memory.Draft{Content: "The landlord is ted.", Scope: atHome, Source: memory.Source{Kind: ctxmcp.UserStatement},
			Claim: ctxmcp.Claim{Subject: "landlord", Predicate: "mail", Value: "ted"}})
		if err != nil || len(again.Displaced) != 1 || again.Displaced[0].Content != "The landlord is [EMAIL:REDACTED]." {
			t.Errorf("Remember = %+v, %v, want the displaced text hidden", again, err)
		}
	})
}

// TestNamesHiddenLater: the registry of entities shows no name that the settings hide by now, and still finds it.
func TestNamesHiddenLater(t *testing.T) {
	overRegistries(t, func(t *testing.T, s *memory.Service) {
		tell(t, s, inWeb, "Samuel Ortiz leads the payments team; his email is sam@acme.io.")
		s.Redact = hideLater
		listed, err := s.ListEntities(t.Context(), ann, "", "", 9)
		if err != nil {
			t.Fatal(err)
		}
		found, err := s.FindEntities(t.Context(), ann, inWeb, "sam@acme.io")
		if err != nil || len(found) != 1 {
			t.Fatalf("FindEntities of a hidden name = %v, %v, want one", found, err)
		}
		hidden := 0
		for _, e := range append(append(listed, found[0].Root), found[0].Names...) {
			if strings.Contains(e.Name, "@") {
				t.Errorf("the registry shows %q", e.Name)
			}
			if strings.Contains(e.Name, "REDACTED") {
				hidden++
			}
		}
		if hidden < 2 {
			t.Errorf("%d names are hidden, want that of the list and that of the entity", hidden)
		}
	})
}
