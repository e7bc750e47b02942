package compiler

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts/fieldname"
	"github.com/ctx-mcp/ctx-mcp/containment"
	"github.com/ctx-mcp/ctx-mcp/envelope"
	"github.com/ctx-mcp/ctx-mcp/packets"
	"github.com/ctx-mcp/ctx-mcp/tasks"
)

// taskState brings what the task hands on, and the fields that it asks for.
func (g *gathering) taskState() error {
	wanted := slices.Clone(g.ask.Fields)
	if g.ask.TaskID == "" {
		return g.fields(wanted, nil)
	}
	if hidden := g.hide(g.ask.TaskID); g.hidden.Err() != nil {
		return g.hidden.Err()
	} else if hidden != g.ask.TaskID {
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, "task_id is a secret, and no id")
	}
	v, err := g.Tasks.Get(g.ctx, g.by, g.at, g.ask.TaskID)
	if err != nil {
		return err
	}
	text := v.Summaries()
	if len(v.Metadata) > 0 {
		raw, err := json.Marshal(v.Metadata)
		if err != nil {
			return fmt.Errorf("metadata of the task: %w", err)
		}
		text += "\n  metadata: " + string(raw)
	}
	g.in.Candidates = append(g.in.Candidates, Candidate{
		Kind: KindTaskState, Warnings: g.markers(text),
		Object: ctxmcp.ContextObject{
			ObjectID: "task:" + v.ID, Version: v.Version, Content: text, SourceOrigin: "task://" + v.ID, TxStart: v.Saved,
			ValidFrom: v.Saved, Authority: ctxmcp.AuthorityInferred, SourceAuthority: 0.6, ConfidenceScore: 1,
			ObjectType: ctxmcp.InferredBelief, SourceKind: ctxmcp.Inference,
		},
		Shorter: []Form{{"reference", fmt.Sprintf("Task %s, version %d: get_task_state has its state", v.ID, v.Version)}},
	})
	g.outside("task:"+v.ID, "task://"+v.ID, text, ctxmcp.AuthorityInferred)
	for _, a := range v.References {
		g.sources = append(g.sources, packets.Artifact(a))
	}
	for _, name := range []string{"fields", "required_fields"} {
		var more []string
		if json.Unmarshal(v.Metadata[name], &more) == nil {
			wanted = append(wanted, more...)
		}
	}
	return g.fields(wanted, v.Metadata)
}

// fields resolves the fields in the artifacts of the task, then in its metadata, then in the results of tools. A value that is too long to fit is
// said to be there, and not to be unknown.
func (g *gathering) fields(wanted []string, metadata map[string]json.RawMessage) error {
	if len(wanted) == 0 {
		return nil
	}
	found := tasks.Declared{}
	if g.ask.TaskID != "" {
		var err error
		found, err = g.Tasks.Declare(g.ctx, g.by, g.at, tasks.Ask{ID: g.ask.TaskID, Fields: wanted, MaxTokens: max(g.in.Request.MaxTokens/4, 1)})
		if err != nil {
			return err
		}
	}
	for i, name := range wanted {
		if slices.Contains(wanted[:i], name) {
			continue
		}
		f := Field{Name: g.hide(name)}
		if v, ok := found.Fields[name]; ok {
			f.Value, f.Source, f.Path = v.Value, v.Artifact, v.Path
			if v.Task != "" {
				f.Source = "task:" + v.Task
			}
		} else if slices.Contains(found.Omitted, name) {
			f.Value, f.Source = quoted("found, and longer than fits: declare_fields returns it with a higher max_tokens"), "task:"+g.ask.TaskID
		} else if v, ok := metadata[name]; ok {
			f.Value, f.Source, f.Path = v, "task:"+g.ask.TaskID, "$."+name
		} else if id, ok := found.Named[name]; ok {
			f.Named = "the artifact " + id
		}
		g.in.Fields = append(g.in.Fields, f)
	}
	return nil
}

// toolResults passes the results through the envelope together, each with its share of the budget: the whole of a cut one is kept as an
// artifact.
func (g *gathering) toolResults() error {
	n := len(g.ask.ToolResults)
	if n == 0 {
		return nil
	}
	results := make([]envelope.Result, n)
	sizes := make([]int, n)
	for i, t := range g.ask.ToolResults {
		sizes[i] = len(t.Value)/bytesOfToken + roomOfFrame
	}
	for i, most := range shares(sizes, g.roomOfResults()) {
		t := g.ask.ToolResults[i]
		most = max(min(most, g.in.Request.MaxTokens*oneShare/100), 60)
		results[i] = envelope.Result{CallID: t.CallID, Tool: t.Tool, Value: t.Value, Bare: true, Once: true, MaxTokens: most, Question: g.question()}
	}
	wrapped, err := g.Results.WrapAll(g.ctx, g.by, g.at, results)
	if err != nil {
		return err
	}
	for i, t := range g.ask.ToolResults {
		g.addResult(t, wrapped[i])
	}
	return nil
}

// The parts of the budget that results are measured by.
const (
	bytesOfToken = 3  // of a result, at the least: one that may fit is not cut
	roomOfFrame  = 60 // tokens around a result
	resultShare  = 70 // of all results of what the request leaves of the budget, in hundredths
	oneShare     = 50 // of one of them of the whole budget
)

// roomOfResults returns the tokens that the results of the request have together: most of what the system prompt and the user's turn leave.
func (g *gathering) roomOfResults() int {
	r, c := g.in.Request, g.Counter(g.ask.Model)
	left := r.MaxTokens - c.Count(r.SystemPrompt) - c.Count(r.UserMessage)
	return max(left*resultShare/100, 0)
}

// shares gives out a room to parts of the sizes: each gets its size, or an equal share of what those that need less leave.
func shares(sizes []int, room int) []int {
	order := make([]int, len(sizes))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(sizes[a], sizes[b]) })
	all := make([]int, len(sizes))
	for k, i := range order {
		all[i] = min(sizes[i], room/(len(order)-k))
		room -= all[i]
	}
	return all
}

// question returns what a reader of the results of the step wants to know: its turn, and the need beside it.
func (g *gathering) question() string {
	texts := []string{g.in.Request.UserMessage, g.in.Request.Query}
	for _, n := range g.in.Request.Need {
		if n.From != "calls" && n.From != areaFrom {
			texts = append(texts, n.Text)
		}
	}
	var all []string
	for _, t := range texts {
		if t = strings.TrimSpace(t); t != "" && !slices.Contains(all, t) {
			all = append(all, t)
		}
	}
	return strings.Join(all, "\n")
}

func (g *gathering) addResult(t ToolResult, w envelope.Wrapped) {
	call, tool := g.hide(t.CallID), g.hide(t.Tool)
	c := Candidate{
		Kind: KindToolResult, CallID: call, Tool: containment.OneLine(tool),
		Object: ctxmcp.ContextObject{
			ObjectID: "tool_result:" + call, Version: 1, Content: w.Content, SourceOrigin: "tool://" + containment.OneLine(tool),
			SourceAuthority: 0.5, ConfidenceScore: 0.8, SourceKind: ctxmcp.ToolOutput,
		},
		Trimmed: w.Truncated,
	}
	for _, r := range w.Redactions {
		c.Redactions = append(c.Redactions, Redaction{r.Label, r.Count})
	}
	for _, warning := range w.Warnings {
		c.Warnings = append(c.Warnings, Warning{warning.Kind, warning.Detail})
	}
	if w.Artifact != nil {
		c.Artifact = w.Artifact.ID
		c.Shorter = []Form{{"reference", fmt.Sprintf("%s from %s, %d characters, kept: get_artifact artifact_id=%s",
			w.Kind, containment.OneLine(tool), w.KeptChars, w.Artifact.ID)}}
		g.sources = append(g.sources, packets.Artifact(*w.Artifact))
	}
	g.outside(c.Object.ObjectID, c.Object.SourceOrigin, w.Content, ctxmcp.AuthorityRetrieved)
	g.in.Candidates = append(g.in.Candidates, c)
	g.fillFrom(t, w)
}

// fillFrom looks for the fields in a result, all of it, by their names in any case and depth.
func (g *gathering) fillFrom(t ToolResult, w envelope.Wrapped) {
	if len(g.in.Fields) == 0 {
		return
	}
	text := string(t.Value)
	var plain string
	if json.Unmarshal(t.Value, &plain) == nil {
		text = plain
	}
	g.sight(g.hide(text), "tool_result:"+g.hide(t.CallID), "the result of "+containment.OneLine(g.hide(t.Tool)))
}

// sight looks for the fields that have no value yet in a text that was redacted.
func (g *gathering) sight(text, source, said string) {
	for i := range g.in.Fields {
		if f := &g.in.Fields[i]; f.Value == nil {
			f.see(fieldname.Parse(f.Name).In(text), source, said)
		}
	}
}

// directives fetches what they name. One that fails is a warning and an omission with a reason.
func (g *gathering) directives() error {
	for i, d := range g.ask.Directives {
		name := g.in.Request.Directives[i]
		docs, err := g.fetch(d)
		if err != nil {
			if g.ctx.Err() != nil {
				return g.ctx.Err()
			}
			g.Logger.Warn("a directive failed", "scheme", strings.SplitN(name, ":", 2)[0], "error", err)
			g.in.Warnings = append(g.in.Warnings, "directive "+ctxmcp.Cut(name, 100)+" brought nothing: "+public(err))
			g.in.Candidates = append(g.in.Candidates, Candidate{Kind: KindDocument, Failed: public(err),
				Object: ctxmcp.ContextObject{ObjectID: "directive:" + shortDigest(name), SourceOrigin: name}})
			continue
		}
		for _, doc := range docs {
			g.addDocument(doc)
		}
	}
	return nil
}

// promoted brings the artifacts that directives have promoted into the packet which the call names. It returns the errors of Packets.Named.
func (g *gathering) promoted() error {
	if g.ask.ContextRef == "" {
		return nil
	}
	sealed, err := g.Packets.Named(g.ctx, g.by, ctxmcp.Scope{}, g.ask.ContextRef)
	if err != nil {
		return err
	}
	g.parent = sealed.Ref
	brought := map[string]bool{}
	for _, c := range g.in.Candidates {
		brought[c.Artifact] = true
	}
	for _, d := range sealed.Packet.Derived {
		if brought[d.ID] {
			continue
		}
		docs, err := g.fetch("artifact:" + d.ID)
		if err != nil && g.ctx.Err() != nil {
			return g.ctx.Err()
		}
		if err != nil {
			g.in.Warnings = append(g.in.Warnings, "what was promoted as "+d.ID+" is not there: "+public(err))
			continue
		}
		for _, doc := range docs {
			g.addDocument(doc)
		}
		if len(docs) > 0 && !slices.Contains(g.derived, d) { // the compile after this one has it too
			g.derived = append(g.derived, d)
		}
	}
	return nil
}

func (g *gathering) fetch(directive string) ([]Document, error) {
	if g.Directives == nil {
		return nil, ctxmcp.Errorf(ctxmcp.CodeUnavailable, "no providers are configured")
	}
	return g.Directives.Fetch(g.ctx, g.by, g.at, directive, g.in.Request.MaxTokens/2)
}

func (g *gathering) addDocument(d Document) {
	c := Candidate{
		Kind: KindDocument, Redactions: d.Redactions, Warnings: append(d.Warnings, g.markers(d.Content)...),
		Object: ctxmcp.ContextObject{
			ObjectID: d.ID, Version: 1, Content: d.Content, SourceOrigin: d.Origin, SourceAuthority: 0.5, ConfidenceScore: 0.8,
			SourceKind: ctxmcp.Document, Classification: d.Classification,
		},
		Trimmed: d.Truncated,
	}
	if d.Artifact != nil {
		c.Artifact = d.Artifact.ID
		c.Shorter = []Form{{"reference", fmt.Sprintf("%s, kept: get_artifact artifact_id=%s", containment.OneLine(d.Origin), d.Artifact.ID)}}
	}
	g.derived = append(g.derived, d.Derived...)
	if len(d.Sources) > 0 {
		g.sources = append(g.sources, d.Sources...)
	} else {
		g.outside(d.ID, d.Origin, d.Content, ctxmcp.AuthorityRetrieved)
	}
	g.sight(d.Content, d.ID, containment.OneLine(d.Origin))
	g.in.Candidates = append(g.in.Candidates, c)
}

// markers reports what in a text speaks to a model. Once nobody waits it reports nothing, and no stage begins.
func (g *gathering) markers(text string) (all []Warning) {
	warnings, _ := containment.Report(g.ctx, text)
	for _, w := range warnings {
		all = append(all, Warning{w.Kind, w.Detail})
	}
	return all
}

// public returns what of an error is meant for the caller.
func public(err error) string {
	if e, ok := errors.AsType[*ctxmcp.Error](err); ok && e.Code != ctxmcp.CodeInternal {
		return string(e.Code) + ": " + e.Message
	}
	return "internal error"
}

func shortDigest(text string) string {
	return ctxmcp.Digest(text)[:16]
}
