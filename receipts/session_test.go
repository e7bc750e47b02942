package receipts_test

import (
	"context"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/receipts"
)

// TestOfSession: a person is told the receipts of their own session; they are verified once it has ended, also after a change of the key, and
// a receipt that was changed in the store is told as a fault.
func TestOfSession(t *testing.T) {
	b := newBench(t, 5)
	ada := ctxmcp.Caller{Tenant: "acme", User: "ada"}
	b.append(t, decision("s", 1), parameters(1))
	if told, err := b.OfSession(t.Context(), ada, "s", true); err != nil || told.Ended || told.Checked != nil || len(told.Receipts) != 1 {
		t.Errorf("of a session that goes on: %+v, %v", told, err)
	}
	if _, err := b.Rotate(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	b.append(t, ending("s", 1), nil)
	told, err := b.OfSession(t.Context(), ada, "s", true)
	if err != nil || told.Checked == nil || told.Checked.Receipts != 2 || told.Fault != "" {
		t.Errorf("of an ended session: %+v, %v", told, err)
	}
	if told, err := b.OfSession(t.Context(), ada, "s", false); err != nil || told.Checked != nil || len(told.Receipts) != 2 {
		t.Errorf("unchecked: %+v, %v", told, err)
	}
	for _, by := range []ctxmcp.Caller{{Tenant: "acme", User: "ben"}, {Tenant: "globex", User: "ada"}, {}} {
		if _, err := b.OfSession(t.Context(), by, "s", true); ctxmcp.CodeOf(err) != ctxmcp.CodeNotFound {
			t.Errorf("for %+v: %v, want not_found", by, err)
		}
	}
	b.Log = forged{b.Log}
	if told, err := b.OfSession(t.Context(), ada, "s", true); err != nil || told.Checked != nil || told.Fault == "" {
		t.Errorf("of a changed log: %+v, %v", told, err)
	}
}

// forged is a log in which one signature was changed.
type forged struct{ receipts.Log }

func (f forged) Receipts(ctx context.Context, q receipts.Query) ([]receipts.Entry, error) {
	entries, err := f.Log.Receipts(ctx, q)
	for i, e := range entries[:1] {
		head, sig, _ := strings.Cut(string(e.Envelope), `"sig":"`)
		first := "A"
		if sig[:1] == first {
			first = "B"
		}
		entries[i].Envelope = []byte(head + `"sig":"` + first + sig[1:])
	}
	return entries, err
}
