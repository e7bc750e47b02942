package reduce

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp/conversation"
)

// TestRepair: a conversation that a provider would refuse comes out valid, and the caller is told.
func TestRepair(t *testing.T) {
	call := func(id string) map[string]any {
		return map[string]any{"role": "assistant", "content": nil, "tool_calls": []any{map[string]any{
			"id": id, "type": "function", "function": map[string]any{"name": "run", "arguments": "{}"}}}}
	}
	result := func(id string) map[string]any {
		return map[string]any{"role": "tool", "tool_call_id": id, "content": "result of " + id}
	}
	user, end := map[string]any{"role": "user", "content": "Begin."}, map[string]any{"role": "user", "content": "Go on."}
	for _, tt := range []struct {
		name, warns string
		all         []map[string]any
		keeps, lost []string
	}{
		{"an id twice", "dup-id", []map[string]any{user, call("a"), result("a"), call("a"), result("a"), end}, []string{`"a_2"`}, nil},
		{"a result without its call", "pairing", []map[string]any{user, result("x"), end}, nil, []string{"result of x"}},
		{"a second result", "pairing", []map[string]any{user, call("a"), result("a"), result("a"), end}, []string{"result of a"}, nil},
		{"a call that was passed over", "pairing", []map[string]any{user, call("a"), end}, nil, []string{`"a"`}},
		{"an empty turn", "empty", []map[string]any{user, {"role": "assistant", "content": " "}, end}, nil, nil},
		{"a blank text beside another", "empty", []map[string]any{user, {"role": "user", "content": []any{
			map[string]any{"type": "text", "text": "  \n"}, map[string]any{"type": "text", "text": "Look."}}}}, []string{"Look."}, []string{`"  \n"`}},
		{"no turn of the user", "first-not-user", []map[string]any{call("a"), result("a"), end}, []string{"beginning of this conversation"}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			out := reduced(t, newService(newKeeper()), Request{Messages: raw(t, tt.all...), Limit: 100_000})
			if !strings.Contains(strings.Join(out.Warnings, "\n"), tt.warns) {
				t.Errorf("warnings %v, want %s", out.Warnings, tt.warns)
			}
			said := text(out.Messages)
			for _, s := range tt.keeps {
				if !strings.Contains(said, s) {
					t.Errorf("%s is gone: %s", s, said)
				}
			}
			for _, s := range tt.lost {
				if strings.Contains(said, s) {
					t.Errorf("%s is still there: %s", s, said)
				}
			}
		})
	}
}

// TestResultOrder: in a turn of Anthropic's, results stand before text.
func TestResultOrder(t *testing.T) {
	out := reduced(t, newService(newKeeper()), Request{Format: conversation.Anthropic, Limit: 100_000, Messages: []json.RawMessage{
		json.RawMessage(`{"role":"user","content":"Begin."}`),
		json.RawMessage(`{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"run","input":{}}]}`),
		json.RawMessage(`{"role":"user","content":[{"type":"text","text":"and then"},{"type":"tool_result","tool_use_id":"a","content":"x"}]}`),
	}})
	if said := text(out.Messages); strings.Index(said, "tool_result") > strings.Index(said, "and then") {
		t.Errorf("the text stands first: %s", said)
	}
}
