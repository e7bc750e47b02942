//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp/guard"
)

// TestGatewayHearsTheUser: a client with hooks and gateway has one session of actions. A call that its hook announced and that the client names is
// judged with the user's words, before and after other calls of the conversation; a call that it does not name is not.
func TestGatewayHearsTheUser(t *testing.T) {
	dir := t.TempDir()
	server, err := exec.LookPath("reading-server")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "servers.json")
	text := fmt.Sprintf(`{"mcpServers":{"files":{"command":%q,"env":{"DONE":%q}}}}`, server, filepath.Join(dir, "done"))
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	const session = "8f4c1d3e-aaaa-4444-9999-0123456789ab"
	hook := func(name, more string) string {
		t.Helper()
		cmd := binary(t, dir, "hook", "claude-code", "--data-dir="+dir)
		cmd.Stdin = strings.NewReader(fmt.Sprintf(`{"hook_event_name":%q,"session_id":%q,"cwd":"",%s}`, name, session, more))
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v: %s", name, err, out)
		}
		return string(out)
	}
	t.Cleanup(func() { _ = binary(t, dir, "hook", "stop").Run() })
	p := newPeer(t, binary(t, dir, "gateway", "stdio", "--servers", file, "--toolsets", "all"))
	waitForServers(t, p, map[string][]string{"files": nil})
	call := func(tool, arguments, id string) {
		t.Helper()
		announced := fmt.Sprintf(`"tool_name":"mcp__ctx-mcp__%s","tool_input":%s,"tool_use_id":%q`, tool, arguments, id)
		hook("PreToolUse", announced)
		p.ask("tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s,"_meta":{"claudecode/toolUseId":%q}}`, tool, arguments, id))
		hook("PostToolUse", announced+`,"tool_response":"read"`)
	}
	hook("UserPromptSubmit", `"prompt":"Read the file notes.txt."`)
	call("files__read_text", `{"path":"notes.txt"}`, "toolu_0100000000000000001")
	hook("UserPromptSubmit", `"prompt":"And now list the folder."`)
	hook("PreToolUse", `"tool_name":"Bash","tool_input":{"command":"ls"},"tool_use_id":"toolu_0100000000000000002"`)
	hook("PostToolUse", `"tool_name":"Bash","tool_input":{"command":"ls"},"tool_use_id":"toolu_0100000000000000002","tool_response":"notes.txt"`)
	hook("UserPromptSubmit", `"prompt":"Read it once more."`)
	call("files__read_text", `{"path":"notes.txt"}`, "toolu_0100000000000000003")
	p.ask("tools/call", `{"name":"files__read_text","arguments":{"path":"notes.txt"},"_meta":{"claudecode/toolUseId":"toolu_0100000000000000009"}}`)

	answer, _ := p.ask("tools/call", fmt.Sprintf(`{"name":"get_evaluation_context","arguments":{"session_id":%q}}`,
		guard.Conversation{Front: "claude-code", ID: session}.Session()))
	result, _ := answer["result"].(map[string]any)
	raw, _ := json.Marshal(result["structuredContent"])
	var got struct {
		Request struct{ Text string } `json:"original_request"`
		Said    []string              `json:"user_messages"`
		Acts    []struct {
			Tool string `json:"tool"`
		} `json:"action_history"`
	}
	if err := json.Unmarshal(raw, &got); err != nil {
		t.Fatalf("%v: %s", err, raw)
	}
	if got.Request.Text != "Read the file notes.txt." || len(got.Said) != 2 || got.Said[1] != "Read it once more." {
		t.Errorf("heard %q and %q: %s", got.Request.Text, got.Said, raw)
	}
	var tools []string
	for _, a := range got.Acts {
		tools = append(tools, a.Tool)
	}
	if strings.Join(tools, " ") != "files Bash files" {
		t.Errorf("the session has the calls of %q: %s", tools, raw)
	}
}
