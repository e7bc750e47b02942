package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
)

// address returns what a user said of the office's address, from one day on.
func address(value string) map[string]any {
	return map[string]any{
		"content": "The office is in " + value + ".", "valid_from": "2025-06-01T00:00:00Z", "level": "user",
		"claim":  map[string]any{"subject": "the office", "predicate": "located_in", "value": value},
		"source": map[string]any{"kind": "user_statement"},
	}
}

// remembered is what a test reads of an answer.
type remembered struct {
	Status    string
	ObjectID  string `json:"object_id"`
	Reason    string
	ReviewID  string `json:"review_id"`
	Displaced []displacedOut
}

func rememberAt(t *testing.T, c *client.Client, value string) (r remembered) {
	t.Helper()
	if err := json.Unmarshal([]byte(structured(t, c, "remember", address(value))), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// recalled returns the addresses that recall finds.
func recalled(t *testing.T, c *client.Client) string {
	t.Helper()
	text := structured(t, c, "recall", map[string]any{"query": "Where is the office?"})
	var found []string
	for _, city := range []string{"Bonn", "Kiel"} {
		if strings.Contains(text, "The office is in "+city) {
			found = append(found, city)
		}
	}
	return strings.Join(found, " ")
}

// chooser returns a user who notes the question and takes the choice whose title begins so.
func chooser(messages *[]string, action mcp.ElicitationResponseAction, title string) user {
	return func(q mcp.ElicitationParams) (mcp.ElicitationResponseAction, string) {
		*messages = append(*messages, q.Message)
		field := q.RequestedSchema.(map[string]any)["properties"].(map[string]any)["choice"].(map[string]any)
		if one, ok := field["oneOf"].([]any); ok {
			for _, c := range one {
				if c := c.(map[string]any); strings.HasPrefix(c["title"].(string), title) {
					return action, c["const"].(string)
				}
			}
			return action, "none"
		}
		for i, name := range field["enumNames"].([]any) {
			if strings.HasPrefix(name.(string), title) {
				return action, field["enum"].([]any)[i].(string)
			}
		}
		return action, "none"
	}
}

// numbered gives a service ids that differ.
func numbered(s *Services) *Services {
	n := 0
	s.Memory.NewID = func() string { n++; return fmt.Sprint("id", n) }
	return s
}

// TestContradictionIsDecidedInPlace: over both transports, in every era, the user's choice holds at once.
func TestContradictionIsDecidedInPlace(t *testing.T) {
	const accept = mcp.ElicitationResponseActionAccept
	for _, test := range []struct {
		name           string
		action         mcp.ElicitationResponseAction
		choice         string // part of the title
		status, recall string
		reason         string
	}{
		{"the new one", accept, "2. The office is in Kiel", "superseded", "Kiel", "the user was asked and decided: "},
		{"the old one", accept, "1. The office is in Bonn", "rejected", "Bonn", "the user was asked and decided: "},
		{"both", accept, "All of them hold", "stored", "Bonn Kiel", "the user was asked and decided: "},
		{"neither", accept, "None of them holds", "rejected", "", "the user was asked and decided: "},
		{"declined", "decline", "", "quarantined", "", "; the user declined to choose: review "},
		{"closed", "cancel", "", "quarantined", "", "; the user closed the question: review "},
		{"not offered", accept, "no such title", "quarantined", "", "; no valid answer came from the user in time: review "},
	} {
		for _, by := range connections() {
			t.Run(test.name+" "+by.transport+" "+by.version, func(t *testing.T) {
				var messages []string
				c := connect(t, by, chooser(&messages, test.action, test.choice), numbered(services(t)))
				rememberAt(t, c, "Bonn")
				got := rememberAt(t, c, "Kiel")
				if got.Status != test.status || !strings.Contains(got.Reason, test.reason) {
					t.Errorf("remember = %+v, want %s because %q", got, test.status, test.reason)
				}
				if where := recalled(t, c); where != test.recall {
					t.Errorf("recall finds %q, want %q", where, test.recall)
				}
				if len(messages) != 1 || !strings.Contains(messages[0], "“The office is in Bonn.” (said by the user, valid from 2025-06-01)") {
					t.Errorf("the user was asked %q", messages)
				}
			})
		}
	}
}

// TestContradictionThatCannotBeAsked: it waits in the list, and the answer says why.
func TestContradictionThatCannotBeAsked(t *testing.T) {
	for _, by := range connections() {
		t.Run(by.transport+" "+by.version, func(t *testing.T) {
			s := numbered(services(t))
			c := connect(t, by, nil, s)
			rememberAt(t, c, "Bonn")
			got := rememberAt(t, c, "Kiel")
			if got.Status != "quarantined" || !strings.Contains(got.Reason, "; the user cannot be asked here: review ") {
				t.Errorf("remember = %+v", got)
			}
			if items, err := s.Memory.Reviews(t.Context(), ann, 0); len(items) != 1 || err != nil {
				t.Errorf("reviews = %v, %v, want the contradiction", items, err)
			}
		})
	}
}

// TestDecidedElsewhereMeanwhile: an answer to what is settled by then is no error, because the memory is stored.
func TestDecidedElsewhereMeanwhile(t *testing.T) {
	for _, by := range connections() {
		t.Run(by.transport+" "+by.version, func(t *testing.T) {
			s := numbered(services(t))
			c := connect(t, by, func(q mcp.ElicitationParams) (mcp.ElicitationResponseAction, string) {
				items, err := s.Memory.Reviews(t.Context(), ann, 0)
				if err != nil || len(items) != 1 {
					t.Errorf("reviews = %v, %v, want one", items, err)
					return mcp.ElicitationResponseActionCancel, ""
				}
				if _, err := s.Memory.Settle(t.Context(), ann, items[0].ID, items[0].Candidates[0].ID); err != nil {
					t.Error(err)
				}
				return mcp.ElicitationResponseActionAccept, items[0].Candidates[1].ID
			}, s)
			rememberAt(t, c, "Bonn")
			got := rememberAt(t, c, "Kiel")
			if got.Status != "quarantined" || !strings.HasSuffix(got.Reason, " is not open any more") {
				t.Errorf("remember = %+v", got)
			}
			if where := recalled(t, c); where != "Bonn" {
				t.Errorf("recall finds %q, want what was decided first", where)
			}
		})
	}
}

// TestCallerThatMayNotDecide: who may not speak for the user does not ask the user either.
func TestCallerThatMayNotDecide(t *testing.T) {
	s := services(t)
	s.Asker = busybody{t: t}
	agent := ann
	agent.Authority = ctxmcp.AuthorityInferred
	settled, why, err := call{by: agent, Services: s}.decide(t.Context(), memory.ReviewItem{ID: "r"}, nil)
	if settled != nil || why != "this caller may not decide for the user" || err != nil {
		t.Errorf("decide = %v, %q, %v", settled, why, err)
	}
}

// busybody is an Asker that must not be used.
type busybody struct {
	Asker
	t *testing.T
}

func (b busybody) Ask(context.Context, ctxmcp.Question, any) (ctxmcp.Answer, error) {
	b.t.Error("the user was asked")
	return ctxmcp.Answer{}, nil
}

// TestReviewIsResolvedInPlace: a question that the user did not decide at first is asked again when it is to be resolved.
func TestReviewIsResolvedInPlace(t *testing.T) {
	for _, by := range connections() {
		t.Run(by.transport+" "+by.version, func(t *testing.T) {
			var messages []string
			c := connect(t, by, func(q mcp.ElicitationParams) (mcp.ElicitationResponseAction, string) {
				turns := []mcp.ElicitationResponseAction{"cancel", "decline", "accept"}
				return chooser(&messages, turns[len(messages)], "1. The office is in Bonn")(q)
			}, numbered(services(t)))
			rememberAt(t, c, "Bonn")
			id := rememberAt(t, c, "Kiel").ReviewID
			resolve := map[string]any{"action": "resolve", "id": id}
			declined := structured(t, c, "review", resolve)
			if !strings.Contains(declined, `"reason":"the user declined to choose: it stays open"`) || !strings.Contains(declined, `"id":"`+id+`"`) {
				t.Errorf("review = %s, want the item and why it stays", declined)
			}
			resolved := structured(t, c, "review", resolve)
			if !strings.Contains(resolved, `"items":[],"resolved":{`) || recalled(t, c) != "Bonn" {
				t.Errorf("review = %s, and recall finds %s", resolved, recalled(t, c))
			}
			if again := structured(t, c, "review", resolve); !strings.Contains(again, `"code":"not_found"`) {
				t.Errorf("review of what is settled = %s", again)
			}
			if len(messages) != 3 || messages[0] != messages[2] {
				t.Errorf("the user was asked %q", messages)
			}
		})
	}
}

// TestReviewWithoutDecisionOrUser: the item comes back with the reason, and nothing is decided.
func TestReviewWithoutDecisionOrUser(t *testing.T) {
	for _, by := range connections() {
		t.Run(by.transport+" "+by.version, func(t *testing.T) {
			c := connect(t, by, nil, numbered(services(t)))
			rememberAt(t, c, "Bonn")
			id := rememberAt(t, c, "Kiel").ReviewID
			got := structured(t, c, "review", map[string]any{"action": "resolve", "id": id})
			if !strings.Contains(got, `"reason":"the user cannot be asked here: it stays open"`) {
				t.Errorf("review = %s", got)
			}
			if list := structured(t, c, "review", map[string]any{}); !strings.Contains(list, `"id":"`+id+`"`) {
				t.Errorf("the list = %s, want the item in it", list)
			}
		})
	}
}
