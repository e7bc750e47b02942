package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/ctx-mcp/ctx-mcp/tools"
)

// plantedToken is planted with a number of its own in each place, so that a leak names its place.
func plantedToken(n int) string {
	return "gh" + "p_" + fmt.Sprintf("Q7wZx3LpR9vTn5KcY1hBd8MfG2sJ%04d", n) + "aUeX"
}

// A leaf is a place for a string among the arguments of a tool.
type leaf struct {
	path string
	name bool                   // it is kept as it is given
	with func(token string) any // the argument at the top with the token in it
	top  string
}

// leavesOf lists the places for strings in a type of arguments, any JSON and the keys of tables among them.
func leavesOf(t reflect.Type, name bool) []leaf {
	switch {
	case t.Kind() == reflect.Pointer:
		return leavesOf(t.Elem(), name)
	case t == reflect.TypeFor[tools.Time]():
		return []leaf{{name: true, with: func(token string) any { return token }}}
	case t == reflect.TypeFor[json.RawMessage]():
		return []leaf{
			{path: "{value}", with: func(token string) any {
				return map[string]any{"note": "see " + token + " for it", "role": "user", "content": token}
			}},
			{path: "{key}", with: func(token string) any { return map[string]any{token: 1} }},
			{path: "{text}", with: func(token string) any { return token }},
		}
	case t.Kind() == reflect.String:
		return []leaf{{name: name, with: func(token string) any { return token }}}
	case t.Kind() == reflect.Slice:
		return under(leavesOf(t.Elem(), name), "[]", func(v any) any { return []any{v} })
	case t.Kind() == reflect.Map:
		key := leaf{path: "{key}", name: true, with: func(token string) any { return map[string]any{token: 1} }}
		return append(under(leavesOf(t.Elem(), false), "{}", func(v any) any { return map[string]any{"k": v} }), key)
	case t.Kind() == reflect.Struct:
		var all []leaf
		for _, f := range reflect.VisibleFields(t) {
			key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if f.Anonymous || key == "" || key == "-" {
				continue
			}
			of := under(leavesOf(f.Type, name && f.Tag.Get("holds") == ""), "."+key, func(v any) any { return map[string]any{key: v} })
			for i := range of {
				of[i].top = key
			}
			all = append(all, of...)
		}
		return all
	}
	return nil
}

func under(inner []leaf, at string, wrap func(any) any) []leaf {
	for i := range inner {
		with := inner[i].with
		inner[i].path, inner[i].with = at+inner[i].path, func(token string) any { return wrap(with(token)) }
	}
	return inner
}

// required is a value for each argument that some tool must have.
var required = map[string]any{
	"content": "The office is in Lisbon.", "query": "office", "object_id": "o", "reason": "none", "tool_call_id": "call_1", "tool": "files",
	"result": "x", "artifact_type": "note", "artifact_id": "a", "task_id": "t1", "fields": []any{"a"}, "user_message": "Where is the office?",
	"context_ref": "sha256:00", "directive": "memory:office", "messages": []any{}, "session_id": "s1", "operation": "list", "action_id": "a1",
	"original_request": map[string]any{"text": "List the files."}, "text": "List the files.",
	"tool_results": []any{map[string]any{"tool_call_id": "call_1", "tool": "files", "result": "x"}},
}

// plantNames puts a token of its own into every place for a string among the arguments of every tool. In the place of a name it must
// be refused as a secret.
func plantNames(ts *testscript.TestScript, neg bool, args []string) {
	s, planted, refused := sessionOf(ts), 0, 0
	for _, tool := range tools.Select(tools.Options{Toolsets: tools.DefaultToolsets()}) {
		var schema struct{ Required []string }
		ts.Check(json.Unmarshal(tool.MCP.RawInputSchema, &schema))
		for _, l := range leavesOf(tool.Arguments, true) {
			arguments := map[string]any{}
			for _, name := range append(schema.Required, oneOf[tool.Name]...) {
				arguments[name] = required[name]
			}
			token := plantedToken(planted)
			planted++
			for name, v := range l.with(token).(map[string]any) {
				arguments[name] = merged(required[name], v)
			}
			r, err := s.client.CallTool(context.Background(), mcp.CallToolRequest{Params: mcp.CallToolParams{Name: tool.Name, Arguments: arguments}})
			if err != nil {
				ts.Fatalf("%s%s: %v", tool.Name, l.path, err)
			}
			raw, err := json.Marshal(r)
			ts.Check(err)
			told := bytes.Contains(raw, []byte("looks like a secret")) || bytes.Contains(raw, []byte("is not a known word")) || bytes.Contains(raw, []byte("well-formed")) || l.name && bytes.Contains(raw, []byte("would hold a secret at /metadata/["))
			if told {
				refused++
			}
			if told != l.name {
				ts.Logf("%s%s: refused %v, want %v: %s", tool.Name, l.path, told, l.name, raw)
				defer ts.Fatalf("a name was taken, or content was refused")
			}
			for place, content := range restingPlaces(ts) {
				if bytes.Contains(content, []byte(token)) {
					ts.Logf("%s%s rests in %s", tool.Name, l.path, place)
					defer ts.Fatalf("a planted token rests somewhere")
				}
			}
		}
	}
	fmt.Fprintf(ts.Stdout(), "planted %d, refused %d\n", planted, refused)
}

// oneOf names, for a tool, arguments of which it needs one and the schema asks for none.
var oneOf = map[string][]string{"compile_context": {"user_message"}}

// merged returns v with the required fields of an object, or of the objects of a list.
func merged(beside, v any) any {
	if list, isList := v.([]any); isList {
		if whole, both := beside.([]any); both && len(whole) == len(list) {
			return []any{merged(whole[0], list[0])}
		}
		return v
	}
	old, isObject := beside.(map[string]any)
	fresh, both := v.(map[string]any)
	if isObject && both {
		for name, one := range old {
			if _, there := fresh[name]; !there {
				fresh[name] = one
			}
		}
	}
	return v
}
