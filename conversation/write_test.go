package conversation

import (
	"encoding/json"
	"testing"

	"github.com/ctx-mcp/ctx-mcp"
)

// TestWrite: a message of any format is written in those that a prompt can have, and in no other.
func TestWrite(t *testing.T) {
	read, err := DecodeEach([]json.RawMessage{json.RawMessage(
		`{"role":"user","content":[{"toolResult":{"toolUseId":"a b","content":[{"text":"one"}]}},{"text":"and <two>"}]}`)})
	if err != nil {
		t.Fatal(err)
	}
	for f, want := range map[Format][]string{
		OpenAI:    {`{"role":"tool","content":"one","tool_call_id":"a b"}`, `{"role":"user","content":"and <two>"}`},
		Anthropic: {`{"role":"user","content":[{"type":"tool_result","tool_use_id":"a_b","content":"one"},{"type":"text","text":"and <two>"}]}`},
	} {
		got, err := Write(f, &read[0])
		if err != nil || len(got) != len(want) {
			t.Errorf("Write(%s) = %s, %v, want %q", f, got, err, want)
			continue
		}
		for i := range got {
			if string(got[i]) != want[i] {
				t.Errorf("Write(%s)[%d] = %s, want %s", f, i, got[i], want[i])
			}
		}
	}
	for _, f := range []Format{Responses, Bedrock, Gemini, "none"} {
		if got, err := Write(f, &read[0]); ctxmcp.CodeOf(err) != ctxmcp.CodeInvalid {
			t.Errorf("Write(%s) = %s, %v, want invalid", f, got, err)
		}
	}
}

// TestBreakpoints: the last text ends the prefix, and nothing else of a message changes.
func TestBreakpoints(t *testing.T) {
	for raw, want := range map[string]string{
		`{"role":"user","content":"a"}`:                                           `{"content":[{"prompt_cache_breakpoint":{"mode":"explicit"},"text":"a","type":"text"}],"role":"user"}`,
		`{"role":"user","content":[{"type":"text","text":"a","x":1}],"name":"n"}`: `{"content":[{"prompt_cache_breakpoint":{"mode":"explicit"},"text":"a","type":"text","x":1}],"name":"n","role":"user"}`,
	} {
		if got, ok := EndMessage(json.RawMessage(raw)); !ok || string(got) != want {
			t.Errorf("EndMessage(%s) = %s, %v, want %s", raw, got, ok, want)
		}
	}
	if raw := `{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]}`; true {
		if got, ok := EndMessage(json.RawMessage(raw)); ok || string(got) != raw {
			t.Errorf("EndMessage(%s) = %s, %v, want it as it was", raw, got, ok)
		}
	}
	if got := EndBlock(json.RawMessage(`{"type":"text"}`)); string(got) != `{"cache_control":{"type":"ephemeral"},"type":"text"}` {
		t.Errorf("EndBlock = %s", got)
	}
}
