package envelope

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
	"github.com/ctx-mcp/ctx-mcp/storetest/canceltest"
)

// book is a ledger that counts its transactions.
type book struct {
	Ledger
	mu      sync.Mutex
	changes []artifacts.Change
}

func (b *book) ApplyArtifacts(ctx context.Context, c artifacts.Change) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.changes = append(b.changes, c)
	return b.Ledger.ApplyArtifacts(ctx, c)
}

// TestWrapAll: results come out in their order as each would by itself, and are recorded in one transaction.
func TestWrapAll(t *testing.T) {
	s, _ := service()
	ledger := &book{Ledger: s.Ledger}
	s.Ledger = ledger
	var in []Result
	for i := range 40 {
		in = append(in, Result{CallID: fmt.Sprint("call-", i), Tool: "list", Value: quoted(fmt.Sprint("result ", i)), Bare: true})
	}
	out, err := s.WrapAll(t.Context(), ann, session("one"), in)
	if err != nil {
		t.Fatal(err)
	}
	for i, w := range out {
		if want := fmt.Sprint("result ", i); w.CallID != in[i].CallID || w.Content != want {
			t.Errorf("result %d = %q of %q, want %q of %q", i, w.Content, w.CallID, want, in[i].CallID)
		}
	}
	if len(ledger.changes) != 1 || len(ledger.changes[0].Answers) != 40 || len(ledger.changes[0].Audit) != 40 {
		t.Errorf("recorded in %d transactions, want 40 answers and 40 events in one", len(ledger.changes))
	}
	in[7].Value = quoted("another")
	if _, err := s.WrapAll(t.Context(), ann, session("one"), in); ctxmcp.CodeOf(err) != ctxmcp.CodeConflict {
		t.Errorf("WrapAll with a second result of a call = %v, want a conflict", err)
	}
}

// TestOneRefusedResultLeavesNoneBehind: if one result is refused before it is kept, nothing is kept or recorded.
func TestOneRefusedResultLeavesNoneBehind(t *testing.T) {
	long := Result{CallID: "a", Tool: "list", Value: quoted(strings.Repeat("a long line of text\n", 2000))}
	for _, c := range []struct {
		name  string
		other Result
		want  ctxmcp.Code
	}{
		{"of the same call", Result{CallID: "a", Tool: "list", Value: quoted("short")}, ctxmcp.CodeConflict},
		{"of no call", Result{Tool: "list", Value: quoted("short")}, ctxmcp.CodeInvalid},
		{"with no room", Result{CallID: "b", Tool: "list", Value: long.Value, MaxTokens: 1}, ctxmcp.CodeInvalid},
	} {
		s, kept := service()
		ledger := &book{Ledger: s.Ledger}
		s.Ledger = ledger
		_, err := s.WrapAll(t.Context(), ann, session("one"), []Result{long, c.other})
		if ctxmcp.CodeOf(err) != c.want {
			t.Errorf("%s: WrapAll = %v, want %s", c.name, err, c.want)
		}
		if len(kept.kept) > 0 || len(ledger.changes) > 0 {
			t.Errorf("%s: %d artifacts and %d records, want none", c.name, len(kept.kept), len(ledger.changes))
		}
	}
}

// TestGivenUpHoldsNothing: of a wrap that is given up, wherever on the way, or that fails in a step, no artifact is held; of one that is not, all are.
func TestGivenUpHoldsNothing(t *testing.T) {
	long := quoted(strings.Repeat("a long line of text\n", 600))
	in := []Result{{CallID: "a", Tool: "list", Value: long}, {CallID: "b", Tool: "list", Value: long}}
	whole := canceltest.EndingAfter(1 << 30)
	s, _ := service()
	if _, err := s.WrapAll(whole, ann, here, in); err != nil || len(held(t, s)) != 2 {
		t.Fatalf("WrapAll = %v with %d artifacts, want 2", err, len(held(t, s)))
	}
	for n := whole.Looks() - 1; n >= 0; n -= 1 + whole.Looks()/30 {
		s, _ := service()
		if _, err := s.WrapAll(canceltest.EndingAfter(n), ann, here, in); err == nil || len(held(t, s)) > 0 {
			t.Errorf("given up at look %d: %v with %d artifacts, want an error and none", n+1, err, len(held(t, s)))
		}
	}
	for i := range steps {
		s, _ := service()
		sound := steps[i].run
		steps[i].run = func([]*wrapping) error { return errors.New("the step fails") }
		_, err := s.WrapAll(t.Context(), ann, here, in)
		steps[i].run = sound
		if err == nil || len(held(t, s)) > 0 {
			t.Errorf("%s fails: %v with %d artifacts, want an error and none", steps[i].Name, err, len(held(t, s)))
		}
	}
}

func session(id string) ctxmcp.Scope {
	at := here
	at.Session = id
	return at
}
