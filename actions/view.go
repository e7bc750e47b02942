package actions

import (
	"context"
	"slices"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions/judge"
	"github.com/ctx-mcp/ctx-mcp/actions/policy"
	"github.com/ctx-mcp/ctx-mcp/actions/taint"
	"github.com/ctx-mcp/ctx-mcp/redact"
)

// view is an action before it is taken, in the light of its session.
type view struct {
	*accumulator
	at       time.Time
	calls    []taint.Call
	given    []taint.Call // the same before redaction: where a secret is from is seen, and the secret itself is not kept
	declared ctxmcp.DataClass
	distance float64 // of this action

	acts   [][]judge.Act // of each call: what it would do
	echoed bool          // echo was asked for
	worst  *taint.Echo
}

func (a *accumulator) view(at time.Time, b actionBody) *view {
	return &view{accumulator: a, at: at, calls: b.Calls, given: b.Calls, declared: b.Declared, distance: b.Distance}
}

// attested returns the same action as it is where only the word of a harness counts.
func (v *view) attested() *view {
	same := *v.accumulator
	same.known = v.known.Attested()
	return &view{accumulator: &same, at: v.at, calls: v.calls, given: v.given, declared: v.declared, distance: v.distance}
}

// echo returns the call of the action that is most like the echo of a sentence, or nil if none comes into question.
func (v *view) echo() *taint.Echo {
	if v.echoed {
		return v.worst
	}
	v.echoed = true
	calls := v.given
	if v.known.Hides(v.given, v.calls) {
		calls = slices.Concat(v.given, v.calls)
	}
	for _, c := range calls {
		v.worst = taint.Closer(v.worst, v.known.EchoOf(c))
	}
	return v.worst
}

// instruction returns the instruction in a result that told the agent to take the action, or nil.
func (v *view) instruction() *taint.Instruction { return v.known.InstructedBy(v.echo()) }

// mean returns the mean distance with this action.
func (v *view) mean() float64 {
	return ctxmcp.Round((v.tally.distance + v.distance) / float64(v.tally.actions+1))
}

// confidence says how clear it is, from 0 to 1, whether the action is an echo: low where its score is near the threshold.
func (v *view) confidence() float64 { return ctxmcp.Round(v.echo().Confidence()) }

// kind returns the most far-reaching kind of the calls.
func (v *view) kind() ctxmcp.ActionKind { return v.known.KindOf(v.calls) }

// weigh judges the effects of every call.
func (v *view) weigh(ctx context.Context, hide func(string) string) error {
	given := v.given
	if len(given) != len(v.calls) {
		given = v.calls
	}
	j := judge.Judge{Known: v.known, Fetched: v.fetchedFile, Folder: v.start.Folder, Staged: v.staged, Copies: v.copies, Made: v.hasMade, Hide: hide, IsSecret: func(label string) bool { return !redact.Personal(label) || label == "CARD" || label == "SSN" }}
	for i := range v.calls {
		acts, err := j.Acts(ctx, given[i], v.calls[i])
		if err != nil {
			return err
		}
		v.acts = append(v.acts, acts)
	}
	return nil
}

// input returns what the rules decide one call of the action by.
func (v *view) input(by ctxmcp.Caller, c taint.Call, act judge.Act, a Answer) policy.Input {
	r := v.start.Request
	mean, confidence := v.mean(), v.confidence()
	tool, operation := taint.Canonical(c.Tool, c.Operation)
	in := policy.Input{
		Tenant: by.Tenant, User: by.User, Roles: by.Roles, Session: v.start.Session,
		Request: policy.Request{
			Text: r.Text, Intent: r.Intent, Entities: r.Entities, ExpectedScope: r.ExpectedScope, Delegates: v.known.Delegates(),
			Looks: v.known.OnlyLooks(),
		},
		Action: policy.Action{
			Tool: tool, Operation: operation, Kind: v.known.KindOf([]taint.Call{c}), Parameters: c.Parameters,
			Classification: v.opts.classify(c.Tool),
		},
		Effect: policy.Effect{
			Class: string(act.Class), Danger: act.Class.Danger(), Authority: string(act.Authority), Asked: act.Asked, Delegated: act.Delegated, Vouched: act.Vouched,
			Carries: string(act.Carries), Pointed: act.Pointed, Told: act.Told, Speaks: act.Speaks, Spurred: act.Spurred, Named: act.Named, Refused: act.Refused, Exceeds: act.Exceeds, Astray: act.Astray, Reaches: act.Reaches, Own: act.Own, Over: act.Over, Public: act.Public, Opens: act.Opens,
		},
		State: policy.State{
			Actions: v.tally.actions, Classification: v.tally.top(), Tools: v.tally.tools, SemanticDistance: &v.distance, CumulativeDistance: &mean,
			Confidence: &confidence, Elapsed: v.at.Sub(v.started), UntrustedSourceRead: v.known.Results() > 0,
			UnreadResult: len(v.known.Unread()) > 0,
		},
		Signals: a.RiskSignals, Findings: a.Findings,
	}
	return in
}
