package policy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cedar-policy/cedar-go"

	"github.com/ctx-mcp/ctx-mcp"
)

// Words in the place of a rule, in a decision that no rule made.
const (
	ruleError    = "error"    // a rule could not be told whether it applies
	ruleConflict = "conflict" // rules of equal standing disagree
	ruleEngine   = "engine"   // the engine failed
)

// Decide returns what the rules say of the action. It never panics. The order of precedence:
//
//  1. A forbid without a rank whose decision is deny holds whatever else does.
//  2. Of the rules with a rank that match, those with the highest decide; without one, the rest do.
//  3. Among these, a forbid overrides a permit, and the strictest forbid wins. Where they have a rank and do not agree on
//     whether the action may happen, or prescribe different changes of one argument, it is deferred.
//  4. A rule that could not be evaluated defers, unless what is decided without it is stricter.
//  5. Where no rule speaks, the default does.
func (s *Set) Decide(in Input) (d ctxmcp.Decision) {
	defer func() {
		if failure := recover(); failure != nil {
			d = ctxmcp.Decision{Verdict: ctxmcp.Deny, Rule: ruleEngine, Why: "the policy engine failed, so the action is denied"}
		}
	}()
	if s == nil {
		return ctxmcp.Decision{Verdict: ctxmcp.Deny, Rule: ruleEngine, Why: "no policy is loaded, so the action is denied"}
	}
	entities, request := in.cedar()
	_, permits := cedar.Authorize(s.permits, entities, request)
	_, forbids := cedar.Authorize(s.forbids, entities, request)
	d = s.weigh(append(s.matched(forbids), s.matched(permits)...))
	if failed := append(forbids.Errors, permits.Errors...); len(failed) > 0 && ctxmcp.Defer.Stricter(d.Verdict) {
		d = deferred(failed[0])
	}
	return fitted(d, in.Action.Parameters)
}

// matched returns the rules that apply, in the order in which they were written.
func (s *Set) matched(d cedar.Diagnostic) []rule {
	var rules []rule
	for _, reason := range d.Reasons {
		rules = append(rules, s.rules[string(reason.PolicyID)])
	}
	return rules
}

// deferred returns the decision for a rule that could not be evaluated.
func deferred(failed cedar.DiagnosticError) ctxmcp.Decision {
	why := fmt.Sprintf("the rule %s needs what is not known", failed.PolicyID)
	if _, attribute, is := strings.Cut(failed.Message, "does not have the attribute `"); is {
		why += ": " + strings.TrimSuffix(attribute, "`")
	}
	return ctxmcp.Decision{Verdict: ctxmcp.Defer, Rule: ruleError, Why: why}
}

// weigh decides among rules that apply.
func (s *Set) weigh(rules []rule) ctxmcp.Decision {
	if i := slices.IndexFunc(rules, func(r rule) bool { return r.rank == 0 && r.verdict == ctxmcp.Deny }); i >= 0 {
		return rules[i].decision()
	}
	top := 0
	for _, r := range rules {
		top = max(top, r.rank)
	}
	rules = slices.DeleteFunc(rules, func(r rule) bool { return r.rank != top })
	if len(rules) == 0 {
		return ctxmcp.Decision{Verdict: s.fallback, Rule: ctxmcp.DefaultRule, Why: "no rule speaks of this action, and the default is to " + string(s.fallback)}
	}
	if top > 0 && disagree(rules) {
		return ctxmcp.Decision{Verdict: ctxmcp.Defer, Rule: ruleConflict, Why: fmt.Sprintf("rules of rank %d disagree: %s", top, ids(rules))}
	}
	return strictest(rules)
}

// disagree reports whether some of the rules permit and some forbid.
func disagree(rules []rule) bool {
	return slices.ContainsFunc(rules, func(r rule) bool { return r.permits != rules[0].permits })
}

// strictest returns the decision of the strictest rule, the first written of several, with the changes of every rule that
// prescribes some.
func strictest(rules []rule) ctxmcp.Decision {
	d := rules[0].decision()
	d.Modifications = nil
	open := !slices.ContainsFunc(rules, func(r rule) bool { return r.verdict == ctxmcp.StepUp && !r.open })
	for _, r := range rules {
		if r.verdict.Stricter(d.Verdict) {
			d = r.decision()
		}
	}
	if d.Verdict != ctxmcp.Modify && d.Verdict != ctxmcp.StepUp {
		return d
	}
	d.Modifications, d.Answerable = nil, open && d.Verdict == ctxmcp.StepUp
	for _, r := range rules {
		for _, m := range r.changes {
			if slices.ContainsFunc(d.Modifications, func(o ctxmcp.Modification) bool { return contradict(m, o) }) {
				return ctxmcp.Decision{Verdict: ctxmcp.Defer, Rule: ruleConflict,
					Why: fmt.Sprintf("rules prescribe different changes of the argument %s: %s", m.Argument, ids(rules))}
			}
			if !slices.ContainsFunc(d.Modifications, func(o ctxmcp.Modification) bool { return o.Argument == m.Argument }) {
				d.Modifications = append(d.Modifications, m)
			}
		}
	}
	return d
}

func (r rule) decision() ctxmcp.Decision {
	why := r.why
	if why == "" {
		why = fmt.Sprintf("the rule %s says %s", r.id, r.verdict)
	}
	return ctxmcp.Decision{Verdict: r.verdict, Rule: r.id, Why: why, Modifications: r.changes}
}

func ids(rules []rule) string {
	var all []string
	for _, r := range rules {
		all = append(all, r.id)
	}
	return strings.Join(all, ", ")
}
