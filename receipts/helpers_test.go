package receipts_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/receipts"
	"github.com/ctx-mcp/ctx-mcp/receipts/keyring"
	"github.com/ctx-mcp/ctx-mcp/storetest/inmem"
)

// bench is a service on an empty log, with its parts at hand.
type bench struct {
	*receipts.Service
	log  *inmem.Store
	ring *keyring.Ring
	now  time.Time
	head keyring.HeadFile
}

func newBench(t testing.TB, seed uint64) *bench {
	dir := t.TempDir()
	b := &bench{
		log: &inmem.Store{}, now: time.Date(2026, 1, 2, 3, 4, 5, 6000, time.UTC), head: keyring.HeadFile(filepath.Join(dir, "head")),
		ring: &keyring.Ring{Dir: filepath.Join(dir, "keys"), Random: rand.NewChaCha8([32]byte{byte(seed), byte(seed >> 8)})},
	}
	b.Service = &receipts.Service{Log: b.log, Keys: b.ring, Witness: b.head, Now: func() time.Time {
		b.now = b.now.Add(2 * time.Second)
		return b.now
	}}
	return b
}

// restart returns the service as another process finds it.
func (b *bench) restart() *bench {
	again := *b
	again.Service = &receipts.Service{Log: b.Log, Keys: b.Keys, Witness: b.Witness, Now: b.Service.Now}
	return &again
}

func decision(session string, n int) receipts.Body {
	return receipts.Body{
		ID: fmt.Sprint("act-", n), Kind: receipts.DecisionKind, Tenant: "acme", User: "ada", Session: session, Action: fmt.Sprint("act-", n),
		Index: n, Tool: "mail", Operation: "send", ActionKind: ctxmcp.OutboundAction, Classification: ctxmcp.InternalData,
		ContextDigest: "sha256:00", PolicyDigest: "sha256:11", Verdict: ctxmcp.Deny, Rule: "instruction-echo", Signals: []string{"instruction_echo"},
	}
}

func parameters(n int) *receipts.Private {
	return &receipts.Private{Parameters: map[string]any{"to": "ben@example.com", "text": fmt.Sprint("Grüße ", n, "   \u0007")}}
}

func ending(session string, actions int) receipts.Body {
	return receipts.Body{ID: "end", Kind: receipts.SessionKind, Tenant: "acme", User: "ada", Session: session,
		Summary: &receipts.Summary{Actions: actions, Verdicts: map[ctxmcp.Verdict]int{ctxmcp.Deny: actions}}}
}

func (b *bench) append(t testing.TB, body receipts.Body, private *receipts.Private) receipts.Receipt {
	t.Helper()
	r, err := b.Append(context.Background(), body, private)
	if err != nil {
		t.Fatalf("Append(%s): %v", body.ID, err)
	}
	return r
}

// session writes a whole session of n decisions.
func (b *bench) session(t testing.TB, name string, n int) {
	t.Helper()
	for i := range n {
		b.append(t, decision(name, i+1), parameters(i))
	}
	b.append(t, ending(name, n), nil)
}

func (b *bench) export(t testing.TB) []byte {
	t.Helper()
	var out bytes.Buffer
	if _, err := b.Export(context.Background(), &out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func (b *bench) exportSession(t testing.TB, name string) []byte {
	t.Helper()
	var out bytes.Buffer
	if _, err := b.ExportSession(context.Background(), "acme", "ada", name, &out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func (b *bench) keys(t testing.TB) []ed25519.PublicKey {
	t.Helper()
	all, err := b.ring.List()
	if err != nil {
		t.Fatal(err)
	}
	var keys []ed25519.PublicKey
	for _, k := range all {
		keys = append(keys, k.Key)
	}
	return keys
}

func verify(bundle []byte, keys []ed25519.PublicKey, kept []byte) (receipts.Verified, error) {
	return receipts.Verify(context.Background(), bytes.NewReader(bundle), keys, receipts.VerifyOptions{Kept: kept})
}

func wantCode(t *testing.T, err error, want ctxmcp.Code) {
	t.Helper()
	if err == nil || ctxmcp.CodeOf(err) != want {
		t.Errorf("error = %v, want code %s", err, want)
	}
}
