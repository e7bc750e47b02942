package conversation

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/schema/ijson"
)

// samples are conversations that the providers accept, with every kind of part, and with members that nobody here knows.
var samples = map[Format][]string{
	OpenAI: {
		`{"role":"system","content":"You help.","x_new":{"a":1}}`,
		`{"role":"developer","content":[{"type":"text","text":"Be brief.","x":1}]}`,
		`{"role":"user","name":"ann","content":[{"type":"text","text":"Look."},{"type":"image_url","image_url":{"url":"https://example.com/a.png"}}]}`,
		`{"role":"assistant","content":null,"refusal":null,"annotations":[],"tool_calls":[{"id":"a","type":"function","x":2,"function":{"name":"f","arguments":"{\"k\": 1}"}},{"id":"b","type":"custom","custom":{"name":"g","input":"any"}}]}`,
		`{"role":"tool","tool_call_id":"a","content":"one","x":true}`,
		`{"role":"tool","tool_call_id":"b","content":[{"type":"text","text":"two"}]}`,
		`{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]}`,
		`{"role":"tool","tool_call_id":"c","content":""}`,
		`{"role":"assistant","content":[{"type":"refusal","refusal":"No."}]}`,
		`{"role":"assistant","content":"","audio":{"id":"z"}}`,
		`{"role":"user","content":"Go on."}`,
	},
	Anthropic: {
		`{"role":"user","content":[{"type":"text","text":"Look.","cache_control":{"type":"ephemeral"}},{"type":"image","source":{"type":"url","url":"https://example.com/a.png"}}]}`,
		`{"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"s"},{"type":"text","text":"I look."},{"type":"tool_use","id":"a","name":"f","input":{"k":1},"x":2}],"x_new":1}`,
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","is_error":true,"content":[{"type":"text","text":"one"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AA"}}]},{"type":"text","text":"So?"}]}`,
		`{"role":"assistant","content":[{"type":"server_tool_use","id":"s","name":"web_search","input":{}},{"type":"web_search_tool_result","tool_use_id":"s","content":[]}]}`,
		`{"role":"user","content":"Go on."}`,
	},
	Responses: {
		`{"role":"user","content":[{"type":"input_text","text":"Look."},{"type":"input_image","image_url":"https://example.com/a.png"}]}`,
		`{"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"hm"}],"encrypted_content":"zz"}`,
		`{"type":"function_call","id":"fc_1","call_id":"a","name":"f","arguments":"{\"k\":1}","status":"completed"}`,
		`{"type":"custom_tool_call","id":"ct_1","call_id":"b","name":"g","input":"any"}`,
		`{"type":"function_call_output","call_id":"a","output":"one","x":1}`,
		`{"type":"custom_tool_call_output","call_id":"b","output":[{"type":"input_text","text":"two"}]}`,
		`{"type":"web_search_call","id":"ws_1","status":"completed"}`,
		`{"type":"message","id":"msg_1","role":"assistant","status":"completed","content":[{"type":"output_text","text":"Done.","annotations":[]}]}`,
		`{"role":"user","content":"Go on."}`,
	},
	Bedrock: {
		`{"role":"user","content":[{"text":"Look."},{"image":{"format":"png","source":{"bytes":"AA"}}},{"cachePoint":{"type":"default"}}]}`,
		`{"role":"assistant","content":[{"reasoningContent":{"reasoningText":{"text":"hm","signature":"s"}}},{"text":"I look."},{"toolUse":{"toolUseId":"a","name":"f","input":{"k":1},"x":1}}],"x_new":1}`,
		`{"role":"user","content":[{"toolResult":{"toolUseId":"a","status":"success","content":[{"text":"one"},{"json":{"n":1}},{"image":{"format":"png","source":{"bytes":"AA"}}}]}},{"text":"So?"}]}`,
		`{"role":"assistant","content":[{"text":"Done."}]}`,
	},
	Gemini: {
		`{"role":"user","parts":[{"text":"Look."},{"inlineData":{"mimeType":"image/png","data":"AA"}}]}`,
		`{"role":"model","parts":[{"text":"hm","thought":true},{"functionCall":{"name":"f","args":{"k":1}},"thoughtSignature":"s"},{"functionCall":{"name":"f","args":{"k":2}}}],"x_new":1}`,
		`{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"one"}}},{"functionResponse":{"name":"f","response":{"n":1}}}]}`,
		`{"role":"model","parts":[{"functionCall":{"id":"q","name":"g","args":{}}}]}`,
		`{"role":"user","parts":[{"functionResponse":{"id":"q","name":"g","response":{"result":"x"}}}]}`,
		`{"role":"model","parts":[{"executableCode":{"language":"PYTHON","code":"1"}},{"text":"Done."}]}`,
	},
}

func raws(texts []string) []json.RawMessage {
	all := make([]json.RawMessage, len(texts))
	for i, text := range texts {
		all[i] = json.RawMessage(text)
	}
	return all
}

// wantSame decodes messages and writes them again, as they came and anew.
func wantSame(t *testing.T, f Format, raw []json.RawMessage) {
	t.Helper()
	all, err := Decode(f, raw)
	if err != nil {
		t.Fatalf("Decode of %s: %v", raw, err)
	}
	for _, anew := range []bool{false, true} {
		for i := range all {
			if anew {
				all[i].Edit()
			}
		}
		out, err := Encode(f, all)
		if err != nil {
			t.Fatal(err)
		}
		for i := range raw {
			if diff := cmp.Diff(value(t, raw[i]), value(t, out[i])); diff != "" {
				t.Errorf("%s, anew %v, message %d (-want +got):\n%s", f, anew, i, diff)
			}
			if !anew && string(out[i]) != string(raw[i]) {
				t.Errorf("%s: %s is not byte for byte %s", f, out[i], raw[i])
			}
		}
	}
}

func value(t *testing.T, raw json.RawMessage) (v any) {
	t.Helper()
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	return v
}

// TestIdentity: a message that the providers accept comes back as it was, with its unknown members, also where it is written anew.
func TestIdentity(t *testing.T) {
	for _, f := range Formats() {
		wantSame(t, f, raws(samples[f]))
	}
}

// TestPairs: in every format the samples' calls and results find each other, and no repair is needed.
func TestPairs(t *testing.T) {
	for _, f := range Formats() {
		all, err := Decode(f, raws(samples[f]))
		if err != nil {
			t.Fatal(err)
		}
		var calls, answers []string
		for i := range all {
			calls, answers = append(calls, all[i].Calls()...), append(answers, all[i].Answers()...)
		}
		if diff := cmp.Diff(calls, answers); diff != "" || len(calls) == 0 {
			t.Errorf("%s: calls %v, results %v", f, calls, answers)
		}
		for _, r := range Repairs[:3] {
			var n int
			if all, n = r.Run(all); n > 0 {
				t.Errorf("%s: %s repaired %d of a valid conversation", f, r.Name, n)
			}
		}
	}
}

// TestWrongFormat: a conversation in one format under the name of another is refused, with the name of its own.
func TestWrongFormat(t *testing.T) {
	for _, is := range Formats() {
		for _, said := range Formats() {
			_, err := Decode(said, raws(samples[is]))
			if (err != nil) != (is != said) {
				t.Errorf("Decode of %s as %s = %v", is, said, err)
			}
			if e, ok := err.(*ctxmcp.Error); ok && (e.Code != ctxmcp.CodeInvalid || !strings.Contains(e.Message+e.Hint, string(is))) {
				t.Errorf("Decode of %s as %s = %v; %s", is, said, e, e.Hint)
			}
		}
	}
	for _, plain := range []string{`{"role":"user","content":"x"}`, `{"role":"assistant","content":[{"type":"text","text":"x"}]}`} {
		for _, f := range []Format{OpenAI, Anthropic, Responses} {
			if _, err := Decode(f, raws([]string{plain})); err != nil {
				t.Errorf("Decode of %s as %s: %v", plain, f, err)
			}
		}
	}
}

// TestReasoningGoesWithItsItems: an item with an id is taken with its reasoning alone, so that without it, it has none.
func TestReasoningGoesWithItsItems(t *testing.T) {
	all, err := Decode(Responses, raws(samples[Responses]))
	if err != nil {
		t.Fatal(err)
	}
	if n := DropThinking(all, 0, 2); n != 1 {
		t.Fatalf("%d dropped", n)
	}
	out, err := Encode(Responses, all)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range map[int]string{
		1: `{"content":"…","role":"assistant"}`,
		2: `{"arguments":"{\"k\":1}","call_id":"a","name":"f","status":"completed","type":"function_call"}`,
		4: samples[Responses][4],
	} {
		if string(out[i]) != want {
			t.Errorf("item %d = %s, want %s", i, out[i], want)
		}
	}
}

// FuzzIdentity: any message that a format takes says the same when it is written anew. Decoded again it has the same parts, and written once
// more the same bytes; an unknown member stays.
func FuzzIdentity(f *testing.F) {
	for i, name := range Formats() {
		for _, text := range samples[name] {
			f.Add(i, text)
		}
	}
	f.Fuzz(func(t *testing.T, row int, text string) {
		if row < 0 || row >= len(formats) {
			return
		}
		format := formats[row].Name
		var fields map[string]json.RawMessage
		if json.Unmarshal([]byte(text), &fields) != nil || fields == nil {
			return
		}
		fields["x_unknown"] = json.RawMessage(`[1]`)
		raw, err := ijson.Compact(fields)
		if err != nil {
			return
		}
		all, err := Decode(format, []json.RawMessage{raw})
		if err != nil {
			return
		}
		first := anew(t, format, all)
		if !strings.Contains(string(first), `"x_unknown":[1]`) {
			t.Errorf("%s: %s has lost a member of %s", format, first, raw)
		}
		again, err := Decode(format, []json.RawMessage{first})
		if err != nil {
			t.Fatalf("%s: %s became %s: %v", format, raw, first, err)
		}
		if second := anew(t, format, again); string(second) != string(first) {
			t.Errorf("%s: %s became %s, and then %s", format, raw, first, second)
		}
	})
}

func anew(t *testing.T, f Format, all []Message) json.RawMessage {
	t.Helper()
	all[0].Edit()
	out, err := Encode(f, all)
	if err != nil {
		t.Fatal(err)
	}
	return out[0]
}
