package actions_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions"
	"github.com/ctx-mcp/ctx-mcp/actions/policy"
	"github.com/ctx-mcp/ctx-mcp/receipts"
	"github.com/ctx-mcp/ctx-mcp/receipts/keyring"
	"github.com/ctx-mcp/ctx-mcp/redact"
	"github.com/ctx-mcp/ctx-mcp/storetest/inmem"
)

// desk is a service with a policy that puts every call of the tool "ask" to a person and defers every call of "wait".
type desk struct {
	*actions.Service
	store *inmem.Store
	proof *receipts.Service
	now   time.Time
	made  int
}

const deskPolicy = `
@id("ask") @decision("step_up") forbid (principal, action, resource in Tool::"ask");
@id("wait") @decision("defer") forbid (principal, action, resource in Tool::"wait");
@id("never") forbid (principal, action, resource in Tool::"never");
@id("dry") @decision("step_up") @replace("{\"dry_run\": true}") forbid (principal, action, resource in Tool::"dry");`

func newDesk(t *testing.T) *desk {
	t.Helper()
	set, err := policy.Load("desk.cedar", deskPolicy, ctxmcp.Allow)
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{store: &inmem.Store{}, now: time.Date(2026, 1, 1, 9, 0, 0, 0, time.UTC)}
	clock := func() time.Time { return d.now }
	d.proof = &receipts.Service{Log: d.store, Now: clock,
		Keys: &keyring.Ring{Dir: filepath.Join(t.TempDir(), "keys"), Random: rand.NewChaCha8([32]byte{1})}}
	d.Service = &actions.Service{
		Store: d.store, Decider: set, Receipts: d.proof, Now: clock, Logger: slog.New(slog.DiscardHandler),
		Redact: redact.Nothing,
		NewID:  func() string { d.made++; return fmt.Sprint("act-", d.made) },
		Handle: func() string { return "s" }, Options: actions.Options{MaxWaiting: 3},
	}
	if _, err := d.Start(t.Context(), ann(), ctxmcp.Scope{}, actions.Opening{Request: actions.Request{Text: "tidy my desk"}}); err != nil {
		t.Fatal(err)
	}
	return d
}

func ann(roles ...string) ctxmcp.Caller {
	return ctxmcp.Caller{Tenant: "acme", User: "ann", Roles: roles, Authority: ctxmcp.AuthorityUser}.With(ctxmcp.Harness)
}

// record records an action and returns the decision.
func (d *desk) record(t *testing.T, by ctxmcp.Caller, id, tool, parameters string, after ...string) ctxmcp.Decision {
	t.Helper()
	a, err := d.Record(t.Context(), by, ctxmcp.Scope{}, actions.Intent{Session: "s", ID: id, Tool: tool, Operation: "run", Parameters: json.RawMessage(parameters), After: after})
	if err != nil {
		t.Fatalf("Record(%s): %v", id, err)
	}
	return a.Decision
}

// want compares the decision on an action that is recorded again.
func (d *desk) want(t *testing.T, id, tool, parameters string, verdict ctxmcp.Verdict, rule string, after ...string) {
	t.Helper()
	if got := d.record(t, ann(), id, tool, parameters, after...); got.Verdict != verdict || got.Rule != rule {
		t.Errorf("%s is %s by %s, want %s by %s", id, got.Verdict, got.Rule, verdict, rule)
	}
}

// open returns the ids of the decisions that wait, by their actions.
func (d *desk) open(t *testing.T) map[string]string {
	t.Helper()
	all, err := d.Pending(t.Context(), ann(), 0)
	if err != nil {
		t.Fatal(err)
	}
	ids := map[string]string{}
	for _, p := range all {
		ids[p.Action] = p.ID
	}
	return ids
}

func (d *desk) resolve(t *testing.T, action string, choice actions.Choice) {
	t.Helper()
	if _, err := d.Resolve(t.Context(), ann(), d.open(t)[action], choice, "", true); err != nil {
		t.Fatalf("Resolve(%s): %v", action, err)
	}
}

// bodies returns what the receipts of the session say, in order, as kind verdict rule action.
func (d *desk) bodies(t *testing.T) []receipts.Body {
	t.Helper()
	return bodiesIn(t, d.store)
}

func bodiesIn(t *testing.T, store *inmem.Store) []receipts.Body {
	t.Helper()
	entries, err := store.Receipts(t.Context(), receipts.Query{Tenant: "acme", User: "ann", Session: "s"})
	if err != nil {
		t.Fatal(err)
	}
	var all []receipts.Body
	for _, e := range entries {
		var envelope struct{ Payload []byte }
		var body receipts.Body
		if err := errors.Join(json.Unmarshal(e.Envelope, &envelope), json.Unmarshal(envelope.Payload, &body)); err != nil {
			t.Fatal(err)
		}
		all = append(all, body)
	}
	return all
}

func (d *desk) wantReceipts(t *testing.T, want ...string) {
	t.Helper()
	var got []string
	for _, b := range d.bodies(t) {
		got = append(got, fmt.Sprintf("%s %s %s %s", b.Kind, b.Action, b.Verdict, b.Rule))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("receipts differ (-want +got):\n%s", diff)
	}
}

// TestApproval: an action waits until a person decides; then the same call has the decision, and a receipt that follows up
// the first one. So has a process that reads the session anew.
func TestApproval(t *testing.T) {
	d := newDesk(t)
	d.want(t, "a", "ask", `{"x":1}`, ctxmcp.StepUp, "ask")
	d.want(t, "a", "ask", `{"x":1}`, ctxmcp.StepUp, "ask")
	d.want(t, "b", "dry", `{}`, ctxmcp.StepUp, "dry")
	d.want(t, "c", "wait", `{}`, ctxmcp.Defer, "wait")
	d.resolve(t, "a", actions.Approve)
	d.resolve(t, "b", actions.Approve)
	d.resolve(t, "c", actions.Refuse)
	for range 2 {
		d.want(t, "a", "ask", `{"x":1}`, ctxmcp.Allow, "approved")
		d.want(t, "c", "wait", `{}`, ctxmcp.Deny, "refused")
		if got := d.record(t, ann(), "b", "dry", `{}`); got.Verdict != ctxmcp.Modify || len(got.Modifications) != 1 {
			t.Errorf("b is %+v, want modify", got)
		}
		again := d.Service // a process that has nothing in memory follows
		d.Service = &actions.Service{Store: again.Store, Decider: again.Decider, Receipts: again.Receipts, Redact: again.Redact,
			Now: again.Now, NewID: again.NewID, Handle: again.Handle, Logger: again.Logger, Options: again.Options}
	}
	d.wantReceipts(t, "decision a step_up ask", "decision b step_up dry", "decision c defer wait",
		"follow_up a allow approved", "follow_up b modify approved", "follow_up c deny refused")
	all := d.bodies(t)
	if all[3].Follows != all[0].ID || all[3].Approval == nil || all[3].Approval.By != "ann" {
		t.Errorf("the follow-up is %+v, want it to name the first receipt and who approved", all[3])
	}
}

// TestTimeoutDenies: an action that nobody decides in time is denied, whoever looks first, and stays so when the clock is set back.
func TestTimeoutDenies(t *testing.T) {
	for name, look := range map[string]func(*desk){
		"the agent":    func(d *desk) { d.want(t, "a", "ask", `{}`, ctxmcp.Deny, "timeout") },
		"the operator": func(d *desk) { d.open(t) },
	} {
		d := newDesk(t)
		d.want(t, "a", "ask", `{}`, ctxmcp.StepUp, "ask")
		id := d.open(t)["a"]
		d.now = d.now.Add(15*time.Minute - time.Microsecond)
		d.want(t, "a", "ask", `{}`, ctxmcp.StepUp, "ask")
		d.now = d.now.Add(time.Microsecond)
		look(d)
		d.now = d.now.Add(-time.Hour)
		if _, err := d.Resolve(t.Context(), ann(), id, actions.Approve, "", true); ctxmcp.CodeOf(err) != ctxmcp.CodeNotFound {
			t.Errorf("%s: Resolve after the time = %v, want not_found", name, err)
		}
		d.want(t, "a", "ask", `{}`, ctxmcp.Deny, "timeout")
		d.wantReceipts(t, "decision a step_up ask", "follow_up a deny timeout")
	}
}

// TestAgentDoesNotApproveItself: the agent's own word is no approval; a person's or an operator's is, and of no other user.
func TestAgentDoesNotApproveItself(t *testing.T) {
	d := newDesk(t)
	d.want(t, "a", "ask", `{}`, ctxmcp.StepUp, "ask")
	id := d.open(t)["a"]
	weak := ann()
	weak.Authority = ctxmcp.AuthorityInferred
	bob := ctxmcp.Caller{Tenant: "acme", User: "bob", Authority: ctxmcp.AuthorityUser}
	stranger := ctxmcp.Caller{Tenant: "other", User: "ann", Roles: []string{ctxmcp.Operator}, Authority: ctxmcp.AuthorityUser}
	for name, c := range map[string]struct {
		by       ctxmcp.Caller
		attended bool
		want     ctxmcp.Code
	}{
		"agent": {ann(), false, ctxmcp.CodeDenied}, "one without authority": {weak, true, ctxmcp.CodeDenied},
		"another user": {bob, true, ctxmcp.CodeNotFound}, "another tenant": {stranger, false, ctxmcp.CodeNotFound},
	} {
		if _, err := d.Resolve(t.Context(), c.by, id, actions.Approve, "", c.attended); ctxmcp.CodeOf(err) != c.want || err == nil {
			t.Errorf("%s: Resolve = %v, want %s", name, err, c.want)
		}
	}
	if _, err := d.Resolve(t.Context(), ann(), id, "yes", "", true); ctxmcp.CodeOf(err) != ctxmcp.CodeInvalid {
		t.Errorf("Resolve with another word = %v, want invalid", err)
	}
	bob.Roles = []string{ctxmcp.Operator}
	if _, err := d.Resolve(t.Context(), bob, id, actions.Approve, "seen", false); err != nil {
		t.Errorf("an operator: %v", err)
	}
	d.want(t, "a", "ask", `{}`, ctxmcp.Allow, "approved")
}

// TestIdentityIsCheckedAgain: who has lost a role since does not get what was approved with it.
func TestIdentityIsCheckedAgain(t *testing.T) {
	d := newDesk(t)
	d.record(t, ann("payer"), "a", "ask", `{}`)
	d.resolve(t, "a", actions.Approve)
	if got := d.record(t, ann("payer", "more"), "a", "ask", `{}`); got.Verdict != ctxmcp.Allow {
		t.Errorf("with the role: %+v, want allow", got)
	}
	for _, by := range []ctxmcp.Caller{ann(), ann("payer")} { // once taken back it stays so
		if got := d.record(t, by, "a", "ask", `{}`); got.Verdict != ctxmcp.Deny || got.Rule != "identity" {
			t.Errorf("with the roles %v: %+v, want a deny", by.Roles, got)
		}
	}
	d.wantReceipts(t, "decision a step_up ask", "follow_up a allow approved", "follow_up a deny identity")
}

// TestDependents: an action that uses a value which only a waiting action brought up waits with it, or names it; the rest goes on.
func TestDependents(t *testing.T) {
	for choice, want := range map[actions.Choice]ctxmcp.Verdict{actions.Approve: ctxmcp.Allow, actions.Refuse: ctxmcp.Deny} {
		d := newDesk(t)
		d.want(t, "a", "ask", `{"file":"plan-7731.txt"}`, ctxmcp.StepUp, "ask")
		d.want(t, "b", "mail", `{"attach":"plan-7731.txt"}`, ctxmcp.Defer, "dependency")
		d.want(t, "c", "log", `{}`, ctxmcp.Defer, "dependency", "b")
		d.want(t, "free", "mail", `{"attach":"other-1.txt"}`, ctxmcp.Allow, "default")
		if _, err := d.Resolve(t.Context(), ann(), d.open(t)["c"], actions.Approve, "", true); ctxmcp.CodeOf(err) != ctxmcp.CodeConflict {
			t.Errorf("a dependent is approved before what it depends on: %v", err)
		}
		d.resolve(t, "a", choice)
		rule := map[actions.Choice]string{actions.Approve: "default", actions.Refuse: "dependency"}[choice]
		d.want(t, "b", "mail", `{"attach":"plan-7731.txt"}`, want, rule)
		d.want(t, "c", "log", `{}`, want, rule, "b")
		if open := d.open(t); len(open) != 0 {
			t.Errorf("after %s %v still wait", choice, open)
		}
		if n := len(d.bodies(t)); n != 7 {
			t.Errorf("there are %d receipts, want 4 decisions and 3 follow-ups", n)
		}
	}
	d := newDesk(t)
	d.want(t, "a", "never", `{}`, ctxmcp.Deny, "never")
	d.want(t, "b", "log", `{}`, ctxmcp.Deny, "dependency", "a")
	_, err := d.Record(t.Context(), ann(), ctxmcp.Scope{}, actions.Intent{Session: "s", Tool: "log", Operation: "run", After: []string{"nothing"}})
	if ctxmcp.CodeOf(err) != ctxmcp.CodeNotFound {
		t.Errorf("an action after one that is not there = %v, want not_found", err)
	}
}

// TestCascadeIsBounded: one more action than may wait is denied, and work that depends on nothing goes on.
func TestCascadeIsBounded(t *testing.T) {
	d := newDesk(t)
	for i := range 3 {
		d.want(t, fmt.Sprint("a", i), "ask", `{}`, ctxmcp.StepUp, "ask")
	}
	d.want(t, "more", "ask", `{}`, ctxmcp.Deny, "cascade")
	d.want(t, "child", "log", `{}`, ctxmcp.Deny, "cascade", "a0")
	d.want(t, "free", "log", `{}`, ctxmcp.Allow, "default")
	d.resolve(t, "a0", actions.Approve)
	d.want(t, "next", "ask", `{}`, ctxmcp.StepUp, "ask")
}

// TestEndDeniesWhatWaits: a session does not end with open decisions, and its receipt counts what they became.
func TestEndDeniesWhatWaits(t *testing.T) {
	d := newDesk(t)
	d.want(t, "a", "ask", `{}`, ctxmcp.StepUp, "ask")
	d.want(t, "b", "log", `{}`, ctxmcp.Defer, "dependency", "a")
	if _, err := d.End(t.Context(), ann(), ctxmcp.Scope{}, "s"); err != nil {
		t.Fatal(err)
	}
	d.wantReceipts(t, "decision a step_up ask", "decision b defer dependency", "follow_up a deny ended", "follow_up b deny ended", "session   ")
	all := d.bodies(t)
	if got := all[4].Summary.Verdicts; len(got) != 1 || got[ctxmcp.Deny] != 2 {
		t.Errorf("the session's receipt counts %v, want 2 denied", got)
	}
	if open := d.open(t); len(open) != 0 {
		t.Errorf("after the end %v wait", open)
	}
}

// brokenReceipts fails when it is told to.
type brokenReceipts struct {
	actions.Receipts
	broken bool
}

func (b *brokenReceipts) Append(ctx context.Context, body receipts.Body, private *receipts.Private) (receipts.Receipt, error) {
	if b.broken {
		return receipts.Receipt{}, ctxmcp.Errorf(ctxmcp.CodeUnavailable, "the disk is full")
	}
	return b.Receipts.Append(ctx, body, private)
}

func (b *brokenReceipts) Prepare(ctx context.Context, body receipts.Body, private *receipts.Private) *receipts.Proof {
	p := b.Receipts.Prepare(ctx, body, private)
	if b.broken {
		p.Make = func(receipts.Place) (*receipts.Written, error) {
			return nil, ctxmcp.Errorf(ctxmcp.CodeUnavailable, "the disk is full")
		}
	}
	return p
}

// brokenStore fails to write what comes after a receipt.
type brokenStore struct {
	actions.Store
	broken bool
}

func (b *brokenStore) AppendAction(ctx context.Context, k actions.Key, r actions.Record, until time.Time, audit ctxmcp.Event, proof *receipts.Proof) error {
	if b.broken && r.Kind != actions.MessageRecord {
		return ctxmcp.Errorf(ctxmcp.CodeUnavailable, "the disk is full")
	}
	return b.Store.AppendAction(ctx, k, r, until, audit, proof)
}

// TestNoAllowWithoutReceipt: a fault at any of the writes is an error and no allow; when it is over, the same call is
// answered, and its receipt is there, once.
func TestNoAllowWithoutReceipt(t *testing.T) {
	d := newDesk(t)
	proof, store := &brokenReceipts{Receipts: d.Receipts}, &brokenStore{Store: d.Store}
	d.Service.Receipts, d.Service.Store = proof, store
	for i, fault := range []*bool{&proof.broken, &store.broken} {
		in := actions.Intent{Session: "s", ID: fmt.Sprint("a", i), Tool: "log", Operation: "run", Messages: []string{"and the shelf"}}
		*fault = true
		a, err := d.Record(t.Context(), ann(), ctxmcp.Scope{}, in)
		if ctxmcp.CodeOf(err) != ctxmcp.CodeUnavailable || a.Decision.Verdict != "" {
			t.Errorf("with fault %d: %+v, %v, want unavailable and no verdict", i, a.Decision, err)
		}
		*fault = false
		if a, err = d.Record(t.Context(), ann(), ctxmcp.Scope{}, in); err != nil || a.Decision.Verdict != ctxmcp.Allow {
			t.Errorf("after fault %d: %+v, %v, want allow", i, a.Decision, err)
		}
	}
	d.want(t, "b", "ask", `{}`, ctxmcp.StepUp, "ask")
	id := d.open(t)["b"]
	for i, fault := range []*bool{&proof.broken, &store.broken} {
		*fault = true
		if _, err := d.Resolve(t.Context(), ann(), id, actions.Approve, "", true); ctxmcp.CodeOf(err) != ctxmcp.CodeUnavailable {
			t.Errorf("Resolve with fault %d = %v, want unavailable", i, err)
		}
		*fault = false
		d.want(t, "b", "ask", `{}`, ctxmcp.StepUp, "ask")
	}
	d.resolve(t, "b", actions.Approve) // as before the fault: its receipt is there already
	d.want(t, "b", "ask", `{}`, ctxmcp.Allow, "approved")
	d.wantReceipts(t, "decision a0 allow default", "decision a1 allow default", "decision b step_up ask", "follow_up b allow approved")
}

// TestTwoDecisionsMeet: a receipt of an approval that was never carried out does not come to life later; the action is denied,
// and both decisions have their receipts.
func TestTwoDecisionsMeet(t *testing.T) {
	d := newDesk(t)
	store := &brokenStore{Store: d.Store}
	d.Service.Store = store
	d.want(t, "a", "ask", `{}`, ctxmcp.StepUp, "ask")
	id := d.open(t)["a"]
	store.broken = true
	if _, err := d.Resolve(t.Context(), ann(), id, actions.Approve, "", true); err == nil {
		t.Fatal("Resolve did not fail")
	}
	store.broken = false
	d.now = d.now.Add(time.Hour)
	d.want(t, "a", "ask", `{}`, ctxmcp.Deny, "refused")
	d.wantReceipts(t, "decision a step_up ask", "follow_up a allow approved", "follow_up a deny refused")
}

// TestReasonIsRedacted: an operator's reason passes the redactor like everything else.
func TestReasonIsRedacted(t *testing.T) {
	d := newDesk(t)
	d.Service.Redact = func(_ context.Context, _, text string) (string, []redact.Finding, error) {
		return strings.ReplaceAll(text, "hunter2", "[REDACTED]"), nil, nil
	}
	d.want(t, "a", "ask", `{}`, ctxmcp.StepUp, "ask")
	if _, err := d.Resolve(t.Context(), ann(), d.open(t)["a"], actions.Approve, "it is hunter2", true); err != nil {
		t.Fatal(err)
	}
	if got := d.bodies(t)[1].Approval.Reason; got != "it is [REDACTED]" {
		t.Errorf("the reason is %q", got)
	}
}
