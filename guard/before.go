package guard

import (
	"context"
	"encoding/json"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions"
	"github.com/ctx-mcp/ctx-mcp/actions/policy"
)

// Before decides a call and records it, with what the user said since the last one. The same call again is answered as the first time. With an
// error nothing was decided, and the call must not go out; the errors are those of actions.
func (g *Guard) Before(ctx context.Context, by ctxmcp.Caller, c Conversation, in Call) (out Verdict, err error) {
	err = g.in(ctx, by, c, func(s *session) error {
		if err := g.begin(ctx, by, s); err != nil {
			return err
		}
		out, err = g.decide(ctx, by, s, in)
		return err
	})
	return out, err
}

func (g *Guard) decide(ctx context.Context, by ctxmcp.Caller, s *session, in Call) (Verdict, error) {
	id := s.actionID(in)
	words, again := s.told[id]
	if !again {
		words = s.heard
	}
	answer, err := unmoved(func() (actions.Answer, error) {
		return g.Judge.Record(ctx, speaker(by), s.at, actions.Intent{
			Session: s.handle, ID: id, Tool: in.Tool, Operation: in.Operation, Parameters: in.Arguments, Messages: words,
		})
	})
	if err != nil {
		return Verdict{}, err
	}
	if !again {
		s.heard = nil
		s.note(in, answer.ActionID, words)
	}
	out := Verdict{Decision: answer.Decision, Action: answer.ActionID}
	if out.Verdict == ctxmcp.Modify {
		out.Arguments, err = modified(in.Arguments, out.Modifications)
	}
	return out, err
}

// unmoved writes to a session, and again if another process, which has a part in the conversation, was faster.
func unmoved[T any](write func() (T, error)) (out T, err error) {
	for range 4 {
		if out, err = write(); ctxmcp.CodeOf(err) != ctxmcp.CodeConflict {
			break
		}
	}
	return out, err
}

// note remembers what went with an action, for a bounded number of them.
func (s *session) note(in Call, action string, words []string) {
	if len(s.told) >= maxTold {
		clear(s.told)
	}
	s.told[action] = words
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.asked) >= maxTold {
		clear(s.asked)
	}
	if in.ID == "" {
		s.asked[in.content()] = action
	}
}

// answered forgets a call without id whose result is recorded.
func (s *session) answered(in Call) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.asked, in.content())
}

// modified returns the arguments with the changes of the decision.
func modified(arguments json.RawMessage, changes []ctxmcp.Modification) (json.RawMessage, error) {
	var values map[string]any
	if err := json.Unmarshal(arguments, &values); err != nil {
		return nil, ctxmcp.Errorf(ctxmcp.CodeInvalid, "the arguments are no object").WithCause(err)
	}
	values, err := policy.Apply(values, changes)
	if err != nil {
		return nil, err
	}
	return json.Marshal(values)
}
