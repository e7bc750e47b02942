package compiler

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/ctx-mcp/ctx-mcp/conversation"
	"github.com/ctx-mcp/ctx-mcp/tokens"
)

// exchange is one conversation in every format that is read.
var exchange = map[conversation.Format]string{
	conversation.OpenAI: `[{"role":"user","content":[{"type":"text","text":"Look."},{"type":"image_url","image_url":{"url":"data:image/png;base64,AA"}}]},
		{"role":"assistant","content":"I look.","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{\"k\":1}"}},{"id":"b","type":"function","function":{"name":"f","arguments":"{\"k\":2}"}}]},
		{"role":"tool","tool_call_id":"a","content":"one"},{"role":"tool","tool_call_id":"b","content":"two"},{"role":"assistant","content":"Done."}]`,
	conversation.Anthropic: `[{"role":"user","content":[{"type":"text","text":"Look."},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AA"}}]},
		{"role":"assistant","content":[{"type":"text","text":"I look."},{"type":"tool_use","id":"a","name":"f","input":{"k":1}},{"type":"tool_use","id":"b","name":"f","input":{"k":2}}]},
		{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"one"},{"type":"tool_result","tool_use_id":"b","content":[{"type":"text","text":"two"}]}]},{"role":"assistant","content":"Done."}]`,
	conversation.Responses: `[{"role":"user","content":[{"type":"input_text","text":"Look."},{"type":"input_image","image_url":"data:image/png;base64,AA"}]},
		{"type":"reasoning","id":"r","summary":[]},{"type":"message","role":"assistant","content":[{"type":"output_text","text":"I look."}]},
		{"type":"function_call","call_id":"a","name":"f","arguments":"{\"k\":1}"},{"type":"function_call","call_id":"b","name":"f","arguments":"{\"k\":2}"},
		{"type":"function_call_output","call_id":"a","output":"one"},{"type":"function_call_output","call_id":"b","output":"two"},{"role":"assistant","content":"Done."}]`,
	conversation.Bedrock: `[{"role":"user","content":[{"text":"Look."},{"image":{"format":"png","source":{"bytes":"AA"}}},{"cachePoint":{"type":"default"}}]},
		{"role":"assistant","content":[{"reasoningContent":{"reasoningText":{"text":"hm"}}},{"text":"I look."},{"toolUse":{"toolUseId":"a","name":"f","input":{"k":1}}},{"toolUse":{"toolUseId":"b","name":"f","input":{"k":2}}}]},
		{"role":"user","content":[{"toolResult":{"toolUseId":"a","content":[{"text":"one"}]}},{"toolResult":{"toolUseId":"b","content":[{"text":"two"}]}}]},{"role":"assistant","content":[{"text":"Done."}]}]`,
	conversation.Gemini: `[{"role":"user","parts":[{"text":"Look."},{"inlineData":{"mimeType":"image/png","data":"AA"}}]},
		{"role":"model","parts":[{"text":"hm","thought":true},{"text":"I look."},{"functionCall":{"id":"a","name":"f","args":{"k":1}}},{"functionCall":{"id":"b","name":"f","args":{"k":2}}}]},
		{"role":"user","parts":[{"functionResponse":{"id":"a","name":"f","response":{"output":"one"}}},{"functionResponse":{"id":"b","name":"f","response":{"result":"two"}}}]},{"role":"model","parts":[{"text":"Done."}]}]`,
}

// TestHistoryInAnyFormat: one conversation compiles to the same messages, whichever provider's form it comes in.
func TestHistoryInAnyFormat(t *testing.T) {
	for _, to := range []Format{OpenAI, Anthropic} {
		want := compiledMessages(t, conversation.OpenAI, to)
		for _, from := range conversation.Formats() {
			if diff := cmp.Diff(want, compiledMessages(t, from, to)); diff != "" {
				t.Errorf("from %s to %s (-from openai +got):\n%s", from, to, diff)
			}
		}
	}
}

func compiledMessages(t *testing.T, from conversation.Format, to Format) (all []any) {
	t.Helper()
	in := world(t, &txtar.Archive{})
	in.Request.Format = to
	if err := json.Unmarshal([]byte(exchange[from]), &in.Request.Messages); err != nil {
		t.Fatal(err)
	}
	out, err := Compiler{Counter: tokens.Approximate{}}.Compile(in)
	if err != nil {
		t.Fatalf("from %s: %v", from, err)
	}
	if len(out.Warnings) > 0 {
		t.Errorf("from %s to %s: %v", from, to, out.Warnings)
	}
	for _, raw := range out.Messages {
		var m any
		if err := json.Unmarshal(raw, &m); err != nil {
			t.Fatal(err)
		}
		all = append(all, m)
	}
	return all
}
