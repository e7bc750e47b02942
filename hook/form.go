package hook

import (
	"encoding/json"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
)

// Answer is the output of a hook, and its exit code.
type Answer struct {
	Stdout string
	Stderr string
	Exit   int
}

// form is the way in which a client takes answers. A nil function: the client has no such answer.
type form struct {
	adds     func(event, text string) object                                  // context for the model
	denies   func(event, why string) object                                   // a call, with the reason for the model
	asks     func(event, why string) object                                   // the client's user about a call
	changes  func(event string, arguments json.RawMessage, why string) object // the arguments of a call
	replaces func(event string, whole json.RawMessage, text string) object    // a result: in its own form, or by a text
	notes    func(text string) object                                         // a line for the client's user

	replaceable func(tool string) bool // the results of which tools; nil: of all
	starts      bool                   // the start of a session takes context
	later       Moment                 // where context is taken that had no place when it came up; "": nowhere
	silent      object                 // the answer where there is nothing to say; nil: none
	blocks      object                 // printed with exit code 2, which the client alone does not take for a denial
}

type object = map[string]any

// specific returns the part of an answer that is about one event, in the form that Claude Code began.
func specific(event string, fields object) object {
	fields["hookEventName"] = event
	return object{"hookSpecificOutput": fields}
}

func adds(event, text string) object { return specific(event, object{"additionalContext": text}) }

func decides(verdict string) func(event, why string) object {
	return func(event, why string) object {
		return specific(event, object{"permissionDecision": verdict, "permissionDecisionReason": why})
	}
}

func notes(text string) object { return object{"systemMessage": text} }

// changesAnd returns the answer that changes the arguments with a decision on the call.
func changesAnd(verdict string) func(string, json.RawMessage, string) object {
	return func(event string, arguments json.RawMessage, why string) object {
		return specific(event, object{"permissionDecision": verdict, "permissionDecisionReason": why, "updatedInput": arguments})
	}
}

func byText(verdict string) func(string, json.RawMessage, string) object {
	return func(_ string, _ json.RawMessage, text string) object {
		return object{"decision": verdict, "reason": text}
	}
}

func forms() map[string]form {
	return map[string]form{
		"claude-code": {
			adds: adds, denies: decides("deny"), asks: decides("ask"), changes: changesAnd("ask"), notes: notes, starts: true,
			replaces: func(event string, whole json.RawMessage, _ string) object {
				return specific(event, object{"updatedToolOutput": unpersisted(whole)})
			},
		},
		// Without "allow" Codex leaves the arguments as they are.
		"codex": {adds: adds, denies: decides("deny"), changes: changesAnd("allow"), replaces: byText("block"), notes: notes, starts: true},
		"gemini": {
			adds: adds, notes: notes, replaces: byText("deny"), starts: true,
			denies: func(_, why string) object { return object{"decision": "deny", "reason": why} },
			changes: func(event string, arguments json.RawMessage, _ string) object {
				return specific(event, object{"tool_input": arguments})
			},
		},
		"qwen":     {adds: adds, denies: decides("deny"), notes: notes, starts: true, later: PromptComes},
		"opencode": opencodeForm(),
		"cline":    clineForm(),
		"cursor":   cursorForm(),
		"vscode":   {adds: adds, denies: decides("deny"), asks: decides("ask"), changes: changesAnd("ask"), notes: notes, starts: true, later: AfterTool},
	}
}

// unpersisted returns a result of Claude Code without the file in which the client has put a long output. With the file in it, the client shows its
// own copy, and not the result that takes its place. The output says where the file is: parts of it that are read come by the hooks.
func unpersisted(whole json.RawMessage) json.RawMessage {
	var o map[string]any
	if json.Unmarshal(whole, &o) != nil {
		return whole
	}
	path, kept := o["persistedOutputPath"].(string)
	stdout, is := o["stdout"].(string)
	if !kept || !is {
		return whole
	}
	delete(o, "persistedOutputPath")
	delete(o, "persistedOutputSize")
	o["stdout"] = stdout + "\n[the whole output is in " + path + "]"
	text, err := json.Marshal(o)
	if err != nil {
		return whole
	}
	return text
}

// opencodeForm is the form that the plugin reads.
func opencodeForm() form {
	return form{
		adds:     func(_, text string) object { return object{"context": text} },
		denies:   func(_, why string) object { return object{"deny": why} },
		changes:  func(_ string, arguments json.RawMessage, _ string) object { return object{"args": arguments} },
		replaces: func(_ string, whole json.RawMessage, _ string) object { return object{"output": whole} },
		notes:    func(text string) object { return object{"note": text} },
		starts:   true,
	}
}

// clineForm is that of cline, which does not wait for the hook of a start, and ends the run where a call is denied.
func clineForm() form {
	return form{
		adds:   func(_, text string) object { return object{"cancel": false, "contextModification": text} },
		denies: func(_, why string) object { return object{"cancel": true, "errorMessage": why} },
		changes: func(_ string, arguments json.RawMessage, _ string) object {
			return object{"cancel": false, "overrideInput": arguments}
		},
		notes:  func(text string) object { return object{"cancel": false, "contextModification": text} },
		silent: object{"cancel": false}, later: AfterTool,
		blocks: object{"cancel": true, "errorMessage": saidUnread.With()},
	}
}

// cursorForm is that of Cursor. Arguments are changed without "allow", which would pass the call by its user; "ask" has no effect before a
// tool.
func cursorForm() form {
	return form{
		adds: func(_, text string) object { return object{"additional_context": text} },
		denies: func(_, why string) object {
			return object{"permission": "deny", "user_message": why, "agent_message": why}
		},
		changes: func(_ string, arguments json.RawMessage, _ string) object {
			return object{"updated_input": arguments}
		},
		replaces: func(_ string, whole json.RawMessage, _ string) object {
			return object{"updated_mcp_tool_output": whole}
		},
		replaceable: func(tool string) bool { return strings.HasPrefix(tool, "MCP:") },
		notes:       func(text string) object { return object{"user_message": text} },
		starts:      true, later: AfterTool, silent: object{},
	}
}

// replacing reports whether the result of a call can be replaced.
func (f form) replacing(e event, r Row) bool {
	return f.replaces != nil && !r.Failed && (f.replaceable == nil || f.replaceable(e.Tool))
}

// answer returns an answer as a client reads it; that of silence where there is nothing to say.
func (f form) answer(v object) Answer {
	if v == nil {
		v = f.silent
	}
	if v == nil {
		return Answer{}
	}
	text, err := json.Marshal(v)
	if err != nil {
		return Answer{Stderr: "ctx-mcp: " + err.Error() + "\n", Exit: 2}
	}
	return Answer{Stdout: string(text) + "\n"}
}

// verdict returns the answer to a decision, nil where the call is allowed. An action that needs a question or a change which the client cannot
// make is denied, and the reason says what would do.
func (f form) verdict(event string, d ctxmcp.Decision, action string, arguments json.RawMessage) object {
	why := saidDecision.With(strings.TrimSuffix(d.Why, "."), d.Rule)
	switch {
	case d.Verdict == ctxmcp.Allow:
		return nil
	case d.Verdict == ctxmcp.Modify && f.changes != nil:
		return f.changes(event, arguments, why)
	case d.Verdict == ctxmcp.Modify:
		return f.denies(event, why+saidArguments.With(string(arguments)))
	case (d.Verdict == ctxmcp.StepUp || d.Verdict == ctxmcp.Defer) && f.asks != nil:
		return f.asks(event, why)
	case d.Verdict == ctxmcp.StepUp || d.Verdict == ctxmcp.Defer:
		return f.denies(event, why+saidAskUser.With(action))
	}
	return f.denies(event, why)
}
