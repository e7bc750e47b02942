package envelope

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
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

// TestOneRefusedResultLeavesNoneBehind: what one result is refused for before it is kept, nothing is kept or recorded for.
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

func session(id string) ctxmcp.Scope {
	at := here
	at.Session = id
	return at
}
