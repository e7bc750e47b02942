package actions

import (
	"bytes"
	"encoding/json"
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
	wrappedCalls = []string{"calls", "toolcalls", "tooluses", "invocations", "actions", "steps"}
)

const (
	maxWraps = 8  // wrappers in wrappers; what is deeper is judged as it stands
	maxCalls = 64 // of one action
)

// resolve returns the calls that an action comes to: itself, or what a wrapper has in its arguments. A wrapper names a tool
// and gives its arguments as an object or as JSON in a string, and nothing else that could be an argument of its own; or it
// has a list of such. There is always one call.
func resolve(tool, operation string, parameters map[string]any) []Call {
	calls := unwrap(Call{Tool: tool, Operation: operation, Parameters: parameters}, 0)
	calls = calls[:min(len(calls), maxCalls)]
	for i := range calls {
		calls[i].values = valuesOf(calls[i])
	}
	return calls
}

func unwrap(c Call, depth int) []Call {
	if depth == maxWraps {
		return []Call{c}
	}
	if inner, ok := wrapped(c.Parameters); ok {
		return unwrap(inner, depth+1)
	}
	for key, v := range c.Parameters {
		list, isList := v.([]any)
		if !isList || !slices.Contains(wrappedCalls, flat(key)) {
			continue
		}
		var all []Call
		for _, item := range list {
			one, isObject := item.(map[string]any)
			inner, ok := wrapped(one)
			if !isObject || !ok {
				return []Call{c}
			}
			all = append(all, unwrap(inner, depth+1)...)
		}
		if len(all) > 0 {
			return all
		}
	}
	return []Call{c}
}

// wrapped returns the call that the parameters of a wrapper stand for.
func wrapped(parameters map[string]any) (Call, bool) {
	var tool string
	var arguments map[string]any
	for key, v := range parameters {
		switch name := flat(key); {
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

// objectOf returns an object, or the object that a string holds as JSON.
func objectOf(v any) map[string]any {
	switch v := v.(type) {
	case map[string]any:
		return v
	case string:
		var o map[string]any
		d := json.NewDecoder(bytes.NewReader([]byte(v)))
		d.UseNumber()
		if strings.HasPrefix(strings.TrimSpace(v), "{") && d.Decode(&o) == nil {
			return o
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
