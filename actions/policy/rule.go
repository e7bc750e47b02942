package policy

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/cedar-policy/cedar-go"
	"github.com/cedar-policy/cedar-go/ast"

	"github.com/ctx-mcp/ctx-mcp"
)

// rule is one Cedar policy with what its annotations say.
type rule struct {
	id      string
	permits bool
	verdict ctxmcp.Verdict
	rank    int // 0: none
	why     string
	open    bool // a model may answer in the place of a person
	changes []ctxmcp.Modification
	policy  *cedar.Policy
}

// annotation is one of those that a rule may carry.
type annotation struct {
	name string
	doc  string
	set  func(r *rule, value string) error
}

// annotations is the table of them.
var annotations = []annotation{
	{"id", "name of the rule, required: it stands in decisions and receipts", (*rule).setID},
	{"decision", "of a forbid: deny (default), defer, step_up or modify; of a permit: allow", (*rule).setVerdict},
	{"why", "what the agent and the operator read", func(r *rule, v string) error { r.why = v; return nil }},
	{"answerable", "of a step_up: model, where a model may answer in the place of a person if policy.judge is on", (*rule).setOpen},
	{"rank", "from 1: the highest rank that matches decides, and equal ranks that disagree defer", (*rule).setRank},
	{"redact", "with modify or step_up: arguments whose values become a placeholder, separated by commas", (*rule).setRedact},
	{"replace", "with modify or step_up: a JSON object of arguments and their new values", (*rule).setReplace},
}

var idForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_.-]{1,128}$`) })

// reserved names stand in decisions that no rule made.
var reserved = []string{ctxmcp.DefaultRule, ruleError, ruleConflict, ruleEngine}

func (r *rule) setID(value string) error {
	if !idForm().MatchString(value) || slices.Contains(reserved, value) {
		return fmt.Errorf("@id %q is not made of letters, digits, _, . and -, or is reserved", value)
	}
	r.id = value
	return nil
}

func (r *rule) setVerdict(value string) error {
	r.verdict = ctxmcp.Verdict(value)
	switch {
	case !ctxmcp.Known(r.verdict, ctxmcp.Verdicts()):
		return fmt.Errorf("@decision %q is not one of %s", value, ctxmcp.Words(ctxmcp.Verdicts()))
	case r.permits != (r.verdict == ctxmcp.Allow):
		return fmt.Errorf("@decision %q does not go with this effect: a permit allows, a forbid does anything else", value)
	}
	return nil
}

func (r *rule) setOpen(value string) error {
	if value != "model" {
		return fmt.Errorf("@answerable %q is not model", value)
	}
	r.open = true
	return nil
}

func (r *rule) setRank(value string) error {
	n, err := strconv.Atoi(value)
	if err != nil || n < 1 {
		return fmt.Errorf("@rank %q is not a whole number from 1", value)
	}
	r.rank = n
	return nil
}

func (r *rule) setRedact(value string) error {
	for name := range strings.SplitSeq(value, ",") {
		if name = strings.TrimSpace(name); name == "" {
			return errors.New("@redact names no argument")
		}
		r.changes = append(r.changes, ctxmcp.Modification{Argument: name, Change: ctxmcp.RedactArgument})
	}
	return nil
}

func (r *rule) setReplace(value string) error {
	var values map[string]any
	if err := json.Unmarshal([]byte(value), &values); err != nil || len(values) == 0 {
		return errors.New("@replace is not a JSON object of arguments and values")
	}
	for _, name := range sortedKeys(values) {
		r.changes = append(r.changes, ctxmcp.Modification{Argument: name, Change: ctxmcp.ReplaceArgument, Value: values[name]})
	}
	return nil
}

// newRule reads the annotations of a policy and checks the policy against the schema.
func newRule(p *cedar.Policy) (rule, error) {
	r := rule{policy: p, permits: p.Effect() == cedar.Permit, verdict: ctxmcp.Deny}
	if r.permits {
		r.verdict = ctxmcp.Allow
	}
	given := p.Annotations()
	for _, a := range annotations {
		value, is := given[cedarKey(a.name)]
		if !is {
			continue
		}
		if err := a.set(&r, string(value)); err != nil {
			return r, err
		}
		delete(given, cedarKey(a.name))
	}
	if len(given) > 0 {
		return r, fmt.Errorf("unknown annotation @%s: use one of %s", slices.Sorted(maps.Keys(given))[0], annotationNames())
	}
	if err := r.check(); err != nil {
		return r, err
	}
	return r, checkSchema(r.id, p)
}

func (r *rule) check() error {
	takes := r.verdict == ctxmcp.Modify || r.verdict == ctxmcp.StepUp
	switch {
	case r.id == "":
		return errors.New("it has no @id")
	case len(r.changes) > 0 && !takes:
		return fmt.Errorf("%s: @redact and @replace go with @decision(\"modify\") or (\"step_up\")", r.id)
	case r.open && r.verdict != ctxmcp.StepUp:
		return fmt.Errorf("%s: @answerable goes with @decision(\"step_up\")", r.id)
	case len(r.changes) == 0 && r.verdict == ctxmcp.Modify:
		return fmt.Errorf("%s: @decision(\"modify\") needs @redact or @replace", r.id)
	}
	return nil
}

func checkSchema(id string, p *cedar.Policy) error {
	if err := validator.Policy(id, validated(p)); err != nil {
		return errors.New(strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	return nil
}

// body returns what the rule says without its annotations, to find the same rule written twice.
func (r *rule) body() string {
	bare := *r.policy.AST()
	bare.Annotations = nil
	return string((*ast.Policy)(&bare).MarshalCedar())
}

func annotationNames() string {
	var names []string
	for _, a := range annotations {
		names = append(names, "@"+a.name)
	}
	return strings.Join(names, ", ")
}
