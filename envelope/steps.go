package envelope

import (
	"context"
	"sync"
	"unicode/utf8"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/containment"
)

// steps is the way of a result. Each step counts on those before it, and is taken by all results before the next one is.
var steps = []struct {
	Name string
	Doc  string
	run  func([]*wrapping) error
}{
	{"route", "match the result to its call, before anything of it is looked at, and take its texts out of the form of a protocol", each((*wrapping).route)},
	{"redact", "hide secrets, before anything is cut, kept or logged: a cut could leave half of one", each((*wrapping).redact)},
	{"classify", "recognise the content, and what in it speaks to a model", each((*wrapping).classify)},
	{"contain", "change what could close its frame, imitate a speaker or hide: in what is shown, not in what is kept", each((*wrapping).contain)},
	{"afford", "refuse a budget in which nothing true can be said, before anything is kept", each((*wrapping).afford)},
	{"externalise", "begin to write the whole where it is large, or will not all be shown: it is an artifact when the result is recorded", externalise},
	{"trim", "bring it within the budget", each((*wrapping).trim)},
	{"frame", "mark it as data", each((*wrapping).frame)},
	{"keep", "wait until the whole is on the disk", kept},
	{"record", "in one transaction: the artifacts, lines in the audit trail, and that the calls have their results", record},
}

// each takes a step with every result in turn.
func each(step func(*wrapping) error) func([]*wrapping) error {
	return func(all []*wrapping) error {
		for _, w := range all {
			if err := step(w); err != nil {
				return err
			}
			if err := w.ctx.Err(); err != nil { // a step that was given up leaves half a result
				return err
			}
		}
		return nil
	}
}

// Wrap carries a result through the steps. It returns CodeInvalid for a result that cannot be meant, whose call is not known
// or whose budget holds nothing, CodeConflict for a second, different result of a call. Calls are told apart within a session
// or a task, and among the calls that wait where they are named; elsewhere ids may come again, in another conversation.
func (s *Service) Wrap(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, in Result) (Wrapped, error) {
	out, err := s.WrapAll(ctx, by, at, []Result{in})
	if err != nil {
		return Wrapped{}, err
	}
	return out[0], nil
}

// WrapAll carries results through the steps together: if one of them is refused, as by Wrap, none is recorded. It
// returns CodeConflict for two results of one call as well.
func (s *Service) WrapAll(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, in []Result) ([]Wrapped, error) {
	all, calls := make([]*wrapping, len(in)), make(map[string]bool, len(in))
	for i, r := range in {
		if calls[r.CallID] {
			call, _, err := s.Redact(ctx, by.Tenant, r.CallID)
			if err != nil {
				return nil, err
			}
			return nil, ctxmcp.Errorf(ctxmcp.CodeConflict, "two results have the tool_call_id %q", ctxmcp.Clip(call, maxName))
		}
		calls[r.CallID] = true
		all[i] = &wrapping{Service: s, ctx: ctx, by: by, at: at, in: r, max: r.MaxTokens, asked: sync.OnceValue(func() *need { return readNeed(r.Question) })}
		if r.MaxTokens == 0 {
			all[i].max = s.Options.withDefaults().MaxTokens
		}
		if r.Strategy == "" {
			all[i].in.Strategy = Auto
		}
	}
	defer settle(all) // a result that is given up on the way leaves nobody who writes
	for _, step := range steps {
		if err := step.run(all); err != nil {
			return nil, err
		}
	}
	out := make([]Wrapped, len(all))
	for i, w := range all {
		out[i] = w.out
	}
	return out, nil
}

func (w *wrapping) route() error {
	in := w.in
	switch {
	case in.CallID == "" || utf8.RuneCountInString(in.CallID) > maxName:
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, "tool_call_id is empty, or has more than %d characters", maxName)
	case in.Tool == "" || utf8.RuneCountInString(in.Tool) > maxName:
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, "tool is empty, or has more than %d characters", maxName)
	case in.MaxTokens < 0:
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, "max_tokens is negative")
	case in.Strategy == FieldWhitelist && len(in.Fields) == 0:
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, "field_whitelist needs fields").WithHint("name the fields to keep")
	}
	if err := ctxmcp.CheckWord("strategy", in.Strategy, Strategies()); err != nil {
		return err
	}
	if w.raw = textOfString(watching(w.ctx), in.Text); in.Text == "" {
		w.raw = textOf(watching(w.ctx), in.Value)
	}
	w.out.CallID, w.out.OriginalChars = in.CallID, utf8.RuneCountInString(w.raw)
	w.open()
	if len(in.CallIDs) == 0 {
		return nil
	}
	_, err := Route(in.CallIDs, []string{in.CallID})
	return err
}

func (w *wrapping) redact() error {
	hide := w.Redact.Pass(w.ctx, w.by.Tenant)
	text, found := hide.Text(w.raw)
	if w.parts != nil {
		text, found = w.redactParts(hide)
	}
	w.text = text
	w.in.Tool, _ = hide.Text(w.in.Tool)
	if err := hide.Err(); err != nil {
		return err
	}
	w.out.Redactions = redactions(watching(w.ctx), w.raw, w.text, found)
	return nil
}

func (w *wrapping) classify() error {
	if w.kind = compound; w.parts == nil {
		w.kind = recognise(watching(w.ctx), w.text)
	}
	w.out.Kind = w.kind.Name
	var err error
	w.out.Warnings, err = containment.Report(w.ctx, w.text)
	return err
}
