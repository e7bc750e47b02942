package attack

import (
	"strings"
	"testing"
)

// TestJudge holds an answer of every kind against the judge: a defect must not pass for a refusal.
func TestJudge(t *testing.T) {
	tool := func(code, message string) string {
		return `{"jsonrpc":"2.0","id":7,"result":{"isError":true,"content":[],"structuredContent":{"error":{"code":"` + code + `","message":"` + message + `","hint":""}}}}`
	}
	tests := []struct {
		name    string
		status  int
		body    string
		outcome string
		problem bool
	}{
		{"a result", 200, `{"jsonrpc":"2.0","id":7,"result":{"content":[]}}`, "ok", false},
		{"a refusal by the tool", 200, tool("too_large", "narrow it"), "too_large", false},
		{"a refusal by the protocol", 400, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}`, "refused", false},
		{"an internal error of the tool", 200, tool("internal", "internal error"), "internal", true},
		{"a resource that is not there", 200, `{"jsonrpc":"2.0","id":7,"error":{"code":-32603,"message":"not_found: no artifact"}}`, "refused", false},
		{"a contained panic", 200, `{"jsonrpc":"2.0","id":7,"error":{"code":-32603,"message":"internal error"}}`, "internal", true},
		{"a code of nobody", 200, tool("oops", "x"), "internal", true},
		{"an error without words", 200, tool("invalid", ""), "invalid", true},
		{"an echo", 200, tool("invalid", strings.Repeat("a", maxErrorMessage+1)), "invalid", true},
		{"a crash of a handler", 500, `oops`, "status", true},
		{"half an answer", 200, `{"jsonrpc":"2.0","id":7,"resu`, "shape", true},
		{"an empty answer", 200, ``, "shape", true},
		{"a leak", 200, `{"jsonrpc":"2.0","id":7,"result":{"content":[{"text":"the canary sings"}]}}`, "leak", true},
	}
	for _, tt := range tests {
		outcome, problem := Judge(Answer{Status: tt.status, Body: []byte(tt.body), Message: []byte(tt.body)}, "canary")
		if outcome != tt.outcome || (problem != "") != tt.problem {
			t.Errorf("%s: Judge = %q, %q, want %q and a problem: %v", tt.name, outcome, problem, tt.outcome, tt.problem)
		}
	}
}
