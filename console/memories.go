package console

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strconv"
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
	for _, form := range []string{time.RFC3339Nano, "2006-01-02T15:04", "2006-01-02 15:04", time.DateOnly} {
		if at, err := time.Parse(form, text); err == nil {
			return at.UTC(), nil
		}
	}
	return time.Time{}, ctxmcp.Errorf(ctxmcp.CodeInvalid, "%s is no date", name).WithHint("write it as 2026-03-01 or 2026-03-01T09:00")
}

// memoryPage is one memory with everything that was ever held of its fact.
type memoryPage struct {
	Object    ctxmcp.ContextObject   `json:"object"`
	State     string                 `json:"state"`
	Versions  []ctxmcp.ContextObject `json:"versions"`            // of the fact, in the order in which they were held
	Displaced []string               `json:"displaced,omitempty"` // ids of what it took the place of
	Asked     []contestPair          `json:"reviews,omitempty"`   // questions about it that wait for a person
	Derived   []memoryRow            `json:"derived,omitempty"`   // what names it as a source
	Contexts  []contextRow           `json:"contexts"`            // that it reached last
	Questions []question             `json:"questions"`
	Plane     plane                  `json:"-"`
}

func (p memoryPage) title() string { return "Memory " + name(p.Object.ObjectID) }

// memory answers with one memory.
func (c *Console) memory(v visit) (any, error) {
	versions, err := c.o.Memory.History(v.Context(), v.by, memory.HistoryAsk{ObjectID: v.id, Scope: ctxmcp.Scope{User: v.by.User}})
	if err != nil {
		return nil, err
	}
	p := memoryPage{Versions: versions}
	for _, o := range versions {
		if strings.HasSuffix(o.ObjectID, v.id) {
			p.Object = o
		}
	}
	for _, o := range versions {
		if o.LinkNow() == p.Object.ObjectID && o.ObjectID != p.Object.ObjectID {
			p.Displaced = append(p.Displaced, o.ObjectID)
		}
	}
	now := ctxmcp.Instant(c.o.Now())
	p.State = stateOf(p.Object, now)
	if p.Questions, err = questionsIn(v.URL.Query(), versions, now); err != nil {
		return nil, err
	}
	if err := c.displaced(v, &p); err != nil {
		return nil, err
	}
	p.Plane = planeOf(versions, p.Questions, now, Base+"memories/"+p.Object.ObjectID, v.URL.Query())
	return p, c.named(v, &p)
}

// displaced adds what the memory took the place of in other facts than its own.
func (c *Console) displaced(v visit, p *memoryPage) error {
	found, err := c.o.Memory.DisplacedBy(v.Context(), v.by, p.Object.ObjectID, pageRows)
	for _, o := range found {
		if o.ObjectID != p.Object.ObjectID && !slices.Contains(p.Displaced, o.ObjectID) {
			p.Displaced = append(p.Displaced, o.ObjectID)
		}
	}
	return err
}

// named adds the memories that name this one as a source, the contexts that hold it, and the questions about it.
func (c *Console) named(v visit, p *memoryPage) error {
	derived, err := c.o.Memory.DerivedFrom(v.Context(), v.by, p.Object.ObjectID, pageRows)
	if err != nil {
		return err
	}
	for _, o := range derived {
		p.Derived = append(p.Derived, rowOf(o, c.o.Now()))
	}
	found, err := c.o.Packets.Holding(v.Context(), v.by, p.Object.ObjectID, homeRows)
	if err != nil {
		return err
	}
	p.Contexts = rowsOf(found)
	open, err := c.o.Memory.Reviews(v.Context(), v.by, mostFound)
	for _, r := range open {
		if slices.ContainsFunc(r.Candidates, func(side memory.ReviewCandidate) bool { return side.ID == p.Object.ObjectID }) {
			p.Asked = append(p.Asked, contestPair{ID: r.ID, Question: r.Question})
		}
	}
	return err
}

// reasonOf returns the reason of a form, or the default.
func reasonOf(v visit, otherwise string) string {
	return cmp.Or(strings.TrimSpace(v.PostFormValue("reason")), otherwise)
}

// correct stores what a person says instead of a memory. What was held stays in its history.
func (c *Console) correct(v visit) (string, error) {
	r, err := c.o.Memory.Remember(v.Context(), v.by, memory.Draft{
		Content: v.PostFormValue("content"), Supersedes: v.id, Source: memory.Source{Kind: ctxmcp.UserStatement},
		Scope: ctxmcp.Scope{User: v.by.User, Project: v.PostFormValue("project")},
	})
	if err != nil {
		return "", err
	}
	if r.Status == memory.Rejected {
		return "", ctxmcp.Errorf(ctxmcp.CodeInvalid, "nothing was stored: %s", r.Reason).WithHint("say it in a sentence or two")
	}
	return "memories/" + cmp.Or(r.ObjectID, v.id), nil
}

// retire ends the memories that were ticked, all of them or none. To erase them for good is another thing, and only where it is allowed.
func (c *Console) retire(v visit) (string, error) {
	mode := memory.Retire
	if v.PostFormValue("mode") == string(memory.Erase) {
		if !c.o.AllowErase {
			return "", ctxmcp.Errorf(ctxmcp.CodeDenied, "memories cannot be erased here").WithHint("start the page with --allow-erase")
		}
		mode = memory.Erase
	}
	ids := slices.Compact(slices.Sorted(slices.Values(v.PostForm["id"])))
	if shown := v.PostFormValue("all"); shown != "" {
		var err error
		if ids, err = c.selected(v, shown); err != nil {
			return "", err
		}
	}
	if len(ids) == 0 {
		return "", ctxmcp.Errorf(ctxmcp.CodeInvalid, "no memory is chosen").WithHint("tick those that are to be retired")
	}
	if _, err := c.o.Memory.ForgetAll(v.Context(), v.by, ids, mode, reasonOf(v, "retired on the page")); err != nil {
		return "", err
	}
	if len(ids) == 1 && mode == memory.Retire {
		return "memories/" + ids[0], nil
	}
	return "memories", nil
}

// mostRetired is how many memories one form ends.
const mostRetired = 1000

// selected returns the ids of all that the filter of a form selects. It returns CodeConflict where they are not as many as were shown, and
// CodeTooLarge for more than mostRetired.
func (c *Console) selected(v visit, shown string) (ids []string, err error) {
	b, err := browsingIn(v.PostForm)
	if err != nil {
		return nil, err
	}
	b.Limit = mostRetired
	page, err := c.o.Memory.Browse(v.Context(), v.by, b)
	switch {
	case err != nil:
		return nil, err
	case page.Next != "":
		return nil, ctxmcp.Errorf(ctxmcp.CodeTooLarge, "the filter selects %d memories, and %d are retired at once at most", page.Held, mostRetired).WithHint("narrow the filter")
	case strconv.Itoa(page.Held) != shown:
		return nil, ctxmcp.Errorf(ctxmcp.CodeConflict, "the filter selects %d memories now, and showed %s", page.Held, shown).WithHint("look at them anew")
	}
	for _, o := range page.Objects {
		ids = append(ids, o.ObjectID)
	}
	return ids, nil
}

// restore takes back that a memory was displaced or retired.
func (c *Console) restore(v visit) (string, error) {
	_, err := c.o.Memory.Restore(v.Context(), v.by, v.id)
	return "memories/" + v.id, err
}

// homePage is the first page that a person sees: the counts of everything, and the questions that wait.
type homePage struct {
	Held    int          `json:"memories"`
	Waiting int          `json:"waiting"`
	Latest  []memoryRow  `json:"latest"`
	Recent  []contextRow `json:"contexts"`
	Running []sessionRow `json:"sessions"`
}

func (homePage) title() string { return "Overview" }

// home answers with an overview.
func (c *Console) home(v visit) (any, error) {
	page, err := c.o.Memory.Browse(v.Context(), v.by, memory.Browsing{Limit: homeRows})
	if err != nil {
		return nil, err
	}
	p := homePage{Held: page.Held}
	for _, o := range page.Objects {
		p.Latest = append(p.Latest, rowOf(o, c.o.Now()))
	}
	waits, err := c.items(v.Context(), v.by)
	if err != nil {
		return nil, err
	}
	p.Waiting = len(waits)
	if p.Recent, _, err = c.contextRows(v, nil, homeRows); err != nil {
		return nil, err
	}
	p.Running, _, err = c.sessionRows(v, nil, homeRows)
	return p, err
}

// homeRows is how many rows of each list the overview has.
const homeRows = 5

// health answers with the state of the store.
func (c *Console) health(v visit) (any, error) {
	if c.o.Health == nil {
		return healthPage{}, nil
	}
	lines, err := c.o.Health(context.WithoutCancel(v.Context()))
	return healthPage{lines}, err
}

type healthPage struct {
	Lines []Line `json:"lines"`
}

func (healthPage) title() string { return "Health" }
