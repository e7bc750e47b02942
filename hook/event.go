package hook

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/guard"
)

// event is the input of a hook, in the names that most clients have.
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

// spelled is the input of a hook with the names that single clients have for the same.
type spelled struct {
	NameInCamels    string          `json:"hookEventName"` // VS Code
	SessionInCamels string          `json:"sessionId"`
	Conversation    string          `json:"conversation_id"` // Cursor
	Roots           []string        `json:"workspace_roots"`
	Output          json.RawMessage `json:"tool_output"`
	ErrorMessage    string          `json:"error_message"`
	HookName        string          `json:"hookName"` // cline
	TaskID          string          `json:"taskId"`
	RootsInCamels   []string        `json:"workspaceRoots"`
	Submitted       struct {
		Prompt string `json:"prompt"`
	} `json:"userPromptSubmit"`
	Started struct {
		Task     string `json:"task"`
		Metadata struct {
			Task string `json:"initialTask"`
		} `json:"taskMetadata"`
	} `json:"taskStart"`
	Before struct {
		Tool       string          `json:"toolName"`
		Parameters json.RawMessage `json:"parameters"`
	} `json:"preToolUse"`
	After struct {
		Tool       string          `json:"toolName"`
		Parameters json.RawMessage `json:"parameters"`
		Result     json.RawMessage `json:"result"`
	} `json:"postToolUse"`
	Call struct {
		Input json.RawMessage `json:"input"`
	} `json:"tool_call"`
	Result struct {
		Input json.RawMessage `json:"input"`
	} `json:"tool_result"`
}

// clineNames are the names that cline gives to the events of its hook files.
var clineNames = map[string]string{
	"agent_start": "TaskStart", "agent_resume": "TaskResume", "prompt_submit": "UserPromptSubmit", "tool_call": "PreToolUse",
	"tool_result": "PostToolUse", "pre_compact": "PreCompact", "session_shutdown": "SessionShutdown",
}

// decode reads an input, whatever the client's names are. Calls of cline have no id here, since their results have none.
func decode(input []byte) (e event, err error) {
	var s spelled
	if err := json.Unmarshal(input, &e); err != nil {
		return e, err
	}
	if err := json.Unmarshal(input, &s); err != nil {
		return e, err
	}
	e.Name = cmp.Or(e.Name, s.NameInCamels, clineNames[s.HookName], s.HookName)
	e.Session = cmp.Or(e.Session, s.SessionInCamels, s.Conversation, s.TaskID)
	for _, roots := range [][]string{s.Roots, s.RootsInCamels} {
		if e.Folder == "" && len(roots) > 0 {
			e.Folder = roots[0]
		}
	}
	e.Prompt = cmp.Or(e.Prompt, s.Submitted.Prompt, s.Started.Metadata.Task, s.Started.Task)
	e.Tool = cmp.Or(e.Tool, s.Before.Tool, s.After.Tool)
	e.Arguments = firstOf(e.Arguments, s.Call.Input, s.Result.Input, s.Before.Parameters, s.After.Parameters)
	e.Response = firstOf(e.Response, unwrapped(s.Output), s.After.Result)
	e.Error = cmp.Or(e.Error, s.ErrorMessage)
	return e, nil
}

func firstOf(values ...json.RawMessage) json.RawMessage {
	for _, v := range values {
		if len(v) > 0 {
			return v
		}
	}
	return nil
}

// unwrapped returns the object that a string holds as JSON; any other value as it is.
func unwrapped(raw json.RawMessage) json.RawMessage {
	var text string
	var inner map[string]json.RawMessage
	if json.Unmarshal(raw, &text) == nil && json.Unmarshal([]byte(text), &inner) == nil && inner != nil {
		return json.RawMessage(text)
	}
	return raw
}

// readEvent reads the input of a client's hook. An event that stands in no row is CodeInvalid.
func readEvent(client string, input []byte) (e event, r Row, err error) {
	if !slices.Contains(Clients(), client) {
		return e, r, ctxmcp.Errorf(ctxmcp.CodeInvalid, "client %q has no hooks here: use one of %s", ctxmcp.Clip(client, 40), strings.Join(Clients(), ", "))
	}
	if e, err = decode(input); err != nil {
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
	rest, marked := strings.CutPrefix(e.Tool, "mcp__")
	server, tool, parts := strings.Cut(rest, "__")
	named, cursor := strings.CutPrefix(e.Tool, "MCP:")
	switch {
	case e.MCP != nil && e.MCP.Server != "":
		c.Tool, c.Operation = e.MCP.Server, e.MCP.Tool
	case parts && (marked || server != ""): // cline leaves the mark out
		c.Tool, c.Operation = server, tool
	case cursor: // which names no server
		c.Tool, c.Operation = "MCP", named
	}
	return c
}

// joined are the prefixes by which clients that put server and tool into one word call ctx-mcp's tools.
var joined = map[string]string{"opencode": ownServer + "_", "vscode": "mcp_" + ownServer + "_"}

// own reports whether the call is of ctx-mcp itself, which keeps its own record. Cursor does not tell whose a tool is: there none is.
func (e event) own(client string) bool {
	prefix, server := joined[client], e.call().Tool
	if client == "codex" { // it writes the sign between words so; run with Codex CLI 0.169.0
		server = strings.ReplaceAll(server, "_", "-")
	}
	return server == ownServer || prefix != "" && strings.HasPrefix(e.Tool, prefix)
}

// ownTool returns the name by which ctx-mcp itself knows its tool.
func (e event) ownTool(client string) string {
	c := e.call()
	if prefix := joined[client]; c.Tool != ownServer && prefix != "" {
		return strings.TrimPrefix(e.Tool, prefix)
	}
	return c.Operation
}

const ownServer = "ctx-mcp"
