package policy

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
)

// Placeholder stands in the place of a redacted argument.
const Placeholder = "[REDACTED]"

// Apply returns the parameters with the changes made, and leaves the given ones alone. It returns CodeInvalid for a change
// whose argument is inside of something that is not there.
func Apply(parameters map[string]any, changes []ctxmcp.Modification) (map[string]any, error) {
	changed, err := cloned(parameters)
	if err != nil {
		return nil, fmt.Errorf("copy parameters: %w", err)
	}
	for _, m := range changes {
		value := m.Value
		if m.Change == ctxmcp.RedactArgument {
			value = Placeholder
		}
		if !set(changed, pointer(m.Argument), value) {
			return nil, ctxmcp.Errorf(ctxmcp.CodeInvalid, "the policy changes the argument %s, which has no place in the parameters", m.Argument)
		}
	}
	return changed, nil
}

// cloned returns a deep copy.
func cloned(parameters map[string]any) (map[string]any, error) {
	text, err := json.Marshal(parameters)
	if err != nil {
		return nil, err
	}
	copied := map[string]any{}
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.UseNumber()
	err = d.Decode(&copied)
	if copied == nil {
		copied = map[string]any{}
	}
	return copied, err
}

// pointer returns the steps to an argument: a name, or a JSON pointer (RFC 6901).
func pointer(argument string) []string {
	if !strings.HasPrefix(argument, "/") {
		return []string{argument}
	}
	steps := strings.Split(argument[1:], "/")
	for i, step := range steps {
		steps[i] = strings.ReplaceAll(strings.ReplaceAll(step, "~1", "/"), "~0", "~")
	}
	return steps
}

// set puts a value at the end of the steps, and reports whether there is a place for it.
func set(in any, steps []string, value any) bool {
	last := len(steps) == 1
	switch holder := in.(type) {
	case map[string]any:
		if last {
			holder[steps[0]] = value
			return true
		}
		return set(holder[steps[0]], steps[1:], value)
	case []any:
		i, err := strconv.Atoi(steps[0])
		if err != nil || i < 0 || i >= len(holder) {
			return false
		}
		if last {
			holder[i] = value
			return true
		}
		return set(holder[i], steps[1:], value)
	}
	return false
}

// holds reports whether the parameters have something at the end of the steps.
func holds(in any, steps []string) bool {
	if len(steps) == 0 {
		return true
	}
	switch holder := in.(type) {
	case map[string]any:
		inner, is := holder[steps[0]]
		return is && holds(inner, steps[1:])
	case []any:
		i, err := strconv.Atoi(steps[0])
		return err == nil && i >= 0 && i < len(holder) && holds(holder[i], steps[1:])
	}
	return false
}

// fitted leaves out redactions of what is not there. A modification of nothing is an allow. A replacement that has no place
// is a deny: the rule asks for what cannot be done.
func fitted(d ctxmcp.Decision, parameters map[string]any) ctxmcp.Decision {
	if len(d.Modifications) == 0 {
		return d
	}
	d.Modifications = slices.DeleteFunc(slices.Clone(d.Modifications), func(m ctxmcp.Modification) bool {
		return m.Change == ctxmcp.RedactArgument && !holds(parameters, pointer(m.Argument))
	})
	if _, err := Apply(parameters, d.Modifications); err != nil {
		return ctxmcp.Decision{Verdict: ctxmcp.Deny, Rule: d.Rule, Why: d.Why + "; its change of the arguments has no place in them"}
	}
	if len(d.Modifications) == 0 {
		d.Modifications = nil
		if d.Verdict == ctxmcp.Modify {
			d.Verdict = ctxmcp.Allow
		}
	}
	return d
}

// contradict reports whether two changes are of one argument, or of one inside of the other, and not the same.
func contradict(a, b ctxmcp.Modification) bool {
	p, q := pointer(a.Argument), pointer(b.Argument)
	n := min(len(p), len(q))
	return slices.Equal(p[:n], q[:n]) && !(len(p) == len(q) && a.Change == b.Change && reflect.DeepEqual(a.Value, b.Value))
}
