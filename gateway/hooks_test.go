package gateway

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"testing"

	"github.com/ctx-mcp/ctx-mcp/guard"
)

// fakeHooks knows one call.
type fakeHooks struct {
	mu       sync.Mutex
	claims   []guard.Claim
	recorded chan string
}

const useID = "toolu_01AbCdEfGhIjKlMnOpQr"

var heard = guard.Conversation{Front: "claude-code", ID: "a conversation"}

func (h *fakeHooks) Claim(_ context.Context, in guard.Claim) (guard.Claimed, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.claims = append(h.claims, in)
	return guard.Claimed{Conversation: heard, Words: []string{"do it"}}, slices.Contains(in.IDs, useID)
}

func (h *fakeHooks) Recorded(call string, _ guard.Conversation) { h.recorded <- call }

// TestCallOfAHeardConversation: a call that the hooks know is judged in their conversation, with its words, and its end is told; any other is
// judged in the gateway's own.
func TestCallOfAHeardConversation(t *testing.T) {
	for _, lazy := range []bool{false, true} {
		h := &fakeHooks{recorded: make(chan string, 9)}
		r := prepare(t, map[string]Server{"s": script{
			Offer: offering(`{"name":"echo","inputSchema":{"type":"object"}}`), Results: map[string]json.RawMessage{"tools/call echo": json.RawMessage(`{"content":[]}`)},
		}.server(t)}, Options{Lazy: lazy})
		r.Hooks = h
		r.begin(`{}`)
		r.settle()
		name, arguments := "s__echo", `{"x":1}`
		if lazy {
			name, arguments = "call_write", `{"tool":"s__echo","arguments":{"x":1}}`
		}
		call := func(meta string) {
			r.result("tools/call", `{"name":"`+name+`","arguments":`+arguments+`,"_meta":`+meta+`}`)
		}
		call(`{"progressToken":1}`)
		call(`{"a":{"b":"another-id-0123456789"}}`)
		call(`{"claudecode/toolUseId":"` + useID + `"}`)
		want := guard.CallDigest(name, json.RawMessage(arguments))
		if got := <-h.recorded; got != want {
			t.Errorf("recorded is %q, want %q", got, want)
		}
		r.guard.mu.Lock()
		if c := r.guard.in; len(c) != 3 || c[0].Front != "gateway" || c[1] != c[0] || c[2] != heard {
			t.Errorf("judged in %+v", c)
		}
		if !slices.Equal(r.guard.words, []string{"do it"}) {
			t.Errorf("handed over: %q", r.guard.words)
		}
		r.guard.mu.Unlock()
		h.mu.Lock()
		if len(h.claims) != 2 || h.claims[1].Call != want || h.claims[1].User != "ann" || h.claims[1].Tenant != "t" {
			t.Errorf("claims: %+v", h.claims)
		}
		h.mu.Unlock()
	}
}

// TestIDs: only texts of the client's own that can be ids are taken for some.
func TestIDs(t *testing.T) {
	for meta, want := range map[string]int{
		``: 0, `[]`: 0, `{"a":"short"}`: 0, `{"callId":"call_0123456789ab"}`: 1, `{"a":{"session_id":"0123456789abcdef","n":1}}`: 1,
		`{"a":{"b":{"c":{"d":"0123456789abcdef"}}}}`: 0, `{"a":["0123456789abcdef"]}`: 0,
	} {
		if got := idsIn(json.RawMessage(meta)); len(got) != want {
			t.Errorf("idsIn(%s) = %q", meta, got)
		}
	}
}
