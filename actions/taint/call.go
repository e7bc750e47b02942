package taint

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// Call is one use of a tool that an action comes to.
type Call struct {
	Tool       string         `json:"tool"`
	Operation  string         `json:"operation"`
	Parameters map[string]any `json:"parameters"`

	values []value // of the parameters, where they were collected already
}

// Words under which a wrapper names the tool that it wraps, and its arguments, without case, spaces and underscores.
var (
	wrappedTool  = []string{"tool", "toolname", "function", "functionname", "method", "name", "action"}
	wrappedArgs  = []string{"arguments", "args", "parameters", "params", "input", "toolinput", "toolargs", "kwargs"}
	wrappedOne   = []string{"call", "toolcall", "functioncall", "function", "tooluse", "request"} // an object with both
	wrappedCalls = []string{"calls", "toolcalls", "tooluses", "invocations", "actions", "steps"}
	// wrapperOnly are what a wrapper may have beside them: where the tool is, which call it is, and what for.
	wrapperOnly = []string{"server", "servername", "serverid", "serverlabel", "mcpserver", "namespace", "callid", "toolcallid", "tooluseid",
		"requestid", "jsonrpc", "reason", "reasoning", "thought", "thoughts", "explanation", "justification", "timeout", "timeoutms"}
)

// The bounds of an action that wraps others: one with more is refused.
const (
	MaxWraps = 8  // wrappers in wrappers
	MaxCalls = 64 // of one action
)

// Resolve returns the calls that an action comes to: itself, or what a wrapper has in its arguments. A wrapper names a tool
// and gives its arguments as an object or as JSON in a string, and nothing else that could be an argument of its own; or it
// has an object or a list of such. There is always one call.
func Resolve(tool, operation string, parameters map[string]any) []Call {
	calls := unwrap(Call{Tool: tool, Operation: operation, Parameters: parameters}, 0)
	for i := range calls {
		calls[i].values = valuesOf(calls[i])
	}
	return calls
}

// Judgeable reports whether all that an action with the parameters comes to can be judged: it wraps at most MaxCalls calls, in at
// most MaxWraps wrappers.
func Judgeable(parameters map[string]any) bool {
	calls := unwrap(Call{Parameters: parameters}, 0)
	return len(calls) <= MaxCalls && !slices.ContainsFunc(calls, func(c Call) bool {
		_, more := wrapped(c.Parameters)
		for key, v := range c.Parameters {
			list, _ := v.([]any)
			more = more || len(list) > 0 && slices.Contains(wrappedCalls, flat(key)) && !slices.ContainsFunc(list, notWrapper)
		}
		return more
	})
}

func notWrapper(v any) bool {
	o, _ := v.(map[string]any)
	_, ok := wrapped(o)
	return !ok
}

func unwrap(c Call, depth int) []Call {
	if depth == MaxWraps {
		return []Call{c}
	}
	if inner, ok := wrapped(c.Parameters); ok {
		return unwrap(inner, depth+1)
	}
	var all []Call
	for _, key := range slices.Sorted(maps.Keys(c.Parameters)) {
		list, isList := c.Parameters[key].([]any)
		if !isList || !slices.Contains(wrappedCalls, flat(key)) {
			continue
		}
		for _, item := range list {
			one, isObject := item.(map[string]any)
			inner, ok := wrapped(one)
			if !isObject || !ok {
				return []Call{c}
			}
			all = append(all, unwrap(inner, depth+1)...)
		}
	}
	if len(all) == 0 {
		return []Call{c}
	}
	return all
}

// wrapped returns the call that the parameters of a wrapper stand for.
func wrapped(parameters map[string]any) (Call, bool) {
	for key, v := range parameters {
		if slices.Contains(wrappedOne, flat(key)) && onlyLabels(parameters, key) {
			if inner, ok := wrapped(objectOf(v)); ok {
				return inner, true
			}
		}
	}
	var tool string
	var arguments map[string]any
	for key, v := range parameters {
		switch name := flat(key); {
		case slices.Contains(wrapperOnly, name), name == "id" && parameters["jsonrpc"] != nil:
		case slices.Contains(wrappedArgs, name) && arguments == nil && objectOf(v) != nil:
			arguments = objectOf(v)
		case slices.Contains(wrappedTool, name) && tool == "":
			tool, _ = v.(string)
		default:
			return Call{}, false
		}
	}
	return Call{Tool: tool, Operation: tool, Parameters: arguments}, isName(tool) && arguments != nil
}

// onlyLabels reports whether the parameters have nothing beside the one but short texts that say which call it is.
func onlyLabels(parameters map[string]any, beside string) bool {
	for key := range parameters {
		if name := flat(key); key != beside && name != "id" && name != "type" && !slices.Contains(wrapperOnly, name) {
			return false
		}
	}
	return true
}

// objectOf returns an object, or the object that a string holds as JSON.
func objectOf(v any) map[string]any {
	switch v := v.(type) {
	case map[string]any:
		return v
	case string:
		if strings.HasPrefix(strings.TrimSpace(v), "{") {
			return DecodeObject(json.RawMessage(v))
		}
	}
	return nil
}

// isName reports whether text could be the name of a tool.
func isName(text string) bool {
	return text != "" && len(text) <= 128 && !strings.ContainsAny(text, " \t\n")
}

func flat(key string) string {
	return strings.NewReplacer("_", "", "-", "", " ", "", ".", "").Replace(strings.ToLower(key))
}
