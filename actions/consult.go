package actions

import (
	"context"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions/opinion"
	"github.com/ctx-mcp/ctx-mcp/receipts"
)

// consult asks a model about an action that the rules would put to a person, where they let one answer. On the word of a caller who is no
// harness nobody is asked: the words of the user may be the agent's own. The model's words go to people only.
func (s *Service) consult(ctx context.Context, v *view, a *Answer, hide func(string) string) {
	d := &a.Decision
	if s.Opinion == nil || d.Verdict != ctxmcp.StepUp || !d.Answerable || v.known.Doubtful() {
		return
	}
	d.Opinion = s.Opinion.Of(ctx, opinion.Case{
		Request: v.start.Request.Text, Later: v.messages, Calls: v.calls, Acts: v.acts, Decision: *d, Findings: a.Findings, Hide: hide,
	})
	if d.Opinion.Verdict != ctxmcp.Allow {
		return
	}
	d.Verdict, d.Why = ctxmcp.Allow, saidModel.With(d.Why)
	if len(d.Modifications) > 0 {
		d.Verdict = ctxmcp.Modify
	}
}

// opinionOf returns the part of an opinion that its receipt names; nil where no model was asked.
func opinionOf(d ctxmcp.Decision) *receipts.Opinion {
	if d.Opinion == nil || d.Opinion.Model == "" {
		return nil
	}
	return &receipts.Opinion{Model: d.Opinion.Model, Verdict: d.Opinion.Verdict, Question: d.Opinion.Question, Failed: d.Opinion.Failed != ""}
}
