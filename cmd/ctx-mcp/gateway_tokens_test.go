package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp/tokens"
)

// taskCalls are the calls of a task with three servers: a log is looked for an error, and the finding is kept. FILES is a folder.
var taskCalls = []struct{ server, tool, arguments string }{
	{"files", "list_directory", `{"path":"FILES"}`},
	{"files", "read_text_file", `{"path":"FILES/build.log"}`},
	{"everything", "get-sum", `{"a":2,"b":40}`},
	{"memory", "create_entities", `{"entities":[{"name":"build","entityType":"job","observations":["fails in the tests of the pier"]}]}`},
	{"memory", "read_graph", `{}`},
	{"files", "write_file", `{"path":"FILES/note.txt","content":"The build fails in the tests of the pier."}`},
}

// buildLog is a log of some 60 KB with one error.
func buildLog() string {
	var b strings.Builder
	for n := range 900 {
		fmt.Fprintf(&b, "2026-01-01T09:%02d:%02dZ INFO compiled module %d of 900 in %d ms\n", n/60%60, n%60, n, 7*n%90)
	}
	b.WriteString("2026-01-01T09:15:00Z ERROR tests of the pier failed: expected 42 planks, got 41\n")
	return b.String()
}

// TestGatewayTokens prints what the task costs a model in tokens, definitions and results, with the servers alone, behind the gateway, and with
// gateway.lazy, where find_tools is asked once for each server.
func TestGatewayTokens(t *testing.T) {
	files := t.TempDir()
	if err := os.WriteFile(filepath.Join(files, "build.log"), []byte(buildLog()), 0o600); err != nil {
		t.Fatal(err)
	}
	servers := realServers(t, files)
	count := tokens.For("gpt-4o").Count
	row := func(way string, definitions, results, searches int) {
		t.Logf("| %s | %d | %d | %d | %d |", way, definitions, searches, results, definitions+searches+results)
	}
	definitions, results := 0, 0
	alone := map[string]*peer{}
	for name, words := range servers {
		alone[name] = direct(t, words)
		definitions += count(listOf(t, alone[name], ""))
	}
	for _, c := range taskCalls {
		results += count(resultOf(t, alone[c.server], c.tool, strings.ReplaceAll(c.arguments, "FILES", files)))
	}
	row("the servers alone", definitions, results, 0)

	whole := behindGateway(t, servers)
	waitForServers(t, whole, servers)
	behind := 0
	for _, c := range taskCalls {
		behind += count(resultOf(t, whole, c.server+"__"+c.tool, strings.ReplaceAll(c.arguments, "FILES", files)))
	}
	row("behind the gateway", count(listOf(t, whole, "__")), behind, 0)
	if behind >= results {
		t.Errorf("results take %d tokens behind the gateway, %d without", behind, results)
	}

	lazy := behindGateway(t, servers, "CTX_MCP_GATEWAY_LAZY=true")
	searches, lean := 0, 0
	for _, question := range []string{"read and write text files in a folder", "add two numbers", "remember entities in the graph"} {
		searches += count(resultOf(t, lazy, "find_tools", fmt.Sprintf(`{"query":%q}`, question)))
	}
	for _, c := range taskCalls {
		arguments := fmt.Sprintf(`{"tool":%q,"arguments":%s}`, c.server+"__"+c.tool, strings.ReplaceAll(c.arguments, "FILES", files))
		lean += count(resultOf(t, lazy, "call_write", arguments))
	}
	row("with gateway.lazy", count(listOf(t, lazy, "lazy")), lean, searches)
}

// listOf returns the definitions of the servers' tools as a client gets them, without ctx-mcp's own; which tells those of a gateway.
func listOf(t *testing.T, p *peer, which string) string {
	t.Helper()
	answer, _ := p.ask("tools/list", `{}`)
	var kept []any
	for _, i := range items(answer, "tools") {
		name, _ := i["name"].(string)
		if which == "" || strings.Contains(name, which) || which == "lazy" && (name == "find_tools" || name == "call_read" || name == "call_write") {
			kept = append(kept, i)
		}
	}
	text, err := json.Marshal(kept)
	if err != nil || len(kept) == 0 {
		t.Fatalf("no tools: %v", err)
	}
	return string(text)
}

// resultOf returns the texts of a result, which must be no error.
func resultOf(t *testing.T, p *peer, tool, arguments string) string {
	t.Helper()
	answer, raw := p.ask("tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, tool, arguments))
	result, _ := answer["result"].(map[string]any)
	if result == nil || result["isError"] == true {
		t.Fatalf("%s: %s", tool, raw)
	}
	var texts []string
	for _, block := range result["content"].([]any) {
		text, _ := block.(map[string]any)["text"].(string)
		texts = append(texts, text)
	}
	return strings.Join(texts, "\n")
}
