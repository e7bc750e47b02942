package memory_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
)

func offices() memory.ReviewItem {
	at := time.Date(2025, 6, 1, 0, 0, 0, 0, time.UTC)
	return memory.ReviewItem{
		ID: "r", Kind: memory.ConflictReview, Question: "Which one holds?",
		Candidates: []memory.ReviewCandidate{
			{ID: "bonn", Object: ctxmcp.ContextObject{ObjectID: "bonn", Content: "Bonn", SourceKind: ctxmcp.UserStatement, ValidFrom: at}},
			{ID: "kiel", Object: ctxmcp.ContextObject{ObjectID: "kiel", Content: strings.Repeat("Kiel ", 1000), Author: "Ben", ValidFrom: at}},
		},
		Decisions: []string{"bonn", "kiel", "both", "neither", "of a newer version"},
	}
}

func TestReviewAsked(t *testing.T) {
	q := offices().Asked()
	if want := "Which one holds?\n\n1. “Bonn” (said by the user, valid from 2025-06-01)\n\n2. “Kiel "; !strings.HasPrefix(q.Message, want) {
		t.Errorf("the message is %q, want %q first", q.Message, want)
	}
	if !strings.HasSuffix(q.Message, "…” (said by Ben, valid from 2025-06-01)") || len(q.Message) > 1000 {
		t.Errorf("the message of %d bytes is %q, want it cut", len(q.Message), q.Message)
	}
	var got []string
	for _, c := range q.Choices {
		got = append(got, c.Value+": "+c.Title)
	}
	want := []string{"bonn: 1. Bonn", "kiel: 2. " + strings.Repeat("Kiel ", 15) + "Kiel…", "both: All of them hold",
		"neither: None of them holds", "of a newer version: of a newer version"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("choices differ (-want +got):\n%s", diff)
	}
}

// TestReviewOfWhatIsNoObject: a candidate that has an id only is asked about by it.
func TestReviewOfWhatIsNoObject(t *testing.T) {
	item := memory.ReviewItem{Question: "Is it this one?", Candidates: []memory.ReviewCandidate{{ID: "entity-7"}}, Decisions: []string{"entity-7"}}
	want := ctxmcp.Question{Message: "Is it this one?\n\n1. entity-7", Choices: []ctxmcp.Choice{{Value: "entity-7", Title: "1. entity-7"}}}
	if diff := cmp.Diff(want, item.Asked()); diff != "" {
		t.Errorf("the question differs (-want +got):\n%s", diff)
	}
}

func TestRememberedDecided(t *testing.T) {
	third := memory.Displaced{ObjectID: "rome", Status: ctxmcp.Overridden}
	held := memory.Displaced{ObjectID: "bonn", Content: "Bonn", Status: ctxmcp.Quarantined}
	for decision, want := range map[string]memory.Remembered{
		"kiel":    {Status: memory.Superseded, Displaced: []memory.Displaced{third, {ObjectID: "bonn", Content: "Bonn", Status: ctxmcp.Overridden}}},
		"bonn":    {Status: memory.Rejected, Displaced: []memory.Displaced{third}},
		"both":    {Status: memory.Stored, Displaced: []memory.Displaced{third}},
		"neither": {Status: memory.Rejected, Displaced: []memory.Displaced{third, held}},
	} {
		r := memory.Remembered{
			Status: memory.Quarantine, ObjectID: "kiel", Review: "r", Reason: "a conflict", Displaced: []memory.Displaced{third, held},
		}
		want.ObjectID, want.Reason = "kiel", "the user was asked and decided: done"
		got := r.Decided(offices(), memory.Settled{ID: "r", Decision: decision, Effect: "done"})
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("after %q (-want +got):\n%s", decision, diff)
		}
	}
}
