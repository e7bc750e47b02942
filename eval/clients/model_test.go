package main

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
)

// TestModelPlaysItsScript: in each dialect the model calls the tool by the name that the client gave it, goes on with each result, and says
// "done" at the end.
func TestModelPlaysItsScript(t *testing.T) {
	for name, tc := range map[string]struct {
		path, body string
		want       string // in the answer
	}{
		"responses": {"/v1/responses", `{"stream": true, "tools": [{"type": "namespace", "name": "mcp__ctx", "tools": [{"type": "function", "name": "recall"}]}], "input": [{"type": "function_call_output"}]}`,
			`"namespace":"mcp__ctx"`},
		"responses, searched": {"/v1/responses", `{"tools": [{"type": "tool_search"}], "input": []}`, `"tool_search_call"`},
		"responses, found": {"/v1/responses", `{"tools": [{"type": "tool_search"}], "input": [{"type": "tool_search_output", "tools": [{"type": "function", "name": "remember"}]}]}`,
			`"name":"remember"`},
		"responses, by code": {"/v1/responses", `{"tools": [{"type": "custom", "name": "exec"}], "input": []}`, `"custom_tool_call"`},
		"chat":               {"/v1/chat/completions", `{"stream": true, "tools": [{"function": {"name": "mcp__ctx__recall"}}], "messages": [{"role": "tool"}]}`, `"name":"mcp__ctx__recall"`},
		"chat, deferred": {"/v1/chat/completions", `{"tools": [{"function": {"name": "tool_search"}}, {"function": {"name": "tool_call"}}], "messages": [{"role": "user", "content": "there is mcp__ctx__remember"}]}`,
			`select:mcp__ctx__remember`},
		"gemini":      {"/v1/models/m:streamGenerateContent", `{"tools": [{"functionDeclarations": [{"name": "mcp_ctx_remember"}]}], "contents": []}`, `"functionCall":{"args":{"content":"x"},"name":"mcp_ctx_remember"}`},
		"gemini, end": {"/v1/models/m:streamGenerateContent", `{"tools": [{"functionDeclarations": [{"name": "a"}]}], "contents": [{"parts": [{"functionResponse": {}}, {"functionResponse": {}}]}]}`, `"text":"done"`},
		"no tools":    {"/v1/chat/completions", `{"messages": []}`, `"content":"ok"`},
	} {
		m, err := newModel([]step{{Tool: "remember", Args: object{"content": "x"}}, {Tool: "recall", Args: object{"query": "x"}}})
		if err != nil {
			t.Fatal(err)
		}
		answer, err := http.Post(m.URL+tc.path, "application/json", strings.NewReader(tc.body))
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(answer.Body)
		if err != nil || !strings.Contains(string(got), tc.want) {
			t.Errorf("%s: %v, %s, want %s", name, err, got, tc.want)
		}
		if offers := len(m.Requests()) == 1; offers != (name != "no tools") || !m.Holds(tc.body) {
			t.Errorf("%s: the request was not kept as it came", name)
		}
		if err := answer.Body.Close(); err != nil {
			t.Error(err)
		}
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestClientsAreWhole: every client has settings that can be read and that point at the model, and a call for commands.
func TestClientsAreWhole(t *testing.T) {
	for _, c := range clients() {
		settings, env := c.config("http://model", c.model), c.env("http://model")
		if strings.HasSuffix(c.mcp, ".json") && !json.Valid([]byte(settings)) {
			t.Errorf("%s: the settings are no JSON", c.title)
		}
		pointed := strings.Contains(settings, "http://model")
		for _, v := range env {
			pointed = pointed || strings.HasPrefix(v, "http://model")
		}
		if s := c.shell("ls"); !pointed || s.Tool == "" || !strings.Contains(call{args: s.Args}.arguments(), "ls") || c.args("say", c.model)[len(c.args("say", c.model))-1] != "say" {
			t.Errorf("%s: the row is not whole", c.title)
		}
	}
}
