package actions

import (
	"slices"
	"strconv"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions/taint"
)

// Words for rules in decisions that follow from other decisions.
const (
	ruleApproved   = "approved"   // a person approved
	ruleRefused    = "refused"    // a person refused
	ruleTimeout    = "timeout"    // nobody decided in time
	ruleEnded      = "ended"      // the session ended before anybody decided
	ruleDependency = "dependency" // an action that it depends on waits, or was denied
	ruleCascade    = "cascade"    // too many actions wait already
	ruleIdentity   = "identity"   // the caller is no longer who asked
)

// ruling is a decision on an action that waited, or on one whose decision is taken back.
type ruling struct {
	ID       string          `json:"action_id"`
	Decision ctxmcp.Decision `json:"decision"`
	By       string          `json:"by,omitempty"` // user; empty: nobody in time, or it follows from another
	Reason   string          `json:"reason,omitempty"`
	Receipt  string          `json:"receipt"`
}

type rulingBody struct {
	Rulings []ruling `json:"rulings"`
}

// waits reports whether an action with the verdict is still to be decided.
func waits(v ctxmcp.Verdict) bool { return v == ctxmcp.StepUp || v == ctxmcp.Defer }

// permits reports whether an action with the verdict may be taken.
func permits(v ctxmcp.Verdict) bool { return v == ctxmcp.Allow || v == ctxmcp.Modify }

// await takes note of an action that waits.
func (a *accumulator) await(at time.Time, b actionBody) {
	if !waits(b.Answer.Decision.Verdict) {
		return
	}
	w := &waiting{
		id: b.ID, receipt: b.Receipt, verdict: b.Answer.Decision.Verdict, since: at, until: b.Until, index: len(a.acts), roles: b.Roles,
		tool: b.Tool, operation: b.Operation, parameters: b.Parameters, answer: b.Answer.Decision, findings: b.Answer.Findings, calls: b.Calls,
		parents: slices.Clone(b.Parents), held: b.Held, values: map[string]bool{},
	}
	for _, c := range b.Calls {
		for _, v := range taint.Values(c) {
			w.values[v] = true
		}
	}
	a.waiting[b.ID] = w
}

// rule folds decisions in.
func (a *accumulator) rule(b rulingBody) {
	for _, r := range b.Rulings {
		done := a.acts[r.ID]
		a.verdicts[done.verdict]--
		if a.verdicts[done.verdict] == 0 {
			delete(a.verdicts, done.verdict)
		}
		a.verdicts[r.Decision.Verdict]++
		done.verdict, done.ruling = r.Decision.Verdict, &r.Decision
		if w := a.waiting[r.ID]; w != nil && r.By != "" && permits(r.Decision.Verdict) {
			a.known.Approve(w.calls, evidenceIn(w.findings))
		}
		delete(a.waiting, r.ID)
		for _, w := range a.waiting {
			w.parents = slices.DeleteFunc(w.parents, func(id string) bool { return id == r.ID })
		}
		for i := range a.entries {
			if a.entries[i].ID == r.ID {
				a.entries[i].Verdict = r.Decision.Verdict
			}
		}
		a.digest = digestOf(a.digest, struct {
			Index    int
			Decision ctxmcp.Decision
		}{done.index, r.Decision})
	}
}

// evidenceIn returns the evidence of findings.
func evidenceIn(findings []ctxmcp.Finding) []ctxmcp.Evidence {
	var all []ctxmcp.Evidence
	for _, f := range findings {
		all = append(all, f.Evidence...)
	}
	return all
}

// undecided returns the actions that wait, the oldest first.
func (a *accumulator) undecided() []*waiting {
	var all []*waiting
	for _, w := range a.waiting {
		all = append(all, w)
	}
	slices.SortFunc(all, func(p, q *waiting) int { return p.index - q.index })
	return all
}

// cascade returns what a decision on a waiting action decides: the action itself, and those that depend on it. There are
// never more than wait.
func (a *accumulator) cascade(id string, d ctxmcp.Decision) []ruling {
	decided := map[string]ctxmcp.Decision{id: d}
	all := []ruling{{ID: id, Decision: d}}
	for _, w := range a.undecided() { // a dependent is younger than what it depends on
		if _, done := decided[w.id]; done {
			continue
		}
		left := slices.DeleteFunc(slices.Clone(w.parents), func(p string) bool { return permits(decided[p].Verdict) })
		denied := slices.IndexFunc(w.parents, func(p string) bool { return decided[p].Verdict == ctxmcp.Deny })
		switch {
		case denied >= 0:
			decided[w.id] = ctxmcp.Decision{Verdict: ctxmcp.Deny, Rule: ruleDependency, Why: saidDependsDenied.With(w.parents[denied])}
		case len(w.parents) > 0 && len(left) == 0 && w.held != nil:
			decided[w.id] = *w.held
		default:
			continue
		}
		all = append(all, ruling{ID: w.id, Decision: decided[w.id]})
	}
	return all
}

// hold defers an action that depends on one that waits, and denies one that depends on one that was denied, or that would be
// one too many. The session has all actions that after names.
func (a *accumulator) hold(b *actionBody, after []string) {
	for _, id := range after {
		if a.acts[id].verdict == ctxmcp.Deny && b.Answer.Decision.Verdict != ctxmcp.Deny {
			b.Answer.Decision = ctxmcp.Decision{Verdict: ctxmcp.Deny, Rule: ruleDependency, Why: saidDependsDenied.With(id)}
		}
	}
	own := b.Answer.Decision
	if own.Verdict == ctxmcp.Deny {
		return
	}
	b.Parents = a.parents(b.Calls, after)
	if len(b.Parents) == 0 && !waits(own.Verdict) {
		return
	}
	if len(a.waiting) >= a.opts.MaxWaiting {
		b.Parents = nil
		b.Answer.Decision = ctxmcp.Decision{Verdict: ctxmcp.Deny, Rule: ruleCascade,
			Why: saidTooMany.With(strconv.Itoa(len(a.waiting)))}
		return
	}
	if permits(own.Verdict) {
		b.Held = &own
		b.Answer.Decision = ctxmcp.Decision{Verdict: ctxmcp.Defer, Rule: ruleDependency,
			Why: saidDependsWaits.With(b.Parents[0])}
	}
}

// parents returns the waiting actions that an action depends on: those that it names, and those whose parameters alone have
// a value that it uses.
func (a *accumulator) parents(calls []taint.Call, after []string) []string {
	var all []string
	for _, w := range a.undecided() {
		if slices.Contains(after, w.id) || slices.ContainsFunc(calls, func(c taint.Call) bool { return a.uses(c, w) }) {
			all = append(all, w.id)
		}
	}
	return all
}

// uses reports whether a call has a value that nobody but the waiting action has brought up.
func (a *accumulator) uses(c taint.Call, w *waiting) bool {
	return a.known.OnlyAmong(c, w.values)
}

// deadline returns by when a decision must be made: in the time that the verdict allows, and not before what it depends on.
func (a *accumulator) deadline(at time.Time, b actionBody) time.Time {
	if !waits(b.Answer.Decision.Verdict) {
		return time.Time{}
	}
	until := at.Add(a.opts.StepUpTimeout)
	if b.Answer.Decision.Verdict == ctxmcp.Defer {
		until = at.Add(a.opts.DeferTimeout)
	}
	for _, id := range b.Parents {
		if p := a.waiting[id].until; p.After(until) {
			until = p
		}
	}
	return until
}
