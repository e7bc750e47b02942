package envelope

import (
	"context"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
	"github.com/ctx-mcp/ctx-mcp/storetest/canceltest"
)

// written counts what is recorded.
type written struct {
	Ledger
	times int
}

func (w *written) ApplyArtifacts(ctx context.Context, c artifacts.Change) error {
	w.times++
	return w.Ledger.ApplyArtifacts(ctx, c)
}

// TestNobodyWaits: a wrap ends soon after its context, and records nothing then.
func TestNobodyWaits(t *testing.T) {
	for name, text := range map[string]string{
		"lines":   strings.Repeat("the harbour was quiet, and nobody spoke of it\n", 2500),
		"log":     strings.Repeat("2026-01-01T00:00:00Z ERROR the pump failed\n", 2500),
		"records": strings.Repeat(`{"a":1,"b":"two"}`+"\n", 6_000),
		"html":    "<!DOCTYPE html>" + strings.Repeat("<h2>The <b>harbour</b></h2><!-- x --><p>was quiet &amp; cold</p>\n", 1200),
		"opened":  `{"exit_code":1,"out":` + string(quoted(strings.Repeat("2026-01-01T00:00:00Z ERROR the pump failed\n", 2500))) + `}`,
		"table":   "when,what,litres\n" + strings.Repeat("2026-01-01,the pump,7\n", 5000),
		"array":   "[" + strings.Repeat(`{"a":[[1],{"error":"none"}]},`, 3000) + "0]",
		"member":  `{"a":{"b":{"c":[` + strings.Repeat(`"x",`, 20_000) + "0]}}}",
		"escapes": strings.Repeat("\x1b[31mred\x1b[0m ", 6_000),
		"hidden":  "AKIAZ5AZ3QKDTD4YW6OZ " + strings.Repeat("[A[B", 16_000),
	} {
		t.Run(name, func(t *testing.T) {
			canceltest.Law{Bytes: len(text), Every: 64 << 10, After: 60, Work: func(ctx context.Context) error {
				s, _ := service()
				written := &written{Ledger: s.Ledger}
				s.Ledger = written
				_, err := s.Wrap(ctx, ctxmcp.Caller{Tenant: "acme"}, ctxmcp.Scope{}, Result{CallID: "c", Tool: "x", Value: quoted(text), Question: "Why did the pump fail?"})
				if err != nil && written.times > 0 {
					t.Error("the result was recorded although nobody waited")
				}
				return err
			}}.Check(t)
		})
	}
}

// TestTreesEnd: looking for fields in a tree ends soon after its context, however deep they may lie.
func TestTreesEnd(t *testing.T) {
	text := strings.Repeat(`{"a":[`, 30) + strings.Repeat(`{"b":1},`, 16_000) + "0" + strings.Repeat("]}", 30)
	canceltest.Law{Bytes: len(text), Every: lookBytes, Work: func(ctx context.Context) error {
		if found := readJSON(watching(ctx), text).within(map[string]bool{"c": true}, maxDepth); found != nil {
			t.Errorf("a field was found that is not there: %s", found.src)
		}
		return ctx.Err()
	}}.Check(t)
}

// TestMuchOfLittle: a result with very many lines or values is shown from its beginning, and takes no more than a few times its bytes.
func TestMuchOfLittle(t *testing.T) {
	for name, text := range map[string]string{
		"values": "[0" + strings.Repeat(",0", mostValues) + "]",
		"lines":  "x" + strings.Repeat("\n", mostLines+1) + "x",
	} {
		s, _ := service()
		out := wrap(t, s, Result{CallID: "c", Tool: "x", Value: quoted(text)})
		if !out.Truncated || !strings.Contains(out.Content, "characters left out") {
			t.Errorf("%s: %.100q, want the beginning", name, out.Content)
		}
	}
}
