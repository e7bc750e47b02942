package tools

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions"
	"github.com/ctx-mcp/ctx-mcp/tokens"
)

// TestNothingFoundIsSaidInFewTokens: the answer to an action on which nothing was found has at most 80 tokens, as structure and as text,
// however much the session has come to.
func TestNothingFoundIsSaidInFewTokens(t *testing.T) {
	a := actions.Answer{
		ActionID: "01a2051e-6d13-7a29-a398-d2b5b4888248", Distance: 0.5286,
		Decision:    ctxmcp.Decision{Verdict: ctxmcp.Allow, Rule: ctxmcp.DefaultRule, Why: "no rule speaks of this action, and the default is to allow"},
		RiskSignals: map[string]bool{"instruction_echo": false, "drift_detected": false, "classification_escalation": false},
		State:       actions.State{ActionCount: 9999, Distance: 0.7643, DistanceMethod: "lexical", ToolsUsed: strings.Fields(strings.Repeat("read_file ", 50))},
	}
	structure, err := json.Marshal(newActionOut(a))
	if err != nil {
		t.Fatal(err)
	}
	text, err := Lines(structure)
	if err != nil {
		t.Fatal(err)
	}
	for _, answer := range []string{string(structure), text} {
		if n := (tokens.Approximate{}).Count(answer); n > 80 {
			t.Errorf("%d tokens, want at most 80:\n%s", n, answer)
		}
		if strings.Contains(answer, "drift_detected") {
			t.Errorf("a signal that is not raised is told:\n%s", answer)
		}
	}
	a.RiskSignals["drift_detected"], a.Findings = true, []ctxmcp.Finding{{Signal: "drift_detected", Why: "far"}}
	if out := newActionOut(a); !out.RiskSignals["drift_detected"] || len(out.RiskSignals) != 1 || len(out.State.ToolsUsed) != 50 {
		t.Errorf("an answer with a finding leaves something out: %+v", out)
	}
}
