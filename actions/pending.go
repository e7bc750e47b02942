package actions

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/receipts"
)

// Pending is an action that waits for a decision, as a person sees it.
type Pending struct {
	ID         string // of the decision, to resolve it
	Session    string
	User       string // whose session it is
	Action     string
	Tool       string
	Operation  string
	Parameters json.RawMessage
	Request    string // of the user
	Verdict    ctxmcp.Verdict
	Rule, Why  string
	Findings   []ctxmcp.Finding
	After      []string // waiting actions that are to be decided first
	Since      time.Time
	Until      time.Time // it is denied then
}

// Choice is a person's decision.
type Choice string

// The choices. The words are sent: append only.
const (
	Approve Choice = "approve"
	Refuse  Choice = "deny"
)

// Choices lists the vocabulary.
func Choices() []Choice { return []Choice{Approve, Refuse} }

// Resolved says what a decision did.
type Resolved struct {
	ID      string
	Choice  Choice
	Effect  string
	Receipt string
}

// IsPending reports whether an id has the form of a Pending's.
func IsPending(id string) bool { return strings.HasPrefix(id, "r-") }

// Pending returns the actions that wait for a decision in the caller's sessions, and in all of the tenant for an operator,
// the oldest first, at most limit if that is not 0.
func (s *Service) Pending(ctx context.Context, by ctxmcp.Caller, limit int) ([]Pending, error) {
	user := by.User
	if by.Has(ctxmcp.Operator) {
		user = ""
	}
	keys, err := s.Store.WaitingSessions(ctx, by.Tenant, user)
	if err != nil {
		return nil, err
	}
	var all []Pending
	for _, k := range keys {
		found, err := s.pendingOf(ctx, by, k)
		if err != nil && ctxmcp.CodeOf(err) != ctxmcp.CodeNotFound {
			return nil, err
		}
		all = append(all, found...)
	}
	slices.SortStableFunc(all, func(a, b Pending) int { return a.Since.Compare(b.Since) })
	if limit > 0 {
		all = all[:min(limit, len(all))]
	}
	return all, nil
}

func (s *Service) pendingOf(ctx context.Context, by ctxmcp.Caller, k Key) ([]Pending, error) {
	return withKey(ctx, s, by, k, func(v *session) ([]Pending, error) {
		if err := s.expire(ctx, v); err != nil {
			return nil, err
		}
		var all []Pending
		for _, w := range v.undecided() {
			all = append(all, v.pending(w))
		}
		return all, nil
	})
}

func (v *session) pending(w *waiting) Pending {
	return Pending{
		ID: w.receipt, Session: v.start.Session, User: v.key.User, Action: w.id, Tool: w.tool, Operation: w.operation, Parameters: w.parameters,
		Request: v.start.Request.Text, Verdict: w.verdict, Rule: w.answer.Rule, Why: w.answer.Why, Findings: w.findings,
		After: slices.Clone(w.parents), Since: w.since, Until: w.until,
	}
}

// FindPending returns one action that waits. It returns CodeNotFound for an id that does not wait for the caller's decision.
func (s *Service) FindPending(ctx context.Context, by ctxmcp.Caller, id string) (Pending, error) {
	all, err := s.Pending(ctx, by, 0)
	if err != nil {
		return Pending{}, err
	}
	i := slices.IndexFunc(all, func(p Pending) bool { return p.ID == id })
	if i < 0 {
		return Pending{}, ctxmcp.Errorf(ctxmcp.CodeNotFound, "there is no such open review").WithHint("review lists what is open")
	}
	return all[i], nil
}

// Resolve decides an action that waits, and those that wait for it, each with a receipt that follows up the first one.
// attended says that a person decided, and not the agent. It returns CodeInvalid for another choice, CodeNotFound as
// FindPending does, CodeDenied for a caller that may not decide, and CodeConflict for an action that depends on another one
// that waits.
func (s *Service) Resolve(ctx context.Context, by ctxmcp.Caller, id string, choice Choice, reason string, attended bool) (Resolved, error) {
	if err := ctxmcp.CheckWord("decision", choice, Choices()); err != nil {
		return Resolved{}, err
	}
	if !attended && !by.Has(ctxmcp.Operator) || by.Authority > ctxmcp.AuthorityUser {
		return Resolved{}, ctxmcp.Errorf(ctxmcp.CodeDenied, "an agent does not decide on its own actions").
			WithHint("resolve it without a decision, and the user is asked where the client can; or the user runs ctx-mcp review")
	}
	p, err := s.FindPending(ctx, by, id)
	if err != nil {
		return Resolved{}, err
	}
	done, err := withKey(ctx, s, by, Key{by.Tenant, p.User, p.Session}, func(v *session) (ctxmcp.Decision, error) {
		if err := s.resolve(ctx, v, by, p.Action, choice, reason); err != nil {
			return ctxmcp.Decision{}, err
		}
		return *v.acts[p.Action].ruling, nil
	})
	if err != nil {
		return Resolved{}, err
	}
	return Resolved{ID: id, Choice: choice, Effect: "the action " + p.Action + ": " + string(done.Verdict) + ", " + done.Why}, nil
}

func (s *Service) resolve(ctx context.Context, v *session, by ctxmcp.Caller, action string, choice Choice, reason string) error {
	if err := s.expire(ctx, v); err != nil {
		return err
	}
	w := v.waiting[action]
	switch {
	case w == nil:
		return ctxmcp.Errorf(ctxmcp.CodeNotFound, "there is no such open review").WithHint("its time may be over: review lists what is open")
	case len(w.parents) > 0 && choice == Approve:
		return ctxmcp.Errorf(ctxmcp.CodeConflict, "it depends on the action %s, which waits for a decision", w.parents[0]).
			WithHint("decide that one first")
	}
	d := ctxmcp.Decision{Verdict: ctxmcp.Deny, Rule: ruleRefused, Why: saidRefused.With(by.User)}
	if choice == Approve {
		d = ctxmcp.Decision{Verdict: ctxmcp.Allow, Rule: ruleApproved, Why: saidApproved.With(by.User), Modifications: w.answer.Modifications}
		if len(d.Modifications) > 0 {
			d.Verdict = ctxmcp.Modify
		}
	}
	clean, _, err := s.Redact(ctx, v.key.Tenant, reason)
	if err != nil {
		return err
	}
	return s.settle(ctx, v, v.cascade(action, d), &receipts.Approval{By: by.User, Roles: by.Roles, Reason: clean})
}

// expire denies what nobody decided in time.
func (s *Service) expire(ctx context.Context, v *session) error {
	at := s.instant(v)
	for _, w := range v.undecided() {
		if _, waits := v.waiting[w.id]; !waits || at.Before(w.until) {
			continue
		}
		d := ctxmcp.Decision{Verdict: ctxmcp.Deny, Rule: ruleTimeout, Why: string(saidTimeout)}
		if err := s.settle(ctx, v, v.cascade(w.id, d), nil); err != nil {
			return err
		}
	}
	return nil
}

// abandon denies all that waits, at the end of a session.
func (s *Service) abandon(ctx context.Context, v *session) error {
	var all []ruling
	for _, w := range v.undecided() {
		all = append(all, ruling{ID: w.id, Decision: ctxmcp.Decision{Verdict: ctxmcp.Deny, Rule: ruleEnded, Why: string(saidEnded)}})
	}
	return s.settle(ctx, v, all, nil)
}

// settle writes the receipts of decisions, and then the decisions. Nothing is allowed before both are on disk.
func (s *Service) settle(ctx context.Context, v *session, all []ruling, approval *receipts.Approval) error {
	if len(all) == 0 {
		return nil
	}
	at := s.instant(v)
	for i := range all {
		r := &all[i]
		var by *receipts.Approval
		if approval != nil {
			r.By, r.Reason, by = approval.By, approval.Reason, approval
		}
		if err := s.followUp(ctx, v, r, by); err != nil {
			return err
		}
	}
	return s.write(ctx, v, RulingRecord, at, rulingBody{all}, "")
}

// followUp writes the receipt of a ruling. If one was written before a failure, of another decision, the action is denied: the
// two decisions met.
func (s *Service) followUp(ctx context.Context, v *session, r *ruling, approval *receipts.Approval) error {
	body := receipts.Body{
		ID: receiptID(v.key, r.ID+"\x00"+r.mark()), Kind: receipts.FollowUpKind, Tenant: v.key.Tenant, User: v.key.User, Session: v.start.Session,
		Action: r.ID, Index: v.acts[r.ID].index + 1, ContextDigest: v.digest, PolicyDigest: s.Decider.Digest(),
		Verdict: r.Decision.Verdict, Rule: r.Decision.Rule, Follows: receiptID(v.key, r.ID), Approval: approval,
	}
	if w := v.waiting[r.ID]; w != nil {
		body.Tool, body.Operation, body.Roles = w.tool, w.operation, w.roles
	}
	got, err := s.Receipts.Append(ctx, body, &receipts.Private{Why: r.Decision.Why, Decision: &r.Decision})
	if got.Existed && ctxmcp.CodeOf(err) == ctxmcp.CodeConflict {
		r.Decision = ctxmcp.Decision{Verdict: ctxmcp.Deny, Rule: ruleRefused, Why: string(saidMet)}
		body.ID, body.Follows, body.Approval = receiptID(v.key, r.ID+"\x00met"), got.ID, nil
		body.Verdict, body.Rule = r.Decision.Verdict, r.Decision.Rule
		got, err = s.Receipts.Append(ctx, body, &receipts.Private{Why: r.Decision.Why, Decision: &r.Decision})
	}
	r.Receipt = got.ID
	return err
}

// mark tells the first ruling on an action from one that takes it back.
func (r ruling) mark() string {
	if r.Decision.Rule == ruleIdentity {
		return ruleIdentity
	}
	return "ruling"
}

// instant returns the time, or that of the session's last record if the clock was set back: a deadline that is over stays
// over.
func (s *Service) instant(v *session) time.Time {
	if at := ctxmcp.Instant(s.Now()); at.After(v.latest) {
		return at
	}
	return v.latest
}

// confirm returns the decision on an action that waited, for the caller who asked for it: one who has lost a role since does
// not get what was approved.
func (s *Service) confirm(ctx context.Context, v *session, by ctxmcp.Caller, id string, roles []string) (ctxmcp.Decision, error) {
	d := *v.acts[id].ruling
	if !permits(d.Verdict) || !slices.ContainsFunc(roles, func(role string) bool { return !by.Has(role) }) {
		return d, nil
	}
	d = ctxmcp.Decision{Verdict: ctxmcp.Deny, Rule: ruleIdentity, Why: string(saidRoles)}
	return d, s.settle(ctx, v, []ruling{{ID: id, Decision: d}}, nil)
}
