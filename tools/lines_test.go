package tools

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctx-mcp/ctx-mcp/tokens"
)

// TestLines: every value reads as lines, and nothing that is empty takes one.
func TestLines(t *testing.T) {
	for _, tt := range []struct{ raw, want string }{
		{`{}`, ""},
		{`{"a":"x","b":3,"c":true,"d":null,"e":"","f":{},"g":1.50}`, "a: x\nb: 3\nc: true\ng: 1.50"},
		{`{"names":["a","b"],"none":[]}`, "names: a, b\nnone: none"},
		{`{"names":["a, b","c"]}`, "names:\n  - a, b\n  - c"},
		{`{"text":"one\ntwo: 2\r\nthree"}`, "text:\n  | one\n  | two: 2\n  | three"},
		{`{"rows":[{"id":1,"in":{"x":2}},{"id":3,"text":"a\nb"}]}`, "rows:\n  - id: 1\n    in:\n      x: 2\n  - id: 3\n    text:\n      | a\n      | b"},
		{`{"lists":[[1,2],[]]}`, "lists:\n  - 1, 2\n  - none"},
		{`[{"a":1},"b"]`, "- a: 1\n- b"},
		{`"alone"`, "| alone"},
	} {
		got, err := Lines(json.RawMessage(tt.raw))
		if err != nil || got != tt.want {
			t.Errorf("Lines(%s) = %q, %v, want %q", tt.raw, got, err, tt.want)
		}
	}
}

// FuzzLines: any JSON reads as lines, and a text of several lines cannot pass for a field.
func FuzzLines(f *testing.F) {
	f.Add("a: 1\nb: 2")
	f.Fuzz(func(t *testing.T, content string) {
		raw, err := json.Marshal(map[string]string{"content": "x\n" + content})
		if err != nil {
			t.Fatal(err)
		}
		got, err := Lines(raw)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(got, "\n") {
			if i > 0 && !strings.HasPrefix(line, "  | ") {
				t.Errorf("line %d of %q stands for itself: %q", i, content, line)
			}
		}
	})
}

// TestTexts: the text blocks of answers, for clients that show the text alone.
func TestTexts(t *testing.T) {
	s := services(t)
	count := 0
	s.Memory.NewID = func() string { count++; return fmt.Sprintf("00000000-0000-7000-8000-00000000000%d", count) }
	for _, c := range []struct{ tool, arguments, want string }{
		{"remember", `{"content":"We deploy on Thursdays.","source":{"kind":"user_statement"},"claim":{"subject":"team","predicate":"deploy_day","value":"Thursday"},"scope":{"project":"web"}}`,
			"stored [000001] in user_ann:project_web: new"},
		{"remember", `{"content":"We deploy on Fridays.","source":{"kind":"user_statement"},"claim":{"subject":"team","predicate":"deploy_day","value":"Friday"},"scope":{"project":"web"}}`,
			"superseded [000002] in user_ann:project_web: it replaces what was held before\ndisplaced [000001], which is overridden now: We deploy on Thursdays."},
		{"recall", `{"query":"when do we deploy","scope":{"project":"web"}}`,
			"[000002] 2026-01-01 project: We deploy on Fridays. (team | deploy_day | Friday)"},
		{"recall", `{"query":"zebra","scope":{"project":"web"}}`, "none of the memories held here (1) answers this: recall without query gives a brief"},
		{"memory_history", `{"object_id":"000001"}`,
			"each version: when it was held, and for which time it says what it says\n" +
				"[000001] v1 held 2026-01-01 to 2026-01-01, true 2026-01-01 to further notice, overridden, ended: superseded, replaced by [000002]: We deploy on Thursdays. (team | deploy_day | Thursday)\n" +
				"[000002] v2 held 2026-01-01 to now, true 2026-01-01 to further notice: We deploy on Fridays. (team | deploy_day | Friday)"},
		{"forget", `{"object_id":"[000002]","reason":"test"}`, "[000002] is no longer recalled; review with action restore takes it back"},
		{"review", `{"action":"restore","id":"000002"}`, "00000000-0000-7000-8000-000000000002 is decided: restore, it is held again, as it was before"},
		{"forget", `{"query":"when we deploy","reason":"test","scope":{"project":"web"}}`,
			"nothing is forgotten yet: show these to the user, then call forget with the object_ids of those that are meant\n" +
				"[000002] 2026-01-01 project: We deploy on Fridays. (team | deploy_day | Friday)\n" +
				"[000001] 2026-01-01 project, ended 2026-01-01: We deploy on Thursdays. (team | deploy_day | Thursday)\n" +
				"[000001] ended before and is not recalled; its words are still in the history: mode hard_delete erases them"},
		{"forget", `{"query":"zebra","reason":"test","scope":{"project":"web"}}`,
			"none of the memories held here (1) answers this: recall without query gives a brief"},
		{"forget", `{"reason":"test"}`, "error invalid: nothing is named\ngive object_id, object_ids, or query to find them"},
		{"forget", `{"query":"x","object_id":"000002","reason":"test"}`,
			"error invalid: query and ids exclude each other\na query brings candidates; then forget those of them that are meant, by object_ids"},
		{"forget", `{"object_ids":["000002","000009"],"reason":"test"}`, "error not_found: there is no such object: 000009\nids come from remember, recall and memory_history"},
		{"forget", `{"object_ids":["000002","000002"],"reason":"test"}`, "[000002] is no longer recalled; review with action restore takes it back"},
		{"review", `{}`, "nothing waits for a decision"},
		{"wrap_tool_result", `{"tool_call_id":"c","tool":"t","result":"2 rows","frame":false}`, "2 rows"},
		{"put_artifact", `{"content":"{\"a\":[1,2]}","artifact_type":"numbers","summary":"two"}`,
			"artifact_id: numbers_20260101_000000_000000000001\nuri: ctx://artifact/numbers_20260101_000000_000000000001\n" +
				"sha256: 01530d164d479cf08e26d3b1ad9bdba927120d97e2d057a6d792db778780d720\nsize_bytes: 11\nmedia_type: application/json\nschema_keys: a\nsummary: two"},
		{"get_artifact", `{"artifact_id":"numbers_20260101_000000_000000000001"}`,
			"numbers_20260101_000000_000000000001, application/json of 11 bytes, lines 1-1 of 1\n{\"a\":[1,2]}"},
		{"get_artifact", `{"artifact_id":"numbers_20260101_000000_000000000001","pattern":"b"}`,
			"numbers_20260101_000000_000000000001, application/json of 11 bytes, lines 1-1 of 1, no match\n"},
		{"recall", `{"query":"when do we deploy","as_of":"2020-01-01","scope":{"project":"web"}}`,
			"nothing is held here of that time: without as_of and believed_at recall tells what holds now"},
	} {
		if diff := cmp.Diff(c.want, textOf(callTool(t, s, c.tool, c.arguments))); diff != "" {
			t.Errorf("the text of %s(%s) differs (-want +got):\n%s", c.tool, c.arguments, diff)
		}
	}
}

// TestAnswerIsCheap: ten short memories take at most 300 tokens, and never more than max_tokens.
func TestAnswerIsCheap(t *testing.T) {
	s := services(t)
	count := 0
	s.Memory.NewID = func() string { count++; return fmt.Sprintf("0190d3c5-7a1b-7cc0-9a3f-2b1c4d%06x", count*7919%0xffffff) }
	for i := range 60 {
		callTool(t, s, "remember", fmt.Sprintf(`{"content":"Service delta-%d deploys on port %d every night.","source":{"kind":"user_statement"}}`, i, 8000+i))
	}
	ten := textOf(callTool(t, s, "recall", `{"query":"which service deploys at night","limit":10}`))
	if n := tokens.O200k().Count(ten); n > 300 || strings.Count(ten, "\n") < 9 {
		t.Errorf("ten memories take %d tokens, want at most 300:\n%s", n, ten)
	}
	for _, most := range []int{10, 40, 100, 300, 1000} {
		result := callTool(t, s, "recall", fmt.Sprintf(`{"query":"which service deploys at night","limit":60,"max_tokens":%d}`, most))
		text := textOf(result)
		if n := s.Memory.Counter.Count(text); n > most {
			t.Errorf("with max_tokens %d the text takes %d:\n%s", most, n, text)
		}
		var out struct {
			Tokens   int
			Memories []struct{ Content string }
			Omitted  map[string]int
		}
		raw, err := json.Marshal(result.StructuredContent)
		if err != nil || json.Unmarshal(raw, &out) != nil {
			t.Fatal(err)
		}
		if entries := strings.Count(text, "every night."); entries != len(out.Memories) || out.Tokens != s.Memory.Counter.Count(text) {
			t.Errorf("with max_tokens %d the text has %d memories and %d tokens, the structure %d and %d", most, entries, s.Memory.Counter.Count(text), len(out.Memories), out.Tokens)
		}
		if told := len(out.Memories) + out.Omitted["over_max_tokens"] + out.Omitted["over_limit"]; told != 60 {
			t.Errorf("with max_tokens %d %d of 60 memories are accounted for: %v", most, told, out.Omitted)
		}
	}
}

// TestShortIDs: a tool takes the end of an id wherever it takes the id, and asks back where two objects have that end.
func TestShortIDs(t *testing.T) {
	s := services(t)
	ids := []string{"00000000-0000-7000-8000-00000a111111", "00000000-0000-7000-8000-00000b111111", "00000000-0000-7000-8000-00000c222222", "00000000-0000-7000-8000-00000d333333"}
	count := 0
	s.Memory.NewID = func() string { count++; return ids[count-1] }
	for _, content := range []string{"The cat is called Miez.", "The dog is called Rex.", "The bird is called Kiwi."} {
		callTool(t, s, "remember", fmt.Sprintf(`{"content":%q,"source":{"kind":"user_statement"}}`, content))
	}
	for _, c := range []struct{ tool, arguments, want string }{
		{"memory_history", `{"object_id":"111111"}`, "error conflict: 2 objects have an id that ends with 111111\nname one of them: a111111 (The cat is called Miez.); b111111 (The dog is called Rex.)"},
		{"forget", `{"object_id":"111111","reason":"x"}`, "error conflict: 2 objects have an id that ends with 111111\nname one of them: a111111 (The cat is called Miez.); b111111 (The dog is called Rex.)"},
		{"forget", `{"object_id":"b111111","reason":"x"}`, "[111111] is no longer recalled; review with action restore takes it back"},
		{"forget", `{"object_id":"222","reason":"x"}`, "error not_found: there is no such object: 222\nids come from remember, recall and memory_history"},
		{"forget", `{"object_id":"444444","reason":"x"}`, "error not_found: there is no such object: 444444\nids come from remember, recall and memory_history"},
	} {
		if diff := cmp.Diff(c.want, textOf(callTool(t, s, c.tool, c.arguments))); diff != "" {
			t.Errorf("the text of %s(%s) differs (-want +got):\n%s", c.tool, c.arguments, diff)
		}
	}
	raw, err := json.Marshal(callTool(t, s, "remember", `{"content":"The bird is called Koko.","supersedes":"222222","source":{"kind":"user_statement"}}`).StructuredContent)
	if err != nil || !strings.Contains(string(raw), ids[3]) {
		t.Errorf("superseding by the end of an id gave %s, %v", raw, err)
	}
}
