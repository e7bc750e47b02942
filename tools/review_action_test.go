package tools

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions/policy"
)

// asking gives a service rules that put everything to a person.
func asking(t *testing.T, s *Services) *Services {
	t.Helper()
	set, err := policy.Load("ask.cedar", `@id("ask") @decision("step_up") @why("all of it is for a person to decide") forbid (principal, action, resource);`, ctxmcp.Allow)
	if err != nil {
		t.Fatal(err)
	}
	s.Actions.Decider = set
	return s
}

// sent records the action of a session and returns the decision, with the id of what waits.
func sent(t *testing.T, c *client.Client) (decision, id string) {
	t.Helper()
	structured(t, c, "start_session", map[string]any{"session_id": "s", "original_request": map[string]any{"text": "write to Ben"}})
	decision = structured(t, c, "record_action", map[string]any{
		"session_id": "s", "action_id": "a", "tool": "mail", "operation": "send", "parameters": map[string]any{"to": "ben-the-builder"}})
	var list struct {
		Items []struct{ ID, Kind, Question string }
	}
	if err := json.Unmarshal([]byte(structured(t, c, "review", map[string]any{})), &list); err != nil {
		t.Fatal(err)
	}
	for _, i := range list.Items {
		if i.Kind == "action" && strings.Contains(i.Question, "mail.send") {
			id = i.ID
		}
	}
	return decision, id
}

// TestActionIsApprovedInPlace: the user who is asked sees the request and the arguments, and their word holds; the agent's
// does not.
func TestActionIsApprovedInPlace(t *testing.T) {
	for title, want := range map[string]string{"Yes": `"verdict":"allow"`, "No": `"verdict":"deny"`} {
		for _, by := range connections() {
			t.Run(title+" "+by.transport+" "+by.version, func(t *testing.T) {
				var messages []string
				c := connect(t, by, chooser(&messages, mcp.ElicitationResponseActionAccept, title), asking(t, services(t)))
				decision, id := sent(t, c)
				if !strings.Contains(decision, `"verdict":"step_up"`) || id == "" {
					t.Fatalf("record_action = %s, and %q waits", decision, id)
				}
				own := structured(t, c, "review", map[string]any{"action": "resolve", "id": id, "decision": "approve"})
				if !strings.Contains(own, `"code":"denied"`) {
					t.Errorf("the agent approves itself: %s", own)
				}
				resolved := structured(t, c, "review", map[string]any{"action": "resolve", "id": id})
				if !strings.Contains(resolved, `"resolved":{`) {
					t.Errorf("review = %s", resolved)
				}
				if decision, id = sent(t, c); !strings.Contains(decision, want) || id != "" {
					t.Errorf("record_action = %s, want %s, and %q waits", decision, want, id)
				}
				if len(messages) != 1 || !strings.Contains(messages[0], "write to Ben") || !strings.Contains(messages[0], "ben-the-builder") {
					t.Errorf("the user was asked %q", messages)
				}
			})
		}
	}
}

// TestActionThatNobodyCanBeAskedAbout: it stays open, and the answer says why.
func TestActionThatNobodyCanBeAskedAbout(t *testing.T) {
	for _, by := range connections() {
		c := connect(t, by, nil, asking(t, services(t)))
		_, id := sent(t, c)
		got := structured(t, c, "review", map[string]any{"action": "resolve", "id": id})
		if !strings.Contains(got, `"reason":"the user cannot be asked here: it stays open"`) || !strings.Contains(got, id) {
			t.Errorf("%s %s: review = %s", by.transport, by.version, got)
		}
	}
	s := asking(t, services(t))
	s.Asker = busybody{t: t}
	agent := ann
	agent.Authority = ctxmcp.AuthorityInferred
	c := connect(t, connections()[0], nil, s)
	_, id := sent(t, c)
	if out, err := (call{by: agent, Services: s}).resolvePending(t.Context(), id, ""); err != nil || out.Resolved != nil || !strings.Contains(out.Reason, "may not decide") {
		t.Errorf("resolvePending for an agent = %+v, %v", out, err)
	}
}
