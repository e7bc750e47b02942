package hook

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ctx-mcp/ctx-mcp/guard"
)

const (
	idOfA = "8f4c1d3e-aaaa-4444-9999-0123456789ab"
	idOfB = "8f4c1d3e-bbbb-4444-9999-0123456789ab"
	useID = "toolu_01AbCdEfGhIjKlMnOpQr"
)

// announce tells the handler that a client is about to call ctx-mcp's tool with the path.
func announce(h *Handler, client, session, tool, id, path string) {
	event := fmt.Sprintf(`{"hook_event_name":"PreToolUse","session_id":%q,"tool_name":%q,"tool_input":{"path":%q,"n":1},"tool_use_id":%q}`, session, tool, path, id)
	h.Handle(context.Background(), client, []byte(event))
}

// claimOf asks whose the call of files__read with the path is, and returns the front and the id of the conversation; "" for none.
func claimOf(t *testing.T, h *Handler, path string, ids ...string) string {
	t.Helper()
	return claimAs(t, h, guard.Claim{
		Tenant: h.By.Tenant, User: h.By.User, IDs: ids, Call: guard.CallDigest("files__read", json.RawMessage(`{ "n": 1, "path": "`+path+`"}`)),
	})
}

func claimAs(t *testing.T, h *Handler, in guard.Claim) string {
	t.Helper()
	text, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	var out guard.Claimed
	if got := h.Handle(context.Background(), Claim, text); got.Exit != 0 || json.Unmarshal([]byte(got.Stdout), &out) != nil {
		t.Fatalf("the answer to a claim is %+v", got)
	}
	return strings.TrimSpace(out.Conversation.Front + " " + out.Conversation.ID)
}

// TestClaim: a call is of the conversation that announced the same call and that the client names, and of no other.
func TestClaim(t *testing.T) {
	r := &rule{said: []string{"read it"}}
	h := handlerOver(r, Open)
	announce(h, "claude-code", idOfA, "mcp__ctx-mcp__files__read", useID, "a")
	announce(h, "codex", idOfB, "mcp__ctx_mcp__files__read", "call_1", "b")
	announce(h, "vscode", "short", "mcp_ctx-mcp_files__read", "call_2", "c")
	for _, tc := range []struct {
		what, path, ids, want string
	}{
		{"by the id of the call", "a", useID, "claude-code " + idOfA},
		{"by the id of the conversation", "b", idOfB, "codex " + idOfB},
		{"a retry", "a", useID, "claude-code " + idOfA},
		{"nothing is named", "a", "", ""},
		{"another conversation is named", "a", idOfB, ""},
		{"other arguments", "z", useID, ""},
		{"the id of a call that clients count", "b", "call_1", ""},
		{"an id that is too short to be one's own", "c", "short", ""},
	} {
		if got := claimOf(t, h, tc.path, strings.Fields(tc.ids)...); got != tc.want {
			t.Errorf("%s: claimed for %q, want %q", tc.what, got, tc.want)
		}
	}
	for _, other := range []guard.Claim{{Tenant: "another", User: h.By.User}, {Tenant: h.By.Tenant, User: "ben"}} {
		other.IDs, other.Call = []string{useID}, guard.CallDigest("files__read", json.RawMessage(`{"n":1,"path":"a"}`))
		if got := claimAs(t, h, other); got != "" {
			t.Errorf("another user got %q", got)
		}
	}
}

// TestClaimInDoubt: a call that two conversations announced and both ids name is nobody's, nor is one of a conversation that has ended, or a call
// that has.
func TestClaimInDoubt(t *testing.T) {
	h := handlerOver(&rule{}, Open)
	announce(h, "claude-code", idOfA, "mcp__ctx-mcp__files__read", useID, "a")
	announce(h, "claude-code", idOfB, "mcp__ctx-mcp__files__read", "toolu_02AbCdEfGhIjKlMnOpQr", "a")
	if got := claimOf(t, h, "a", idOfA, idOfB); got != "" {
		t.Errorf("of two conversations %q was taken", got)
	}
	if got := claimOf(t, h, "a", idOfA); got != "claude-code "+idOfA {
		t.Errorf("of the one that is named: %q", got)
	}
	h.Handle(context.Background(), "claude-code", []byte(`{"hook_event_name":"SessionEnd","session_id":"`+idOfA+`"}`))
	if got := claimOf(t, h, "a", idOfA); got != "" {
		t.Errorf("of a conversation that has ended: %q", got)
	}
	h.Handle(context.Background(), "claude-code", []byte(`{"hook_event_name":"PostToolUse","session_id":"`+idOfB+
		`","tool_name":"mcp__ctx-mcp__files__read","tool_input":{"path":"a","n":1},"tool_response":"","tool_use_id":"toolu_02AbCdEfGhIjKlMnOpQr"}`))
	if got := claimOf(t, h, "a", idOfB); got != "" {
		t.Errorf("of a call that has ended: %q", got)
	}
}

// TestEndOfAClaimedCallWaits: the hook that tells the end of a claimed call returns when the gateway has recorded the result, and not at once.
func TestEndOfAClaimedCallWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := handlerOver(&rule{}, Open)
		announce(h, "claude-code", idOfA, "mcp__ctx-mcp__files__read", useID, "a")
		if claimOf(t, h, "a", useID) == "" {
			t.Fatal("not claimed")
		}
		ended := make(chan time.Duration)
		began := time.Now()
		go func() {
			h.Handle(context.Background(), "claude-code", []byte(`{"hook_event_name":"PostToolUse","session_id":"`+idOfA+
				`","tool_name":"mcp__ctx-mcp__files__read","tool_input":{"path":"a","n":1},"tool_response":"","tool_use_id":"`+useID+`"}`))
			ended <- time.Since(began)
		}()
		time.Sleep(time.Second)
		h.Handle(context.Background(), Recorded, []byte(Ticket(guard.CallDigest("files__read", json.RawMessage(`{"path":"a","n":1}`)), guard.Conversation{Front: "claude-code", ID: idOfA})))
		if took := <-ended; took != time.Second {
			t.Errorf("the hook answered after %v", took)
		}
		announce(h, "claude-code", idOfA, "mcp__ctx-mcp__files__read", useID, "a")
		claimOf(t, h, "a", useID)
		began = time.Now()
		h.Handle(context.Background(), "claude-code", []byte(`{"hook_event_name":"PostToolUse","session_id":"`+idOfA+
			`","tool_name":"mcp__ctx-mcp__files__read","tool_input":{"path":"a","n":1},"tool_response":"","tool_use_id":"`+useID+`"}`))
		if took := time.Since(began); took != patience {
			t.Errorf("a gateway that died was waited for %v", took)
		}
	})
}
