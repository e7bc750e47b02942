package guard

import (
	"cmp"
	"context"
	"fmt"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions"
	"github.com/ctx-mcp/ctx-mcp/containment"
	"github.com/ctx-mcp/ctx-mcp/envelope"
)

// After makes the texts of a result fit for a model: redacted, kept as an artifact and trimmed where they are long, framed as data where they
// speak to a model. The result is recorded after After has returned, and before the next call of the session is decided; wait returns once
// it is. With an error nothing may be shown, and the record says nothing of a result.
func (g *Guard) After(ctx context.Context, by ctxmcp.Caller, c Conversation, in Result) (out Shown, wait func(), err error) {
	s := g.live.take(by, c, g.Options.withDefaults().MaxSessions)
	if out, err = g.show(ctx, by, s, in); err != nil { // beside the record of an earlier result, which may take longer
		return Shown{}, func() {}, err
	}
	recorded := make(chan struct{})
	s.writes(recorded)
	go func() {
		defer close(recorded)
		behind := context.WithoutCancel(ctx)
		_ = s.lock.Do(behind, func() error { // its context does not end, and record tells the log
			g.record(behind, by, c, s, in)
			return nil
		})
	}()
	return out, func() { <-recorded }, nil
}

// record hands the result to the session. It has no caller to tell of a failure: the log is told.
func (g *Guard) record(ctx context.Context, by ctxmcp.Caller, c Conversation, s *session, in Result) {
	err := g.find(ctx, by, c, s)
	if err == nil {
		id := s.actionID(in.Call)
		_, err = unmoved(func() (actions.ResultAnswer, error) {
			return g.Judge.Result(ctx, speaker(by), s.at, actions.Outcome{Session: s.handle, Action: id, Result: in.Whole, IsError: in.IsError})
		})
		delete(s.told, id)
		s.answered(in.Call)
	}
	if err != nil {
		g.Logger.Warn("a result was not recorded", "front", c.Front, "tool", in.Tool, "operation", in.Operation, "error", err)
	}
}

// show carries each text through the steps of the envelope.
func (g *Guard) show(ctx context.Context, by ctxmcp.Caller, s *session, in Result) (Shown, error) {
	var out Shown
	for i, text := range in.Texts {
		shown, err := g.showText(ctx, by, s, in, i, text)
		if err != nil {
			return Shown{}, err
		}
		out.Texts = append(out.Texts, shown)
		out.Changed = out.Changed || shown != text
	}
	return out, nil
}

func (g *Guard) showText(ctx context.Context, by ctxmcp.Caller, s *session, in Result, i int, text string) (string, error) {
	w, err := g.Wrapper.Wrap(ctx, by, s.at, envelope.Result{
		CallID: fmt.Sprintf("%s.%d", cmp.Or(s.actionID(in.Call), "call_"+in.content()[:24]), i), Tool: in.Operation, Text: text,
		MaxTokens: g.Options.withDefaults().MaxTokens, Bare: true,
	})
	switch {
	case err != nil:
		return "", fmt.Errorf("part %d: %w", i+1, err)
	case len(w.Warnings) > 0 || g.Options.Frame:
		return containment.Frame(containment.Nonce(g.Key, in.Operation, w.Content), in.Operation, w.Content), nil
	case len(w.Redactions) == 0 && !w.Truncated:
		return text, nil
	}
	return w.Content, nil
}
