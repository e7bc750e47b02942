package compiler

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/memory/origin"
	"github.com/ctx-mcp/ctx-mcp/packets"
	"github.com/ctx-mcp/ctx-mcp/redact"
)

// Ask is a caller's order for a context. Each part that is left out leaves its layer out.
type Ask struct {
	UserMessage  string // empty: Messages or ToolResults carry the step
	SystemPrompt string
	Query        string // of memory; empty: the need of the step, as the conversation tells it
	TaskType     ctxmcp.TaskType
	TaskID       string
	ToolResults  []ToolResult
	Messages     []json.RawMessage
	Directives   []string
	Fields       []string // that the task must fill
	MaxTokens    int      // default 8000
	Model        string
	Format       Format // default OpenAI
	Origin       string // URL or domain that the task is about
	AsOf         time.Time
	BelievedAt   time.Time
	ContextRef   string // of a packet, whose promoted sources come too; empty: none
	Metadata     map[string]json.RawMessage
}

// ToolResult is the answer of a tool to a call.
type ToolResult struct {
	CallID string
	Tool   string
	Value  json.RawMessage
}

// The bounds of an ask.
const (
	defaultMaxTokens = 8000
	maxMaxTokens     = 2_000_000
	maxText          = 1 << 20 // bytes of a text
	maxList          = 1000    // entries of a list
	maxModel         = 200     // bytes
	maxQuery         = 2000    // characters of the question to memory
	fewest           = 60      // candidates of memory that are looked at, at the least
	mostCandidates   = 400
	tokensEach       = 12 // of a memory, at the least: candidates beyond that number would find no room in the budget
)

func (a *Ask) check() error {
	if a.MaxTokens == 0 {
		a.MaxTokens = defaultMaxTokens
	}
	if a.Format == "" {
		a.Format = OpenAI
	}
	for name, text := range map[string]string{"user_message": a.UserMessage, "system_prompt": a.SystemPrompt, "memory_query": a.Query} {
		if !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
			return ctxmcp.Errorf(ctxmcp.CodeInvalid, "%s is not text: it holds a NUL or bytes that are not UTF-8", name)
		}
		if len(text) > maxText {
			return ctxmcp.Errorf(ctxmcp.CodeTooLarge, "%s has more than %d bytes", name, maxText)
		}
	}
	switch {
	case strings.TrimSpace(a.UserMessage) == "" && len(a.Messages)+len(a.ToolResults) == 0:
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, "user_message is empty").
			WithHint("give the user's turn; in a step of an agent, messages or tool_results instead")
	case a.MaxTokens < 0 || a.MaxTokens > maxMaxTokens:
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, "max_tokens is not between 1 and %d", maxMaxTokens)
	case max(len(a.ToolResults), len(a.Directives), len(a.Fields), len(a.Messages)/10) > maxList:
		return ctxmcp.Errorf(ctxmcp.CodeTooLarge, "a list has more than %d entries", maxList)
	case slices.ContainsFunc(a.Fields, func(f string) bool { return strings.TrimSpace(f) == "" }):
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, "a field has no name")
	case len(a.Model) > maxModel:
		return ctxmcp.Errorf(ctxmcp.CodeTooLarge, "model has more than %d bytes", maxModel)
	case a.Origin != "" && origin.Domain(a.Origin) == "":
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, "origin names no web domain").WithHint("give the address of the page, or its domain")
	}
	if a.TaskType != "" {
		if err := ctxmcp.CheckWord("task_type", a.TaskType, ctxmcp.TaskTypes()); err != nil {
			return err
		}
	}
	return ctxmcp.CheckWord("format", a.Format, Formats())
}

// gathering is an ask while its inputs are brought together.
type gathering struct {
	*Service
	ctx    context.Context
	by     ctxmcp.Caller
	at     ctxmcp.Scope
	ask    Ask
	in     Inputs
	hidden *redact.Pass // over everything that is gathered
	// redacted counts the secrets that were hidden in the request.
	redacted []Redaction
	provenance
}

// provenance holds the sources of the inputs, and the artifacts that were made of them on the way.
type provenance struct {
	parent  string // context_ref of the packet that the call continues; empty: none
	sources []packets.Source
	derived []packets.Derivative
}

// gather does all the I/O of a compile. Its answer is redacted.
func (s *Service) gather(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, ask Ask) (Inputs, provenance, error) {
	if err := ask.check(); err != nil {
		return Inputs{}, provenance{}, err
	}
	g := &gathering{Service: s, ctx: ctx, by: by, at: at, ask: ask, hidden: s.Redact.Pass(ctx, by.Tenant)}
	for _, step := range []func() error{g.request, g.conversation, g.memories, g.taskState, g.toolResults, g.directives, g.promoted, g.artifacts, g.prefix} {
		if err := cmp.Or(step(), g.hidden.Err()); err != nil {
			return Inputs{}, provenance{}, err
		}
	}
	return g.in, g.provenance, nil
}

// request redacts and keeps the arguments of the caller.
func (g *gathering) request() error {
	a := g.ask
	r := Request{
		UserMessage: g.hideSaid(a.UserMessage), SystemPrompt: g.hideSaid(a.SystemPrompt), TaskType: a.TaskType, TaskID: a.TaskID, Scope: g.at,
		MaxTokens: a.MaxTokens, Model: g.hide(a.Model), Format: a.Format, AsOf: ctxmcp.Instant(a.AsOf), BelievedAt: ctxmcp.Instant(a.BelievedAt),
	}
	r.Query = ctxmcp.Cut(g.hide(a.Query), maxQuery)
	if a.Origin != "" {
		r.Origin = origin.Domain(a.Origin)
	}
	now := ctxmcp.Instant(g.Now())
	if r.AsOf.IsZero() {
		if r.AsOf = r.BelievedAt; r.AsOf.IsZero() {
			r.AsOf = now
		}
	}
	for _, raw := range a.Messages {
		r.Messages = append(r.Messages, json.RawMessage(g.hideSaid(string(raw))))
	}
	for _, d := range a.Directives {
		r.Directives = append(r.Directives, g.hide(d))
	}
	policy := DefaultPolicy()
	if g.Policy != nil {
		policy = g.Policy()
	}
	g.in = Inputs{
		Schema: InputsSchema, Instant: now, Request: r, Policy: policy, Counter: g.Counter(a.Model).Name(), Candidates: []Candidate{},
		Redactions: g.redacted,
		Caller:     Caller{Tenant: g.by.Tenant, User: g.by.User, Roles: g.by.Roles, Clearance: g.by.Ceiling(), Projects: g.by.Projects},
	}
	if r.UserMessage != "" {
		g.outside("user_message", "request", r.UserMessage, ctxmcp.AuthorityUser)
	}
	if r.SystemPrompt != "" {
		g.outside("system_prompt", "request", r.SystemPrompt, ctxmcp.AuthorityDeveloper)
	}
	return nil
}

// hide returns the text redacted; gather asks after every step whether that failed.
func (g *gathering) hide(text string) string {
	text, _ = g.hidden.Text(text)
	return text
}

// hideSaid is hide for the texts of the request: the places hidden are counted, as they are of every other source.
func (g *gathering) hideSaid(text string) string {
	text, found := g.hidden.Text(text)
	for _, f := range found {
		g.redacted = append(g.redacted, Redaction{f.Label, f.Count})
	}
	return text
}

// outside notes a source that is held nowhere else.
func (g *gathering) outside(id, from, text string, authority ctxmcp.Authority) {
	class := ctxmcp.Restricted
	if !g.by.Cleared(class) {
		class = g.by.Ceiling()
	}
	g.sources = append(g.sources, packets.Outside(id, from, text, authority, class))
}

// memories brings the memories that may bear on the task.
func (g *gathering) memories() error {
	r := g.in.Request
	most := min(max(fewest, r.MaxTokens/tokensEach), mostCandidates)
	var beside []memory.Need
	for _, n := range r.Need {
		beside = append(beside, memory.Need{Text: n.Text, Weight: n.Weight})
	}
	b, err := g.Memory.Candidates(g.ctx, g.by, memory.Ask{
		Query: r.Query, Limit: most, TaskType: r.TaskType, AsOf: r.AsOf, BelievedAt: r.BelievedAt, ReferenceTime: r.AsOf, Scope: g.at,
	}, beside, most)
	if err != nil {
		return err
	}
	g.in.Warnings = append(g.in.Warnings, b.Warnings...)
	g.in.Candidates = slices.Grow(g.in.Candidates, len(b.Memories)+len(b.AlwaysOn)+len(b.OutOfScope))
	seen := map[ctxmcp.VersionKey]int{} // its place among the candidates
	for _, m := range b.Memories {
		err = errors.Join(err, g.addMemory(seen, Candidate{Object: m.Object, Relevance: m.Relevance}, b.Sources))
	}
	for _, o := range b.AlwaysOn {
		err = errors.Join(err, g.addMemory(seen, Candidate{Object: o, Standing: true}, b.Sources))
	}
	for _, o := range b.OutOfScope {
		err = errors.Join(err, g.addMemory(seen, Candidate{Object: o}, b.Sources))
	}
	for _, e := range b.Entities {
		g.in.Entities = append(g.in.Entities, Entity(e))
	}
	return errors.Join(err, g.showMemories())
}

// showMemories hides in the candidates what the settings hide by now. Their sources are named as stored.
func (g *gathering) showMemories() error {
	objects := make([]ctxmcp.ContextObject, len(g.in.Candidates))
	for i, c := range g.in.Candidates {
		objects[i] = c.Object
	}
	err := g.Memory.Shown(g.ctx, g.by, objects)
	for i := range objects {
		g.in.Candidates[i].Object = objects[i]
	}
	return err
}

// addMemory adds a version with what is known of it, once.
func (g *gathering) addMemory(seen map[ctxmcp.VersionKey]int, c Candidate, sources map[string]ctxmcp.ContextObject) error {
	o := c.Object
	if i, held := seen[ctxmcp.KeyOf(o)]; held {
		g.in.Candidates[i].Standing = g.in.Candidates[i].Standing || c.Standing
		return nil
	}
	seen[ctxmcp.KeyOf(o)] = len(g.in.Candidates)
	c.Kind, c.Many, c.Upstream = KindMemory, g.Memory.Coexists(o.Claim), upstream(o, sources)
	c.Object.LastUsed = time.Time{} // a compile uses it, and the next one would not be equal
	if o.Authority > ctxmcp.AuthorityDeveloper {
		c.Warnings = g.markers(o.Content)
	}
	source, err := packets.Object(o)
	source.Origin = g.hide(source.Origin)
	g.sources = append(g.sources, source)
	g.in.Candidates = append(g.in.Candidates, c)
	return err
}

func upstream(o ctxmcp.ContextObject, sources map[string]ctxmcp.ContextObject) (all []Upstream) {
	for _, id := range slices.Compact(slices.Sorted(slices.Values(o.DerivedFrom))) {
		if src, seen := sources[id]; seen {
			all = append(all, Upstream{id, src.TxStart, src.TxEnd, src.ValidUntil})
		}
	}
	return all
}

// prefix finds the static prefix that the session has.
func (g *gathering) prefix() error {
	key, within := prefixKey(g.by, g.at, g.in.Request)
	if !within || g.Prefixes == nil {
		return nil
	}
	p, err := g.Prefixes.FindPrefix(g.ctx, key)
	g.in.Prefix = p
	return err
}
