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
	adds     func(event, text string) any                                  // context for the model
	denies   func(event, why string) any                                   // a call, with the reason for the model
	asks     func(event, why string) any                                   // the client's user about a call
	changes  func(event string, arguments json.RawMessage, why string) any // the arguments of a call
	replaces func(event string, whole json.RawMessage, text string) any    // a result: in its own form, or by a text
	notes    func(text string) any                                         // a line for the client's user
}

type object = map[string]any

// specific returns the part of an answer that is about one event, in the form that Claude Code began.
func specific(event string, fields object) any {
	fields["hookEventName"] = event
	return object{"hookSpecificOutput": fields}
}

func adds(event, text string) any { return specific(event, object{"additionalContext": text}) }

func decides(verdict string) func(event, why string) any {
	return func(event, why string) any {
		return specific(event, object{"permissionDecision": verdict, "permissionDecisionReason": why})
	}
}

func notes(text string) any { return object{"systemMessage": text} }

func forms() map[string]form {
	return map[string]form{
		"claude-code": {
			adds: adds, denies: decides("deny"), asks: decides("ask"), notes: notes,
			changes: func(event string, arguments json.RawMessage, why string) any {
				return specific(event, object{"permissionDecision": "ask", "permissionDecisionReason": why, "updatedInput": arguments})
			},
			replaces: func(event string, whole json.RawMessage, _ string) any {
				return specific(event, object{"updatedToolOutput": whole})
			},
		},
		"codex": {
			adds: adds, denies: decides("deny"), notes: notes,
			changes: func(event string, arguments json.RawMessage, why string) any { // without "allow" Codex leaves the arguments as they are
				return specific(event, object{"permissionDecision": "allow", "permissionDecisionReason": why, "updatedInput": arguments})
			},
			replaces: func(_ string, _ json.RawMessage, text string) any { return object{"decision": "block", "reason": text} },
		},
		"gemini": {
			adds: adds, notes: notes,
			denies: func(_, why string) any { return object{"decision": "deny", "reason": why} },
			changes: func(event string, arguments json.RawMessage, _ string) any {
				return specific(event, object{"tool_input": arguments})
			},
			replaces: func(_ string, _ json.RawMessage, text string) any { return object{"decision": "deny", "reason": text} },
		},
		"qwen": {adds: adds, denies: decides("deny"), notes: notes},
		"opencode": {
			adds:     func(_, text string) any { return object{"context": text} },
			denies:   func(_, why string) any { return object{"deny": why} },
			changes:  func(_ string, arguments json.RawMessage, _ string) any { return object{"args": arguments} },
			replaces: func(_ string, whole json.RawMessage, _ string) any { return object{"output": whole} },
			notes:    func(text string) any { return object{"note": text} },
		},
	}
}

// answer returns an answer as a client reads it; nothing where there is nothing to say.
func answer(v any) Answer {
	if v == nil {
		return Answer{}
	}
	text, err := json.Marshal(v)
	if err != nil {
		return Answer{Stderr: "ctx-mcp: " + err.Error() + "\n", Exit: 2}
	}
	return Answer{Stdout: string(text) + "\n"}
}

// verdict returns the answer to a decision. An action that needs a question or a change which the client cannot make is denied, and the reason says
// what would do.
func (f form) verdict(event string, d ctxmcp.Decision, action string, arguments json.RawMessage) Answer {
	why := "ctx-mcp: " + strings.TrimSuffix(d.Why, ".") + " (rule " + d.Rule + ")."
	switch {
	case d.Verdict == ctxmcp.Allow:
		return Answer{}
	case d.Verdict == ctxmcp.Modify && f.changes != nil:
		return answer(f.changes(event, arguments, why))
	case d.Verdict == ctxmcp.Modify:
		return answer(f.denies(event, why+" Call it with these arguments instead: "+string(arguments)))
	case (d.Verdict == ctxmcp.StepUp || d.Verdict == ctxmcp.Defer) && f.asks != nil:
		return answer(f.asks(event, why))
	case d.Verdict == ctxmcp.StepUp || d.Verdict == ctxmcp.Defer:
		return answer(f.denies(event, why+" Only the user can decide on this: ask the user to do it, or to tell you to in plain words. The review is "+action+"."))
	}
	return answer(f.denies(event, why))
}
