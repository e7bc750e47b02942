package reduce

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp/conversation"
)

// TestEveryFormOfSpeech: speech beside the content, in a form of its own or by a server's tool is counted by its length, comes
// back as it was, and is in the artifact once it was moved out.
func TestEveryFormOfSpeech(t *testing.T) {
	const rare = "zk_heron_51"
	long := strings.Repeat("heron over the water ", 400) + rare
	for name, tt := range map[string]struct {
		format conversation.Format
		all    []string
	}{
		"refusal":         {conversation.OpenAI, []string{`{"role":"assistant","content":null,"refusal":"LONG"}`}},
		"a call of old":   {conversation.OpenAI, []string{`{"role":"assistant","content":null,"function_call":{"name":"f","arguments":"LONG"}}`}},
		"spoken":          {conversation.OpenAI, []string{`{"role":"assistant","content":null,"audio":{"id":"LONG"}}`}},
		"a custom tool":   {conversation.OpenAI, []string{`{"role":"assistant","content":null,"tool_calls":[{"id":"q","type":"custom","custom":{"name":"f","input":"LONG"}}]}`, `{"role":"tool","tool_call_id":"q","content":"done"}`}},
		"a document":      {conversation.Anthropic, []string{`{"role":"user","content":[{"type":"document","source":{"type":"text","media_type":"text/plain","data":"LONG"}}]}`}},
		"found by a tool": {conversation.Anthropic, []string{`{"role":"assistant","content":[{"type":"server_tool_use","id":"s","name":"web_search","input":{}},{"type":"web_search_tool_result","tool_use_id":"s","content":[{"type":"web_search_result","title":"LONG"}]}]}`}},
		"a search result": {conversation.Anthropic, []string{`{"role":"assistant","content":[{"type":"tool_use","id":"q","name":"f","input":{}}]}`, `{"role":"user","content":[{"type":"tool_result","tool_use_id":"q","content":[{"type":"search_result","source":"x","content":[{"type":"text","text":"LONG"}]}]}]}`}},
	} {
		t.Run(name, func(t *testing.T) {
			all := []json.RawMessage{json.RawMessage(`{"role":"user","content":"Begin."}`)}
			for _, m := range tt.all {
				all = append(all, json.RawMessage(strings.ReplaceAll(m, "LONG", long)))
			}
			all = append(all, json.RawMessage(`{"role":"user","content":"Go on."}`))
			k := newKeeper()
			whole := reduced(t, newService(k), Request{Format: tt.format, Messages: all})
			if text(whole.Messages) != text(all) || len(whole.Warnings) > 0 {
				t.Errorf("it does not come back as it was: %.300s %v", text(whole.Messages), whole.Warnings)
			}
			if whole.Before < 1600 {
				t.Errorf("%d tokens for %d characters", whole.Before, len(long))
			}
			none := 0
			out := reduced(t, newService(k), Request{Format: tt.format, Messages: all, Target: 300, PreserveLast: &none})
			if len(out.Artifacts) != 1 || !strings.Contains(k.kept[out.Artifacts[0].ID], rare) {
				t.Errorf("it is not in the artifact: %v", out.Steps)
			}
		})
	}
}

// TestPictureInResult: the text of a result becomes an artifact, and the picture beside it stays and counts.
func TestPictureInResult(t *testing.T) {
	const picture = `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}}`
	said := strings.Repeat("a line of the log\\n", 2000)
	all := []json.RawMessage{
		json.RawMessage(`{"role":"user","content":"Begin."}`),
		json.RawMessage(`{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"shot","input":{}}]}`),
		json.RawMessage(`{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":[{"type":"text","text":"` + said + `"},` + picture + `]}]}`),
	}
	s := newService(newKeeper())
	out := reduced(t, s, Request{Format: conversation.Anthropic, Messages: all})
	if len(out.Artifacts) != 1 || !strings.Contains(text(out.Messages), `"data":"AAAA"`) || out.After < mediaTokens {
		t.Errorf("%d tokens, %.300s", out.After, text(out.Messages))
	}
	again := reduced(t, s, Request{Format: conversation.Anthropic, Messages: out.Messages, State: &out.State})
	if !slices.EqualFunc(out.Messages, again.Messages, func(a, b json.RawMessage) bool { return string(a) == string(b) }) {
		t.Errorf("reduced again: %.300s", text(again.Messages))
	}
}
