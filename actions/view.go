package actions

import (
	"math"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions/policy"
)

// view is an action before it is taken, in the light of its session.
type view struct {
	*accumulator
	at       time.Time
	calls    []Call
	given    []Call // the same before redaction: where a secret is from is seen, and the secret itself is not kept
	declared ctxmcp.DataClass
	distance float64 // of this action

	echoed bool // echo was asked for
	worst  *echo
}

func (a *accumulator) view(at time.Time, b actionBody) *view {
	return &view{accumulator: a, at: at, calls: b.Calls, given: b.Calls, declared: b.Declared, distance: b.Distance}
}

// echo returns the call of the action that is most like the echo of a sentence, or nil if none comes into question.
func (v *view) echo() *echo {
	if v.echoed {
		return v.worst
	}
	v.echoed = true
	for _, c := range v.given {
		if e := v.known.echoOf(c); e != nil && (v.worst == nil || e.score > v.worst.score) {
			v.worst = e
		}
	}
	return v.worst
}

// told returns by what the agent was told to take the action, if it was.
func (v *view) told() *told { return v.known.toldBy(v.echo()) }

// mean returns the mean distance with this action.
func (v *view) mean() float64 {
	return round((v.tally.distance + v.distance) / float64(v.tally.actions+1))
}

// confidence says how clear it is, from 0 to 1, whether the action is an echo: low where its score is near the threshold.
func (v *view) confidence() float64 {
	e := v.echo()
	if e == nil {
		return 1
	}
	return round(min(1, 0.5+math.Abs(e.score-threshold)/6))
}

// kind returns the most far-reaching kind of the calls.
func (v *view) kind() ctxmcp.ActionKind { return v.known.kindOf(v.calls) }

// input returns what the rules decide one call of the action by.
func (v *view) input(by ctxmcp.Caller, c Call, a Answer) policy.Input {
	r := v.start.Request
	mean, confidence := v.mean(), v.confidence()
	in := policy.Input{
		Tenant: by.Tenant, User: by.User, Roles: by.Roles, Session: v.start.Session,
		Request: policy.Request{
			Text: r.Text, Intent: r.Intent, Entities: r.Entities, ExpectedScope: r.ExpectedScope, Delegates: v.known.delegates(),
		},
		Action: policy.Action{
			Tool: c.Tool, Operation: c.Operation, Kind: v.known.kindOf([]Call{c}), Parameters: c.Parameters,
			Classification: v.opts.classify(c.Tool),
		},
		State: policy.State{
			Actions: v.tally.actions, Classification: v.tally.top(), Tools: v.tally.tools, SemanticDistance: &v.distance, CumulativeDistance: &mean,
			Confidence: &confidence, Elapsed: v.at.Sub(v.started), UntrustedSourceRead: v.known.results() > 0,
		},
		Signals: a.RiskSignals, Findings: a.Findings,
	}
	return in
}
