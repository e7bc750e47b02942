package hook

import (
	"context"
	"encoding/json"
	"maps"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/containment"
	"github.com/ctx-mcp/ctx-mcp/guard"
)

// Guard judges the calls behind the hooks, as guard.Guard does.
type Guard interface {
	Hear(ctx context.Context, by ctxmcp.Caller, c guard.Conversation, words string) error
	Said(ctx context.Context, by ctxmcp.Caller, c guard.Conversation) ([]string, error)
	Before(ctx context.Context, by ctxmcp.Caller, c guard.Conversation, in guard.Call) (guard.Verdict, error)
	After(ctx context.Context, by ctxmcp.Caller, c guard.Conversation, in guard.Result) (guard.Shown, func(), error)
	End(ctx context.Context, by ctxmcp.Caller, c guard.Conversation) error
	HandOver(ctx context.Context, by ctxmcp.Caller, c guard.Conversation) ([]string, error)
}

// Handler answers events. Its fields are set once, before use.
type Handler struct {
	Guard Guard
	By    ctxmcp.Caller
	// Brief returns what memory holds of the user, the project of a conversation and the conversation itself, framed as data, within the budget of
	// the configuration; "" if it holds nothing.
	Brief func(ctx context.Context, by ctxmcp.Caller, c guard.Conversation) (string, error)
	// Keep takes the decisions and demands that the user's words hold into memory, for the conversation.
	Keep func(ctx context.Context, by ctxmcp.Caller, c guard.Conversation, said []string) error
	// ProjectOf returns the project of a folder, and FolderOf the folder that an agent which was started there works in, or "".
	ProjectOf, FolderOf func(dir string) string

	Key  []byte // of the nonces of the delimiters
	Fail Policy

	due       due
	announced announced
}

// Handle answers one event of a client. An event that nothing could judge is answered as Fail says.
func (h *Handler) Handle(ctx context.Context, client string, input []byte) Answer {
	switch client {
	case Claim:
		return h.claim(ctx, input)
	case Recorded:
		h.announced.finish(string(input))
		return Answer{}
	}
	e, r, err := readEvent(client, input)
	if err == nil {
		f, c := forms()[client], guard.Conversation{Front: client, ID: e.Session, Project: h.ProjectOf(e.Folder), Folder: h.FolderOf(e.Folder)}
		var out object
		if out, err = h.carryOut(ctx, f, c, e, r); err == nil {
			if out, err = h.withDue(ctx, f, c, e, r, out); err == nil {
				return f.answer(out)
			}
		}
	}
	return h.Fail.Answer(client, input, err)
}

func (h *Handler) carryOut(ctx context.Context, f form, c guard.Conversation, e event, r Row) (object, error) {
	switch r.Moment {
	case SessionStarts:
		return h.start(ctx, f, c, e)
	case PromptComes: // some clients send it again without words, after each result
		return nil, h.Guard.Hear(ctx, h.By, c, e.Prompt)
	case BeforeTool:
		if e.own(c.Front) {
			h.announced.add(c, e)
			return nil, nil
		}
		v, err := h.Guard.Before(ctx, h.By, c, e.call())
		if err != nil {
			return nil, err
		}
		return f.verdict(e.Name, v.Decision, v.Action, v.Arguments), nil
	case AfterTool:
		return h.after(ctx, f, c, e, r)
	case BeforeCompact:
		return nil, h.beforeCompaction(ctx, f, c)
	}
	h.announced.drop(func(o *announcement) bool { return o.of.Same(c) })
	return nil, h.Guard.End(ctx, h.By, c)
}

// start gives the model the brief of memory; after a compaction, the user's texts of the session too. Some clients tell the user's first words
// here.
func (h *Handler) start(ctx context.Context, f form, c guard.Conversation, e event) (object, error) {
	if e.Prompt != "" {
		if err := h.Guard.Hear(ctx, h.By, c, e.Prompt); err != nil {
			return nil, err
		}
	}
	if !f.starts {
		h.due.set(c, started)
		return nil, nil
	}
	h.due.take(c)
	text, err := h.brief(ctx, c, e.Source == contextWasLost)
	if err != nil || text == "" {
		return nil, err
	}
	return f.adds(e.Name, text), nil
}

// brief returns what memory holds; if the context was lost, the user's texts of the session too.
func (h *Handler) brief(ctx context.Context, c guard.Conversation, lost bool) (string, error) {
	text, err := h.Brief(ctx, h.By, c)
	if err != nil {
		return "", err
	}
	if text != "" {
		text = saidMemory.With(text)
	}
	if !lost {
		return text, nil
	}
	said, err := h.Guard.Said(ctx, h.By, c)
	return strings.TrimPrefix(text+h.repeated(said), "\n\n"), err
}

// beforeCompaction saves the decisions and demands of the user. Clients that do not tell when they have compacted get the brief at their next
// event that takes context.
func (h *Handler) beforeCompaction(ctx context.Context, f form, c guard.Conversation) error {
	said, err := h.Guard.Said(ctx, h.By, c)
	if err != nil {
		return err
	}
	if f.later != "" {
		h.due.set(c, compacted)
	}
	return h.Keep(ctx, h.By, c, said)
}

// withDue adds the brief to the answer to an event that takes context, if one is due.
func (h *Handler) withDue(ctx context.Context, f form, c guard.Conversation, e event, r Row, out object) (object, error) {
	if r.Moment != f.later || r.Failed {
		return out, nil
	}
	why, is := h.due.take(c)
	if !is {
		return out, nil
	}
	text, err := h.brief(ctx, c, why == compacted)
	if err != nil || text == "" {
		return out, err
	}
	more := f.adds(e.Name, text)
	maps.Copy(more, out)
	return more, nil
}

// maxRepeated is how many bytes of the user's words are told again after a compaction: the first message, and of the others the last.
const maxRepeated = 8000

// repeated tells the words of the user again, framed as what they are: a copy of earlier messages.
func (h *Handler) repeated(said []string) string {
	if len(said) == 0 {
		return ""
	}
	first := ctxmcp.Clip(said[0], maxRepeated/2)
	room, kept := maxRepeated-len(first), len(said)
	for kept > 1 && len(said[kept-1]) <= room {
		kept--
		room -= len(said[kept])
	}
	list := []string{first}
	if kept > 1 {
		list = append(list, "…")
	}
	text, _ := containment.Neutralise(strings.Join(append(list, said[kept:]...), "\n"))
	return "\n\n" + saidCopy.With(containment.Frame(containment.Nonce(h.Key, "session", text), "session", text))
}

func (h *Handler) after(ctx context.Context, f form, c guard.Conversation, e event, r Row) (object, error) {
	if e.own(c.Front) {
		return nil, h.announced.settle(ctx, c, e)
	}
	in := guard.Result{Call: e.call(), Whole: e.Response, IsError: r.Failed}
	if r.Failed {
		whole, err := json.Marshal(e.Error)
		if err != nil {
			return nil, err
		}
		in.Whole = whole
	}
	if len(in.Whole) == 0 {
		in.Whole = json.RawMessage("null")
	}
	all, put, err := texts(e.Response)
	if err != nil {
		return nil, err
	}
	if f.replacing(e, r) {
		in.Texts = all
	}
	shown, _, err := h.Guard.After(ctx, h.By, c, in)
	if err != nil || !shown.Changed {
		return nil, err
	}
	whole, err := put(shown.Texts)
	if err != nil {
		return nil, err
	}
	return f.replaces(e.Name, whole, asText(whole)), nil
}
