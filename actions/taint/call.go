package taint

import (
	"context"
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
	wrappedTool  = []string{"tool", "toolname", "function", "functionname", "method", "name", "action", "recipientname"}
	wrappedUse   = []string{"operation", "op"}                                                           // of a tool that has several
	wrappedFrom  = []string{"server", "servername", "serverid", "serverlabel", "mcpserver", "namespace"} // whose tool it is
	wrappedArgs  = []string{"arguments", "args", "parameters", "params", "input", "toolinput", "toolargs", "kwargs"}
	wrappedOne   = []string{"call", "toolcall", "functioncall", "function", "tooluse", "request"} // an object with both
	wrappedCalls = []string{"calls", "toolcalls", "tooluses", "invocations", "actions", "steps"}
	// wrapperOnly are the arguments that a wrapper may have beside them: the tool's server, the call's id, and its purpose.
	wrapperOnly = []string{"callid", "toolcallid", "tooluseid",
		"requestid", "jsonrpc", "reason", "reasoning", "thought", "thoughts", "explanation", "justification", "timeout", "timeoutms"}
)

// The bounds of an action that wraps others: one with more is refused.
const (
	MaxWraps = 8  // wrappers in wrappers
	MaxCalls = 64 // of one action
)

// Resolve returns the calls that an action comes to: itself, or what a wrapper has in its arguments. A wrapper names a tool
// and gives its arguments as an object or as JSON in a string, and nothing else that could be an argument of its own; or it
// has an object or a list of such. There is always one call. It returns the error of ctx once that has ended.
func Resolve(ctx context.Context, tool, operation string, parameters map[string]any) ([]Call, error) {
	o := opening{ctx: ctx}
	calls := o.unwrap(Call{Tool: tool, Operation: operation, Parameters: parameters}, 0)
	for i := range calls {
		if o.err == nil {
			calls[i].values, o.err = collectValues(ctx, calls[i].Parameters)
		}
	}
	return calls, o.err
}

// opening takes wrappers apart while ctx lasts.
type opening struct {
	ctx context.Context
	err error // of ctx, once it has ended: then whatever is found counts for nothing
}

// ended looks at the context: before whatever may be large is read, and for each part of a list.
func (o *opening) ended() bool {
	if o.err == nil {
		o.err = o.ctx.Err()
	}
	return o.err != nil
}

// Judgeable reports whether all that an action with the parameters comes to can be judged: it wraps at most MaxCalls calls, in at
// most MaxWraps wrappers. It returns the error of ctx once that has ended.
func Judgeable(ctx context.Context, parameters map[string]any) (bool, error) {
	o := opening{ctx: ctx}
	calls := o.unwrap(Call{Parameters: parameters}, 0)
	judgeable := len(calls) <= MaxCalls && !slices.ContainsFunc(calls, func(c Call) bool {
		_, more := o.wrapped(c.Parameters)
		for key, v := range c.Parameters {
			list, _ := v.([]any)
			more = more || len(list) > 0 && slices.Contains(wrappedCalls, flat(key)) && !slices.ContainsFunc(list, o.notWrapper)
		}
		return more
	})
	return judgeable, o.err
}

func (o *opening) notWrapper(v any) bool {
	object, _ := v.(map[string]any)
	_, ok := o.wrapped(object)
	return !ok
}

func (o *opening) unwrap(c Call, depth int) []Call {
	if depth == MaxWraps {
		return []Call{c}
	}
	if inner, ok := o.wrapped(c.Parameters); ok {
		return o.unwrap(inner, depth+1)
	}
	var lists []string
	for key, v := range c.Parameters {
		if _, isList := v.([]any); isList && slices.Contains(wrappedCalls, flat(key)) {
			lists = append(lists, key)
		}
	}
	slices.Sort(lists)
	var all []Call
	for _, key := range lists {
		for _, item := range c.Parameters[key].([]any) {
			one, isObject := item.(map[string]any)
			inner, ok := o.wrapped(one)
			if !isObject || !ok {
				return []Call{c}
			}
			all = append(all, o.unwrap(inner, depth+1)...)
		}
	}
	if len(all) == 0 {
		return []Call{c}
	}
	return all
}

// wrapped returns the call that the parameters of a wrapper stand for.
func (o *opening) wrapped(parameters map[string]any) (Call, bool) {
	if o.ended() {
		return Call{}, false
	}
	for key, v := range parameters {
		if slices.Contains(wrappedOne, flat(key)) && onlyLabels(parameters, key) {
			if inner, ok := o.wrapped(o.objectOf(v)); ok {
				return inner, true
			}
		}
	}
	var tool, server, operation string
	var arguments map[string]any
	for key, v := range parameters {
		switch name := flat(key); {
		case slices.Contains(wrapperOnly, name), name == "id" && parameters["jsonrpc"] != nil:
		case slices.Contains(wrappedArgs, name) && arguments == nil:
			if arguments = o.objectOf(v); arguments == nil {
				return Call{}, false
			}
		case slices.Contains(wrappedTool, name) && tool == "":
			tool, _ = v.(string)
		case slices.Contains(wrappedUse, name):
			operation, _ = v.(string)
		case slices.Contains(wrappedFrom, name):
			server, _ = v.(string)
		default:
			return Call{}, false
		}
	}
	if isName(server) && !strings.ContainsAny(tool, "./:") {
		tool = server + "." + tool
	}
	if operation == "" {
		operation = tool
	}
	return Call{Tool: tool, Operation: operation, Parameters: arguments}, isName(tool) && arguments != nil
}

// onlyLabels reports whether the parameters have nothing beside the one but short texts that say which call it is.
func onlyLabels(parameters map[string]any, beside string) bool {
	for key := range parameters {
		if name := flat(key); key != beside && name != "id" && name != "type" && !slices.Contains(wrapperOnly, name) && !slices.Contains(wrappedFrom, name) {
			return false
		}
	}
	return true
}

// objectOf returns an object, or the object that a string holds as JSON.
func (o *opening) objectOf(v any) map[string]any {
	switch v := v.(type) {
	case map[string]any:
		return v
	case string:
		if strings.HasPrefix(strings.TrimSpace(v), "{") && !o.ended() {
			return firstObject(json.RawMessage(v))
		}
	}
	return nil
}

// isName reports whether text could be the name of a tool.
func isName(text string) bool {
	return text != "" && len(text) <= 128 && !strings.ContainsAny(text, " \t\n")
}

// signs may stand between the words of a name.
var signs = strings.NewReplacer("_", "", "-", "", " ", "", ".", "")

func flat(key string) string { return signs.Replace(strings.ToLower(key)) }
