package actions

import (
	"context"
	"encoding/json"
	"maps"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions/taint"
)

// Outcome is the result of an action.
type Outcome struct {
	Session  string
	Action   string
	Result   json.RawMessage // a string stands for its text
	Declared ctxmcp.DataClass
	IsError  bool
}

// Result records the outcome of an action. The same result again changes nothing and is answered as the first time; another one
// is CodeConflict. An action that was not allowed may have a result all the same: then it happened, and the record says so. named is as for
// Record.
func (s *Service) Result(ctx context.Context, by ctxmcp.Caller, named ctxmcp.Scope, o Outcome) (ResultAnswer, error) {
	if o.Declared != "" {
		if err := ctxmcp.CheckWord("data_classification", o.Declared, ctxmcp.DataClasses()); err != nil {
			return ResultAnswer{}, err
		}
	}
	sum := digestOf("", struct {
		Result   json.RawMessage
		Declared ctxmcp.DataClass
		IsError  bool
	}{sorted(o.Result), o.Declared, o.IsError})
	return withSession(ctx, s, by, named, o.Session, func(v *session) (ResultAnswer, error) {
		if err := v.awaits(o.Action, sum); err != nil {
			return ResultAnswer{}, err
		}
		if v.acts[o.Action].result == "" {
			body, err := s.resultBody(ctx, by, o, sum)
			var read *taint.Later
			if err == nil {
				read, err = v.readingOf(ctx, body.Text)
			}
			if err == nil {
				v.known.Expect(read)
				err = s.write(ctx, v, ResultRecord, ctxmcp.Instant(s.Now()), body, o.Action)
			}
			if err != nil {
				return ResultAnswer{}, err
			}
		}
		return v.resultAnswer(o.Action), nil
	})
}

// readLater is the length of a result, in bytes, up to which it is read while the caller has its answer already: nothing in that depends on it, and
// the next call of the session waits for it. A longer one is read while the caller waits, and no longer.
const readLater = 64 << 10

func (a *accumulator) readingOf(ctx context.Context, text string) (*taint.Later, error) {
	if len(text) <= readLater {
		return a.opts.reader.Later(text), nil
	}
	return a.opts.reader.Now(ctx, text)
}

// awaits returns an error unless the action has no result yet, or this very one.
func (a *accumulator) awaits(action, sum string) error {
	done := a.acts[action]
	switch {
	case done == nil:
		return ctxmcp.Errorf(ctxmcp.CodeNotFound, "there is no action %q in this session", action).
			WithHint("call record_action before the tool runs, then give its action_id")
	case done.result != "" && done.result != sum:
		return ctxmcp.Errorf(ctxmcp.CodeConflict, "action %q has another result already", action).WithHint("a result is never replaced")
	case done.result == "" && !a.ended.IsZero():
		return over()
	}
	return nil
}

func over() error {
	return ctxmcp.Errorf(ctxmcp.CodeConflict, "the session has ended").WithHint("begin another one with start_session")
}

func (s *Service) resultBody(ctx context.Context, by ctxmcp.Caller, o Outcome, sum string) (resultBody, error) {
	b := resultBody{ID: o.Action, Sum: sum, Declared: o.Declared, IsError: o.IsError, Attested: by.Has(ctxmcp.Harness)}
	text, found, err := s.Redact(ctx, by.Tenant, taint.TextOf(o.Result))
	if err != nil {
		return resultBody{}, err
	}
	b.Text = text
	for _, f := range found {
		b.Labels = append(b.Labels, f.Label)
	}
	if most := s.Options.withDefaults().MaxResult; len(b.Text) > most {
		b.Cut = len(b.Text) - most
		b.Text = taint.Cut(b.Text, most)
	}
	return b, nil
}

func (a *accumulator) resultAnswer(action string) ResultAnswer {
	out := ResultAnswer{ActionID: action, Classification: a.acts[action].class, RiskSignals: maps.Clone(a.signals), State: a.snapshot()}
	for _, e := range a.entries {
		if e.ID == action {
			out.Summary = e.ResultSummary
		}
	}
	return out
}
