package taint

import (
	"context"
	"testing"
)

// TestCanonical: one call has one name, whatever wraps it and however it is written.
func TestCanonical(t *testing.T) {
	for _, c := range []struct {
		tool, operation, parameters string
	}{
		{"shop", "refund", `{"amount":999}`},
		{"shop", "Refund", `{"amount":999}`},
		{"shop.refund", "call", `{"amount":999}`},
		{"shop/refund", "", `{"amount":999}`},
		{"mcp__shop__refund", "call", `{"amount":999}`},
		{"call_tool", "invoke", `{"name":"shop.refund","arguments":{"amount":999}}`},
		{"use_mcp_tool", "run", `{"server":"shop","tool":"refund","arguments":{"amount":999}}`},
		{"use_mcp_tool", "run", `{"server_name":"shop","tool_name":"refund","arguments":"{\"amount\":999}"}`},
		{"batch", "run", `{"calls":[{"tool":"shop.refund","arguments":{"amount":999}}]}`},
		{"batch", "run", `{"calls":[{"tool":"shop","operation":"refund","arguments":{"amount":999}}]}`},
		{"parallel", "call", `{"tool_uses":[{"recipient_name":"shop.refund","parameters":{"amount":999}}]}`},
	} {
		calls, err := Resolve(context.Background(), c.tool, c.operation, DecodeObject(context.Background(), []byte(c.parameters)))
		if err != nil || len(calls) != 1 {
			t.Fatalf("%s %s: %d calls, %v", c.tool, c.parameters, len(calls), err)
		}
		if server, name := Canonical(calls[0].Tool, calls[0].Operation); server != "shop" || name != "refund" || len(calls[0].Parameters) != 1 {
			t.Errorf("%s.%s %s is %s.%s with %v, want shop.refund with the amount", c.tool, c.operation, c.parameters, server, name, calls[0].Parameters)
		}
	}
	if server, name := Canonical("send_email", "call"); server != "send_email" || name != "" {
		t.Errorf("a tool without a server is %q and %q, want no second part", server, name)
	}
}
