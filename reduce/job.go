package reduce

import (
	"cmp"
	"context"
	"fmt"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
	"github.com/ctx-mcp/ctx-mcp/conversation"
	"github.com/ctx-mcp/ctx-mcp/redact"
	"github.com/ctx-mcp/ctx-mcp/tokens"
)

// job is a conversation on its way through the layers.
type job struct {
	*Service
	ctx    context.Context
	by     ctxmcp.Caller
	at     ctxmcp.Scope
	req    Request
	opts   Options
	model  tokens.Model
	budget budget
	zones  Zones
	all    []conversation.Message
	state  State
	epoch  bool // one has begun: messages that were returned before may be edited
	edited int  // the first message that was edited; -1: none
	drafts map[string]artifacts.Draft
	hidden *redact.Pass     // over everything that is moved out
	found  []redact.Finding // in what was redacted
	past   []segment        // that earlier epochs moved out
	places []place          // of past
	alive  []string         // the archives that past was read from
	gone   []segment        // that this one moved out
	moved  int              // the tokens that this took, with the digest before it
	anchor *anchor          // nil: nothing was reported
	digest bool             // the message behind the first zone is one
	// pending: messages were moved out, and no digest stands for them yet.
	pending bool
	archive string          // the draft of what this epoch moved out; empty: none
	cutHard map[string]bool // results that were cut for want of room, by call
	summary string          // prose of a model about what was moved out; may be empty
	changed int             // places of what is shown that could have passed for something else
	out     Reduced
}

// place is the position of a segment: a line, from 1, of one of the archives.
type place struct{ archive, line int }

func (s *Service) newJob(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, r Request) (*job, error) {
	j := &job{Service: s, ctx: ctx, by: by, at: at, req: r, opts: s.Options.withDefaults(), edited: -1, drafts: map[string]artifacts.Draft{}, cutHard: map[string]bool{}, hidden: s.Redact.Pass(ctx, by.Tenant)}
	if len(s.Key) == 0 {
		return nil, errNoKey
	}
	if len(r.Messages) == 0 {
		j.log(estimateEmpty)
		return nil, ctxmcp.Errorf(ctxmcp.CodeInvalid, "messages is empty").WithHint("pass the conversation, the system prompt included")
	}
	j.req.Format = cmp.Or(r.Format, conversation.OpenAI)
	j.model = s.modelFor(r.Model)
	j.model.Counter = tokens.During(ctx, j.model.Counter)
	j.out.Counter = j.model.Counter.Name()
	var err error
	if j.budget, err = j.opts.budgetFor(r, j.model); err != nil {
		return nil, err
	}
	j.opts.forCache(r, j.budget.limit)
	if !j.model.Known && r.Model != "" && r.Limit == 0 {
		j.warn("model is not known: its limit is taken as %d tokens; pass context_limit", j.budget.limit)
	}
	j.out.Limit = j.budget.limit
	j.zones = zonesFor(cmp.Or(r.Window, j.opts.Window), given(r.PreserveFirst, *j.opts.PreserveFirst), given(r.PreserveLast, j.opts.PreserveLast))
	if j.all, err = conversation.Decode(j.req.Format, r.Messages); err != nil {
		return nil, err
	}
	j.repair()
	if err := j.restore(); err != nil {
		return nil, err
	}
	j.takeReport()
	j.budget.less(j.reserve())
	return j, nil
}

// modelFor returns the Model of a name. Without a name, tokens are counted as the newest of OpenAI's do.
func (s *Service) modelFor(name string) tokens.Model {
	m := s.Models.For(name)
	if name == "" {
		exact := s.Models.For("gpt-4o")
		m.Counter, m.Frame = exact.Counter, exact.Frame
	}
	return m
}

func given(value *int, otherwise int) int {
	if value != nil && *value >= 0 {
		return *value
	}
	return otherwise
}

func (j *job) warn(format string, args ...any) {
	j.out.Warnings = append(j.out.Warnings, fmt.Sprintf(format, args...))
}

// nobodyWaits reports whether the call has ended or its client has gone.
func (j *job) nobodyWaits() bool { return j.ctx.Err() != nil }

func (j *job) log(e event, args ...any) {
	j.Logger.Log(j.ctx, e.Level, e.Message, args...)
}

// repair makes valid what comes in.
func (j *job) repair() {
	for _, r := range conversation.Repairs {
		var n int
		if j.all, n = r.Run(j.all); n > 0 {
			j.warn("%s: %d repaired", r.Name, n)
		}
	}
}

// head returns the end of the first zone, and the start of the messages that may be moved out.
func (j *job) head() (head, start int) {
	head, _ = j.zones.split(j.all)
	if j.state.Removed > 0 || j.digest {
		head = min(j.state.Head, len(j.all))
	}
	if j.digest {
		return head, head + 1
	}
	return head, head
}

// tail returns the start of the last zone.
func (j *job) tail() int {
	_, start := j.head()
	_, tail := j.zones.split(j.all)
	return max(start, tail)
}

// tokens returns what the conversation takes, by what was reported of the last prompt if anything was.
func (j *job) tokens() tokens.Size { return j.measured(j.counted()) }

// counted returns what the messages take, each counted alone.
func (j *job) counted() tokens.Size {
	sum := tokens.Fixed(j.model.Frame.Request)
	for i := range j.all {
		sum = sum.Plus(j.size(&j.all[i]))
	}
	return sum
}

// size returns what a message takes. It is counted once for as long as the message stays as it is.
func (j *job) size(m *conversation.Message) tokens.Size {
	if m.Size.Bound > 0 {
		return m.Size
	}
	f := j.model.Frame
	sum := tokens.Fixed(f.Message)
	for i := range m.Parts {
		switch p := &m.Parts[i]; p.Kind {
		case conversation.Call:
			sum = sum.Plus(tokens.Fixed(f.Call)).Plus(j.model.Size(p.Name)).Plus(j.model.Size(p.Args))
		case conversation.Result:
			sum = sum.Plus(tokens.Fixed(f.Result)).Plus(j.model.Size(p.Text))
			for k := range p.Inside {
				sum = sum.Plus(j.mediaSize(&p.Inside[k]))
			}
		case conversation.Media:
			sum = sum.Plus(j.mediaSize(p))
		default:
			sum = sum.Plus(j.model.Size(p.Text))
		}
	}
	m.Size = sum
	return sum
}

func (j *job) mediaSize(p *conversation.Part) tokens.Size {
	if p.Text == "" {
		return tokens.Fixed(mediaTokens)
	}
	return j.model.Size(p.Text)
}

// mediaTokens is the assumed size of an image or a document: the most that providers charge for a picture of common size.
const mediaTokens = 1600

// over reports whether the conversation is still above what the epoch is to come down to.
func (j *job) over() bool { return j.epoch && j.tokens().Value > j.budget.low }

// clean redacts a text. Reduce asks after every layer whether that failed.
func (j *job) clean(text string) string {
	text, found := j.hidden.Text(text)
	j.found = append(j.found, found...)
	return text
}

// keep notes a redacted text that is to become an artifact, and returns its id. A text that is still named at the end is stored then.
func (j *job) keep(kind, tool, text string) string {
	d := draftOf(kind, tool, text)
	id := artifacts.OnceID(j.by, j.at, d)
	j.drafts[id] = d
	return id
}

func draftOf(kind, tool, text string) artifacts.Draft {
	return artifacts.Draft{Content: text, Type: kind, Tool: tool, MediaType: "text/plain; charset=utf-8"}
}

// textOf returns what an artifact holds, stored or still to be.
func (j *job) textOf(id string) (string, bool) {
	if d, is := j.drafts[id]; is {
		return d.Content, true
	}
	text, err := j.Keeper.Text(j.ctx, j.by, j.at, id)
	return text, err == nil
}

// touch notes that message i is not as it was.
func (j *job) touch(i int) {
	j.all[i].Edit()
	if j.edited < 0 || i < j.edited {
		j.edited = i
	}
}
