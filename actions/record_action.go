package actions

import (
	"context"
	"encoding/json"
	"slices"
	"unicode/utf8"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions/policy"
	"github.com/ctx-mcp/ctx-mcp/actions/taint"
	"github.com/ctx-mcp/ctx-mcp/receipts"
)

// Intent is an action that an agent is about to take.
type Intent struct {
	Session    string
	ID         string // empty: a new one
	Key        string // idempotency key
	Tool       string
	Operation  string
	Parameters json.RawMessage // an object; empty: none
	Messages   []string        // of the user since the last action
	Declared   ctxmcp.DataClass
	After      []string // actions that it depends on
	ContextRef string   // of the packet that the model was given; empty: not said
}

const (
	maxParameters = 1 << 20 // bytes
	maxMessages   = 100
	maxToolName   = 256 // bytes of the tool, and of the operation
)

// Record judges an action before it is taken, and writes it down with its decision. It returns once both, and the receipt,
// are on disk; where that fails it returns an error, and the action must not be taken. The same action again is answered as
// the first time; its id with another content is CodeConflict. named is the scope that the call names, which may leave any part
// out: a session that lives elsewhere is CodeNotFound.
func (s *Service) Record(ctx context.Context, by ctxmcp.Caller, named ctxmcp.Scope, in Intent) (Answer, error) {
	if err := in.check(ctx); err != nil {
		return Answer{}, err
	}
	return withSession(ctx, s, by, named, in.Session, func(v *session) (Answer, error) { return s.record(ctx, v, by, in) })
}

// record answers an action of an open session: as it was answered before, or after having judged it.
func (s *Service) record(ctx context.Context, v *session, by ctxmcp.Caller, in Intent) (Answer, error) {
	if err := s.expire(ctx, v); err != nil {
		return Answer{}, err
	}
	sum := in.sum()
	if id, known := v.recorded(in); known {
		return s.again(ctx, v, by, id, sum)
	}
	if err := v.accepts(in); err != nil {
		return Answer{}, err
	}
	body, err := s.judge(ctx, v, by, in, sum)
	return body.Answer, err
}

// recorded returns the id under which the action stands in the log, if it does.
func (a *accumulator) recorded(in Intent) (string, bool) {
	if in.ID != "" && a.acts[in.ID] != nil {
		return in.ID, true
	}
	id := a.keys[in.Key]
	return id, in.Key != "" && id != ""
}

// again returns the answer that was given when the action was recorded, with what was decided since.
func (s *Service) again(ctx context.Context, v *session, by ctxmcp.Caller, id, sum string) (Answer, error) {
	done := v.acts[id]
	if done.sum != sum {
		return Answer{}, ctxmcp.Errorf(ctxmcp.CodeConflict, "action %q was recorded with another content", id).
			WithHint("give every action an id and an idempotency_key of its own, or none")
	}
	records, err := s.Store.ActionLog(ctx, v.key, done.seq-1, 1)
	if err != nil {
		return Answer{}, err
	}
	var b actionBody
	if err := json.Unmarshal(records[0].Body, &b); err != nil {
		return Answer{}, err
	}
	if done.ruling != nil {
		b.Answer.Decision, err = s.confirm(ctx, v, by, id, b.Roles)
	}
	return b.Answer, err
}

// accepts returns an error for an action that the session cannot take, before anything of it is written.
func (a *accumulator) accepts(in Intent) error {
	switch {
	case !a.ended.IsZero():
		return over()
	case len(a.acts) >= a.opts.MaxActions:
		return ctxmcp.Errorf(ctxmcp.CodeTooLarge, "the session has %d actions, its limit", len(a.acts)).
			WithHint("end it with end_session and begin another one")
	}
	for _, id := range in.After {
		if a.acts[id] == nil {
			return ctxmcp.Errorf(ctxmcp.CodeNotFound, "depends_on: there is no action %q in this session", id).
				WithHint("name only actions that were recorded before this one")
		}
	}
	return nil
}

// judge decides an action of an open session and writes three records: the statements of the user, the receipt, the action.
func (s *Service) judge(ctx context.Context, v *session, by ctxmcp.Caller, in Intent, sum string) (actionBody, error) {
	if in.ID == "" {
		in.ID = s.NewID()
	}
	at := ctxmcp.Instant(s.Now())
	if err := s.listen(ctx, v, by, in); err != nil {
		return actionBody{}, err
	}
	body := actionBody{ID: in.ID, Key: in.Key, Sum: sum, Declared: in.Declared, Roles: by.Roles, ContextRef: in.ContextRef}
	hide := s.Redact.Pass(ctx, by.Tenant)
	body.Tool, _ = hide.Text(in.Tool)
	body.Operation, _ = hide.Text(in.Operation) // a path or a command line, for some agents
	err := hide.Err()
	if err != nil {
		return actionBody{}, err
	}
	if body.Parameters, err = redactJSON(ctx, s.Redact, by.Tenant, in.Parameters); err != nil {
		return actionBody{}, err
	}
	if body.Calls, err = taint.Resolve(ctx, body.Tool, body.Operation, taint.DecodeObject(ctx, body.Parameters)); err != nil {
		return actionBody{}, err
	}
	body.Distance = s.measure(ctx, v, body)
	view := v.view(at, body)
	if view.given, err = taint.Resolve(ctx, in.Tool, in.Operation, taint.DecodeObject(ctx, in.Parameters)); err != nil {
		return actionBody{}, err
	}
	hidden := func(text string) string { clean, _ := hide.Text(text); return clean }
	if body.Answer, err = s.ponder(ctx, view, by, in.ID, hidden); err != nil {
		return actionBody{}, err
	}
	s.consult(ctx, view, &body.Answer, hidden)
	view.traces(&body)
	body.Told = view.instruction()
	v.hold(&body, in.After)
	body.Until = v.deadline(at, body)
	body.Receipt = receiptID(v.key, in.ID)
	body.Answer.State = v.tallyWith(body).state(v.start.Distance)
	proof := s.prove(ctx, v, view, by, body)
	err = s.writeProved(ctx, v, ActionRecord, at, body, string(body.Answer.Decision.Verdict), proof)
	s.Receipts.Done(ctx, proof, err)
	return body, err
}

// ponder returns the answer to an action. Where the word of a caller who is no harness would make it milder, that word does not count, and the
// decision says so.
func (s *Service) ponder(ctx context.Context, v *view, by ctxmcp.Caller, id string, hide func(string) string) (Answer, error) {
	answer, err := s.find(ctx, v, by, id, hide)
	if err != nil || !v.known.Doubtful() {
		return answer, err
	}
	strict, err := s.find(ctx, v.attested(), by, id, hide)
	if err != nil || !strict.Decision.Verdict.Stricter(answer.Decision.Verdict) {
		return answer, err
	}
	strict.Decision.Unattested = true
	return strict, nil
}

// find returns what speaks against an action, and the decision on it.
func (s *Service) find(ctx context.Context, v *view, by ctxmcp.Caller, id string, hide func(string) string) (Answer, error) {
	if err := v.weigh(ctx, hide); err != nil {
		return Answer{}, err
	}
	a := Answer{ActionID: id, RiskSignals: noSignals(v.opts), Findings: v.findings(), Distance: v.distance}
	for _, f := range a.Findings {
		a.RiskSignals[f.Signal] = true
	}
	a.Decision = s.decide(v, by, a)
	return a, nil
}

// Hear records statements of the user, before the next action is known. In an ended session nothing is recorded any more.
func (s *Service) Hear(ctx context.Context, by ctxmcp.Caller, named ctxmcp.Scope, id string, messages []string) error {
	in := Intent{Session: id, Tool: "-", Messages: messages}
	if err := in.check(ctx); err != nil {
		return err
	}
	_, err := withSession(ctx, s, by, named, id, func(v *session) (struct{}, error) {
		if !v.ended.IsZero() {
			return struct{}{}, over()
		}
		return struct{}{}, s.listen(ctx, v, by, in)
	})
	return err
}

// listen records the statements of the user before the action.
func (s *Service) listen(ctx context.Context, v *session, by ctxmcp.Caller, in Intent) error {
	if len(in.Messages) == 0 || in.ID != "" && v.stated[in.ID] {
		return nil
	}
	b := messageBody{Before: in.ID, Attested: by.Has(ctxmcp.Harness)}
	hide := s.Redact.Pass(ctx, by.Tenant)
	for _, m := range in.Messages {
		clean, _ := hide.Text(m)
		b.Messages = append(b.Messages, clean)
	}
	if err := hide.Err(); err != nil {
		return err
	}
	return s.write(ctx, v, MessageRecord, ctxmcp.Instant(s.Now()), b, in.ID)
}

// decide asks the rules about every call that the action comes to. The strictest answer stands.
func (s *Service) decide(v *view, by ctxmcp.Caller, a Answer) ctxmcp.Decision {
	var worst ctxmcp.Decision
	open := true
	for i, c := range v.calls {
		for k, act := range v.acts[i] {
			d := s.Decider.Decide(v.input(by, c, act, a))
			if d.Verdict == ctxmcp.StepUp && act.Said != "" {
				d.Why += saidUser.With(ctxmcp.Shorten(act.Said, shownQuote))
			}
			open = open && (d.Verdict != ctxmcp.StepUp || d.Answerable)
			if i+k == 0 || d.Verdict.Stricter(worst.Verdict) {
				worst = d
			}
		}
	}
	worst.Answerable = worst.Answerable && open
	return worst
}

// prove prepares the receipt of the decision.
func (s *Service) prove(ctx context.Context, v *session, w *view, by ctxmcp.Caller, b actionBody) *receipts.Proof {
	var raised []string
	for name, on := range b.Answer.RiskSignals {
		if on {
			raised = append(raised, name)
		}
	}
	slices.Sort(raised)
	return s.Receipts.Prepare(ctx, receipts.Body{
		ID: b.Receipt, Kind: receipts.DecisionKind, Tenant: by.Tenant, User: by.User, Roles: by.Roles,
		Session: v.start.Session, Action: b.ID, Index: v.tally.actions + 1, Tool: b.Tool, Operation: b.Operation,
		ActionKind: w.kind(), Classification: v.opts.classify(b.Calls[0].Tool, b.Declared), ContextDigest: v.digest,
		PolicyDigest: s.Decider.Digest(), ContextRef: b.ContextRef, Verdict: b.Answer.Decision.Verdict, Rule: b.Answer.Decision.Rule, Signals: raised,
		Unattested: b.Answer.Decision.Unattested, Opinion: opinionOf(b.Answer.Decision),
	}, &receipts.Private{
		Parameters: taint.DecodeObject(context.WithoutCancel(ctx), b.Parameters), Request: v.start.Request.Text, Why: b.Answer.Decision.Why,
		Findings: b.Answer.Findings, Decision: &b.Answer.Decision,
	})
}

func (in *Intent) check(ctx context.Context) error {
	if len(in.Parameters) == 0 || string(in.Parameters) == "null" {
		in.Parameters = json.RawMessage("{}")
	}
	for name, id := range map[string]string{"action_id": in.ID, "idempotency_key": in.Key} {
		if id != "" && !ctxmcp.ValidID(id) {
			return ctxmcp.Errorf(ctxmcp.CodeInvalid, "%s is not an id", name).
				WithHint("use 1 to %d of the characters A-Z a-z 0-9 _ . -", ctxmcp.MaxIDLength)
		}
	}
	switch {
	case in.Tool == "" || len(in.Tool) > maxToolName || len(in.Operation) > maxToolName:
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, "tool is empty, or a name has over %d bytes", maxToolName)
	case len(in.Parameters) > maxParameters:
		return ctxmcp.Errorf(ctxmcp.CodeTooLarge, "parameters have more than %d bytes", maxParameters)
	case len(in.After) > maxMessages:
		return ctxmcp.Errorf(ctxmcp.CodeTooLarge, "depends_on has more than %d actions", maxMessages)
	case len(in.Messages) > maxMessages:
		return ctxmcp.Errorf(ctxmcp.CodeTooLarge, "more than %d user_messages", maxMessages)
	}
	for _, m := range in.Messages {
		if utf8.RuneCountInString(m) > maxRequest {
			return ctxmcp.Errorf(ctxmcp.CodeTooLarge, "a message of the user has more than %d characters", maxRequest)
		}
	}
	if in.Declared != "" {
		if err := ctxmcp.CheckWord("data_classification", in.Declared, ctxmcp.DataClasses()); err != nil {
			return err
		}
	}
	return in.checkParameters(ctx)
}

// checkParameters returns an error for parameters that cannot be judged, and puts them in order.
func (in *Intent) checkParameters(ctx context.Context) error {
	parameters := taint.DecodeObject(ctx, in.Parameters)
	judgeable, err := taint.Judgeable(ctx, parameters)
	switch {
	case err != nil:
		return err
	case parameters == nil:
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, "parameters is not an object").WithHint("give the tool's arguments by name")
	case !judgeable:
		return ctxmcp.Errorf(ctxmcp.CodeTooLarge, "the action wraps more than %d calls, or one deeper than %d wrappers", taint.MaxCalls, taint.MaxWraps).
			WithHint("record the calls one by one")
	}
	in.Parameters = sorted(in.Parameters)
	return ctx.Err()
}

// sum tells one content of an action from another.
func (in Intent) sum() string {
	return digestOf("", struct {
		Tool, Operation string
		Parameters      json.RawMessage
		Messages        []string
		Declared        ctxmcp.DataClass
		After           []string
		ContextRef      string `json:",omitempty"`
	}{in.Tool, in.Operation, in.Parameters, in.Messages, in.Declared, in.After, in.ContextRef})
}

var _ Decider = (*policy.Set)(nil)
