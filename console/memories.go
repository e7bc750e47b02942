package console

import (
	"cmp"
	"net/url"
	"strings"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
)

// The lengths of lists.
const (
	pageRows  = 50
	mostFound = 100
	allTokens = 1_000_000 // a page has no budget
)

// memoriesPage is the list of memories: found by a question, or looked through from the newest.
type memoriesPage struct {
	Query   string            `json:"query,omitempty"`
	Project string            `json:"project,omitempty"`
	Type    string            `json:"type,omitempty"`
	Subject string            `json:"subject,omitempty"`
	Source  string            `json:"source,omitempty"`
	State   string            `json:"state"` // held, every or contested
	AsOf    string            `json:"as_of,omitempty"`
	Held    int               `json:"held"`
	Rows    []memoryRow       `json:"memories"`
	Next    string            `json:"next_cursor,omitempty"`
	Types   []string          `json:"-"`
	Sources []string          `json:"-"`
	Narrow  bool              `json:"-"` // a filter is set: all that it selects can be retired at once
	Filter  map[string]string `json:"-"` // its fields
	States  []string          `json:"-"`
	Page    string            `json:"-"` // address of the next page
	Try     []string          `json:"try,omitempty"`
	Reviews []contestPair     `json:"contradictions,omitempty"`
}

// contestPair is two memories that contradict each other, side by side.
type contestPair struct {
	ID       string      `json:"review_id"`
	Question string      `json:"question"`
	Sides    []memoryRow `json:"sides"`
}

func (p memoriesPage) title() string { return "Memories" }

// memoryRow is a memory in a list.
type memoryRow struct {
	ID        string    `json:"object_id"`
	Text      string    `json:"content"`
	Claim     string    `json:"claim,omitempty"`
	Type      string    `json:"type"`
	Project   string    `json:"project,omitempty"`
	Source    string    `json:"source"`
	Since     time.Time `json:"held_since"`
	State     string    `json:"state"`
	Relevance float64   `json:"relevance,omitempty"`
}

func rowOf(o ctxmcp.ContextObject, now time.Time) memoryRow {
	return memoryRow{ID: o.ObjectID, Text: o.Content, Claim: o.Claim.String(), Type: string(o.ObjectType), Project: o.ProjectID,
		Source: string(o.SourceKind), Since: o.TxStart, State: stateOf(o, now)}
}

// stateOf says in a word or two whether a version is held, and still true.
func stateOf(o ctxmcp.ContextObject, now time.Time) string {
	switch {
	case !o.TxEnd.IsZero() && o.StatusNow() == ctxmcp.Overridden:
		return "superseded"
	case !o.TxEnd.IsZero():
		return "ended"
	case o.Archived:
		return "archived"
	case !o.ValidUntil.IsZero() && !o.ValidUntil.After(now):
		return "no longer true"
	case o.MaybeOutdatedBy != "":
		return "maybe outdated"
	case o.ContradictionStatus != ctxmcp.Clean:
		return words(o.ContradictionStatus)
	default:
		return "held"
	}
}

// memories answers with the memories that a question finds, or with a page of all.
func (c *Console) memories(v visit) (any, error) {
	ask := v.URL.Query()
	p := memoriesPage{Query: strings.TrimSpace(ask.Get("q")), Project: ask.Get("project"), Type: ask.Get("type"), Subject: ask.Get("subject"),
		Source: ask.Get("source"), State: cmp.Or(ask.Get("state"), "held"), AsOf: ask.Get("as_of"), States: states, Rows: []memoryRow{}}
	for _, t := range ctxmcp.ObjectTypes() {
		p.Types = append(p.Types, string(t))
	}
	for _, k := range ctxmcp.SourceKinds() {
		p.Sources = append(p.Sources, string(k))
	}
	b, err := browsingIn(ask)
	if err != nil {
		return nil, err
	}
	if p.Query != "" {
		return c.found(v, p, memory.Ask{Query: p.Query, ObjectTypes: b.Types, AsOf: b.AsOf})
	}
	b.Cursor, b.Limit = ask.Get("cursor"), pageRows
	page, err := c.o.Memory.Browse(v.Context(), v.by, b)
	if err != nil {
		return nil, err
	}
	p.Held, p.Next = page.Held, page.Next
	p.Filter = map[string]string{"project": p.Project, "type": p.Type, "subject": p.Subject, "source": p.Source, "as_of": p.AsOf, "state": p.State}
	p.Narrow = !b.EveryVersion && p.Project+p.Type+p.Subject+p.Source+p.AsOf != ""
	for _, o := range page.Objects {
		p.Rows = append(p.Rows, rowOf(o, c.o.Now()))
	}
	if p.Next != "" {
		ask.Set("cursor", p.Next)
		p.Page = Base + "memories?" + ask.Encode()
	}
	if p.State == "contested" {
		p.Reviews, err = c.contradictions(v)
	}
	return p, err
}

// states are the words of the filter by state.
var states = []string{"held", "every", "contested"}

// browsingIn returns the selection that the fields of an address, or of a form, make.
func browsingIn(ask url.Values) (b memory.Browsing, err error) {
	state := cmp.Or(ask.Get("state"), states[0])
	b = memory.Browsing{Project: ask.Get("project"), Subject: ask.Get("subject"), Contested: state == "contested", EveryVersion: state == "every"}
	if err := ctxmcp.CheckWord("state", state, states); err != nil {
		return b, err
	}
	if b.AsOf, err = instant("as_of", ask.Get("as_of")); err != nil {
		return b, err
	}
	if t := ctxmcp.ObjectType(ask.Get("type")); t != "" {
		b.Types = []ctxmcp.ObjectType{t}
		if err := ctxmcp.CheckWord("type", t, ctxmcp.ObjectTypes()); err != nil {
			return b, err
		}
	}
	if k := ctxmcp.SourceKind(ask.Get("source")); k != "" {
		b.Sources = []ctxmcp.SourceKind{k}
		return b, ctxmcp.CheckWord("source", k, ctxmcp.SourceKinds())
	}
	return b, nil
}

// found fills the page with the answer to the question, best first, as an agent gets it.
func (c *Console) found(v visit, p memoriesPage, ask memory.Ask) (any, error) {
	ask.Scope, ask.Limit, ask.MaxTokens = ctxmcp.Scope{User: v.by.User, Project: p.Project}, mostFound, allTokens
	if p.Project == "" {
		ask.Prefix = ask.Scope.Namespace() + ":*"
	}
	r, err := c.o.Memory.Recall(v.Context(), v.by, ask)
	if err != nil {
		return nil, err
	}
	for _, m := range r.Memories {
		if p.Source != "" && string(m.Object.SourceKind) != p.Source {
			continue
		}
		row := rowOf(m.Object, c.o.Now())
		row.Relevance = m.Relevance
		p.Rows = append(p.Rows, row)
	}
	p.Held, p.Try = len(p.Rows), r.Try
	return p, nil
}

// contradictions returns the conflicts that wait for a person, with both sides.
func (c *Console) contradictions(v visit) ([]contestPair, error) {
	items, err := c.o.Memory.Reviews(v.Context(), v.by, mostFound)
	if err != nil {
		return nil, err
	}
	var all []contestPair
	for _, i := range items {
		if i.Kind != memory.ConflictReview {
			continue
		}
		pair := contestPair{ID: i.ID, Question: i.Question}
		for _, side := range i.Candidates {
			pair.Sides = append(pair.Sides, rowOf(side.Object, c.o.Now()))
		}
		all = append(all, pair)
	}
	return all, nil
}

// instant reads an instant of a form or an address: a date, or a date and a time, in UTC. Empty is the zero time.
func instant(name, text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	if at, err := ctxmcp.ParseInstant(text); err == nil {
		return at, nil
	}
	return time.Time{}, ctxmcp.Errorf(ctxmcp.CodeInvalid, "%s is no date", name).WithHint("write it as 2026-03-01 or 2026-03-01T09:00")
}
