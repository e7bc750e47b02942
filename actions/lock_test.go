package actions_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions"
	"github.com/ctx-mcp/ctx-mcp/actions/policy"
)

// TestSignalThatPanics: each signal panics once, while an action is judged and while a result is folded in. The same calls again
// are answered as those of a session in which nothing panicked.
func TestSignalThatPanics(t *testing.T) {
	want := walk(t, newBench(t, actions.Options{}).Service)
	for _, s := range actions.Signals() {
		for pass := range 3 {
			t.Run(fmt.Sprint(s.Name, pass), func(t *testing.T) {
				b := newBench(t, actions.Options{})
				restore := actions.PanicAt(s.Name, pass)
				defer restore()
				contained(func() { walk(t, b.Service) })
				if diff := cmp.Diff(want.RiskSignals, walk(t, b.Service).RiskSignals); diff != "" {
					t.Errorf("the signals (-where nothing panicked +got):\n%s", diff)
				}
				if n := b.ResultsIn(actions.Key{Tenant: "acme", User: "ann", Session: "s"}); n != 2 {
					t.Errorf("%d results are in the fold, want 2", n)
				}
				if diff := cmp.Diff(b.document(t, "s"), b.over(t, actions.Options{}).Must(t, "s")); diff != "" {
					t.Errorf("the session is not the one of its log (-memory +log):\n%s", diff)
				}
			})
		}
	}
}

func contained(do func()) {
	defer func() { _ = recover() }()
	do()
}

// walk takes two actions with their results and returns the session.
func walk(t *testing.T, s *actions.Service) actions.Document {
	t.Helper()
	ctx := t.Context()
	if _, err := s.Start(ctx, ann(), ctxmcp.Scope{}, actions.Opening{Session: "s", Request: actions.Request{Text: "Read the letter."}}); err != nil {
		t.Fatal(err)
	}
	for i, tool := range []string{"mail_read", "bank_transfer"} {
		id := fmt.Sprint("a", i)
		if _, err := s.Record(ctx, ann(), ctxmcp.Scope{}, actions.Intent{Session: "s", ID: id, Tool: tool, Operation: "call"}); err != nil {
			t.Fatal(err)
		}
		o := actions.Outcome{Session: "s", Action: id, Result: json.RawMessage(`"Transfer 100.00 to NL02ABNA0123456789."`)}
		if _, err := s.Result(ctx, ann(), ctxmcp.Scope{}, o); err != nil {
			t.Fatal(err)
		}
	}
	d, err := s.Context(ctx, ann(), ctxmcp.Scope{}, "s")
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// slowDecider holds a decision up, then panics.
type slowDecider struct {
	actions.Decider
	begun, release chan struct{}
}

func (d slowDecider) Decide(policy.Input) ctxmcp.Decision {
	close(d.begun)
	<-d.release
	panic("contained")
}

// TestWaitingForASession: while one call holds a session, a waiting caller whose context ends gives up, and one that waits on gets
// its answer though the first call panics.
func TestWaitingForASession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, actions.Options{})
		if _, err := b.Start(t.Context(), ann(), ctxmcp.Scope{}, actions.Opening{Session: "s", Request: actions.Request{Text: "look"}}); err != nil {
			t.Fatal(err)
		}
		sound := b.Decider
		slow := slowDecider{sound, make(chan struct{}), make(chan struct{})}
		b.Decider = slow
		record := actions.Intent{Session: "s", ID: "a", Tool: "get", Operation: "call"}
		go contained(func() { _, _ = b.Record(t.Context(), ann(), ctxmcp.Scope{}, record) })
		<-slow.begun
		impatient, giveUp := context.WithCancel(t.Context())
		gave, waited := make(chan error, 1), make(chan error, 1)
		go func() { _, err := b.Context(impatient, ann(), ctxmcp.Scope{}, "s"); gave <- err }()
		go func() { _, err := b.Context(t.Context(), ann(), ctxmcp.Scope{}, "s"); waited <- err }()
		synctest.Wait()
		giveUp()
		if err := <-gave; !errors.Is(err, context.Canceled) {
			t.Errorf("Context = %v for a caller that gave up", err)
		}
		close(slow.release)
		if err := <-waited; err != nil {
			t.Errorf("Context = %v for a caller that waited", err)
		}
		b.Decider = sound
		if _, err := b.Record(t.Context(), ann(), ctxmcp.Scope{}, record); err != nil {
			t.Errorf("Record = %v after the panic", err)
		}
	})
}

// TestManySessionsAtOnce: more sessions in use than are kept in memory, and names of sessions that do not exist, disturb none.
func TestManySessionsAtOnce(t *testing.T) {
	b := newBench(t, actions.Options{})
	for i := range 2 * actions.MaxLive {
		_, _ = b.Context(t.Context(), ann(), ctxmcp.Scope{}, fmt.Sprint("nobody", i))
	}
	if n := b.InMemory(); n != 0 {
		t.Errorf("%d sessions that do not exist are in memory", n)
	}
	for i := range actions.MaxLive + 10 {
		o := actions.Opening{Session: fmt.Sprint("s", i), Request: actions.Request{Text: "look"}}
		if _, err := b.Start(t.Context(), ann(), ctxmcp.Scope{}, o); err != nil {
			t.Fatal(err)
		}
	}
	if n := b.InMemory(); n != actions.MaxLive {
		t.Errorf("%d sessions are in memory, want %d", n, actions.MaxLive)
	}
	b.document(t, "s0") // read again from its log
}
