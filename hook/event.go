package hook

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/guard"
)

// Moment is the meaning of an event.
type Moment string

// The moments.
const (
	SessionStarts  Moment = "session starts"
	PromptComes    Moment = "prompt comes"
	BeforeTool     Moment = "before a tool"
	AfterTool      Moment = "after a tool"
	SessionEnds    Moment = "session ends"
	contextWasLost        = "compact" // the source of a session start after a compaction
)

// Row says what an event of a client means.
type Row struct {
	Client, Event string
	Moment        Moment
	Failed        bool   // the event of a tool that failed
	Source        string // where that is documented, or what was run
}

const (
	claudeSource   = "code.claude.com/docs/en/hooks, 2026-11"
	codexSource    = "run with Codex CLI 0.169.0, 2026-11-22"
	geminiSource   = "run with Gemini CLI 0.61.0, 2026-11-22"
	qwenSource     = "run with Qwen Code 0.24.4, 2026-11-22"
	opencodeSource = "run with opencode 1.18.33, 2026-11-22"
)

// Rows returns the table of events. Of opencode the events are those that the plugin sends.
func Rows() []Row {
	return []Row{
		{"claude-code", "SessionStart", SessionStarts, false, claudeSource},
		{"claude-code", "UserPromptSubmit", PromptComes, false, claudeSource},
		{"claude-code", "PreToolUse", BeforeTool, false, claudeSource},
		{"claude-code", "PostToolUse", AfterTool, false, claudeSource},
		{"claude-code", "PostToolUseFailure", AfterTool, true, claudeSource},
		{"claude-code", "SessionEnd", SessionEnds, false, claudeSource},
		{"codex", "SessionStart", SessionStarts, false, codexSource},
		{"codex", "UserPromptSubmit", PromptComes, false, codexSource},
		{"codex", "PreToolUse", BeforeTool, false, codexSource},
		{"codex", "PostToolUse", AfterTool, false, codexSource},
		{"gemini", "SessionStart", SessionStarts, false, geminiSource},
		{"gemini", "BeforeAgent", PromptComes, false, geminiSource},
		{"gemini", "BeforeTool", BeforeTool, false, geminiSource},
		{"gemini", "AfterTool", AfterTool, false, geminiSource},
		{"gemini", "SessionEnd", SessionEnds, false, geminiSource},
		{"qwen", "SessionStart", SessionStarts, false, qwenSource},
		{"qwen", "UserPromptSubmit", PromptComes, false, qwenSource},
		{"qwen", "PreToolUse", BeforeTool, false, qwenSource},
		{"qwen", "PostToolUse", AfterTool, false, qwenSource},
		{"qwen", "PostToolUseFailure", AfterTool, true, qwenSource},
		{"qwen", "SessionEnd", SessionEnds, false, qwenSource},
		{"opencode", "SessionStart", SessionStarts, false, opencodeSource},
		{"opencode", "UserPromptSubmit", PromptComes, false, opencodeSource},
		{"opencode", "PreToolUse", BeforeTool, false, opencodeSource},
		{"opencode", "PostToolUse", AfterTool, false, opencodeSource},
	}
}

// Clients lists the clients of the table.
func Clients() []string {
	var names []string
	for _, r := range Rows() {
		if !slices.Contains(names, r.Client) {
			names = append(names, r.Client)
		}
	}
	return names
}

// Events lists the events of a client.
func Events(client string) []string {
	var names []string
	for _, r := range Rows() {
		if r.Client == client {
			names = append(names, r.Event)
		}
	}
	return names
}

func rowOf(client, event string) (Row, bool) {
	for _, r := range Rows() {
		if r.Client == client && r.Event == event {
			return r, true
		}
	}
	return Row{}, false
}

// event is the input of a hook: the fields that any of the clients has.
type event struct {
	Name      string          `json:"hook_event_name"`
	Session   string          `json:"session_id"`
	Folder    string          `json:"cwd"`
	Source    string          `json:"source"`
	Prompt    string          `json:"prompt"`
	Tool      string          `json:"tool_name"`
	Arguments json.RawMessage `json:"tool_input"`
	CallID    string          `json:"tool_use_id"`
	Response  json.RawMessage `json:"tool_response"`
	Error     string          `json:"error"`
	MCP       *struct {
		Server string `json:"server_name"`
		Tool   string `json:"tool_name"`
	} `json:"mcp_context"`
}

// readEvent reads the input of a client's hook. An event that stands in no row is CodeInvalid.
func readEvent(client string, input []byte) (e event, r Row, err error) {
	if !slices.Contains(Clients(), client) {
		return e, r, ctxmcp.Errorf(ctxmcp.CodeInvalid, "client %q has no hooks here: use one of %s", ctxmcp.Clip(client, 40), strings.Join(Clients(), ", "))
	}
	if err := json.Unmarshal(input, &e); err != nil {
		return e, r, ctxmcp.Errorf(ctxmcp.CodeInvalid, "the input is no JSON object of a hook").WithCause(err)
	}
	r, known := rowOf(client, e.Name)
	if !known {
		return e, r, ctxmcp.Errorf(ctxmcp.CodeInvalid, "the event %q of %s is not known here", ctxmcp.Clip(e.Name, 40), client).
			WithHint("the events are %s", strings.Join(Events(client), ", "))
	}
	if e.Session == "" {
		return e, r, ctxmcp.Errorf(ctxmcp.CodeInvalid, "the input of %s names no session", e.Name)
	}
	return e, r, nil
}

// call returns the call of the event. A tool of an MCP server is the operation of its server, a tool of the client itself both.
func (e event) call() guard.Call {
	c := guard.Call{ID: e.CallID, Tool: e.Tool, Operation: e.Tool, Arguments: e.Arguments}
	if rest, ok := strings.CutPrefix(e.Tool, "mcp__"); ok {
		if server, tool, ok := strings.Cut(rest, "__"); ok {
			c.Tool, c.Operation = server, tool
		}
	}
	if e.MCP != nil && e.MCP.Server != "" {
		c.Tool, c.Operation = e.MCP.Server, e.MCP.Tool
	}
	return c
}

// own reports whether the call is of ctx-mcp itself, which keeps its own record. opencode puts the server in front of the tool with one _.
func (e event) own(client string) bool {
	return e.call().Tool == ownServer || client == "opencode" && strings.HasPrefix(e.Tool, ownServer+"_")
}

const ownServer = "ctx-mcp"

// texts returns the strings in a result that a model reads, in order, and what puts others in their place.
func texts(raw json.RawMessage) (all []string, put func([]string) (json.RawMessage, error), err error) {
	var v any
	if len(raw) == 0 {
		raw = json.RawMessage("null")
	}
	if err := json.Unmarshal(raw, &v); err != nil {
		return nil, nil, fmt.Errorf("read a result: %w", err)
	}
	each(v, func(s string) string { all = append(all, s); return s })
	return all, func(other []string) (json.RawMessage, error) {
		i := 0
		return json.Marshal(each(v, func(string) string { i++; return other[i-1] }))
	}, nil
}

// each returns a value with a function done to each of its strings, but for those that say of what kind a part is.
func each(v any, do func(string) string) any {
	switch v := v.(type) {
	case string:
		return do(v)
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = each(e, do)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for _, name := range sortedNames(v) {
			if name == "type" || name == "mimeType" || name == "data" || name == "blob" {
				out[name] = v[name]
				continue
			}
			out[name] = each(v[name], do)
		}
		return out
	}
	return v
}

func sortedNames(m map[string]any) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// asText returns a result as one text: a string itself, else the texts of its content. Content that is no text is left out, and that is said.
func asText(whole json.RawMessage) string {
	var v any
	if json.Unmarshal(whole, &v) != nil {
		return string(whole)
	}
	if o, ok := v.(map[string]any); ok {
		for _, name := range []string{"content", "llmContent"} {
			if inner, has := o[name]; has {
				v = inner
				break
			}
		}
	}
	switch v := v.(type) {
	case string:
		return v
	case []any:
		return joinedParts(v)
	}
	return string(whole)
}

func joinedParts(parts []any) string {
	var lines []string
	others := 0
	for _, p := range parts {
		o, _ := p.(map[string]any)
		if text, ok := o["text"].(string); ok {
			lines = append(lines, text)
		} else {
			others++
		}
	}
	if others > 0 {
		lines = append(lines, fmt.Sprintf("[left out: %d parts that are no text]", others))
	}
	return strings.Join(lines, "\n")
}
