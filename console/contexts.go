package console

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
	"github.com/ctx-mcp/ctx-mcp/compiler"
	"github.com/ctx-mcp/ctx-mcp/packets"
)

// contextsPage is a list of compiled contexts.
type contextsPage struct {
	Rows []contextRow `json:"contexts"`
	Page string       `json:"-"`
	Next string       `json:"next,omitempty"`
}

func (contextsPage) title() string { return "Contexts" }

type contextRow struct {
	Ref     string    `json:"context_ref"`
	Kind    string    `json:"kind"`
	Made    time.Time `json:"created"`
	Place   string    `json:"place"`
	Objects int       `json:"objects"`
	Size    int64     `json:"size_bytes"`
	Erased  bool      `json:"erased,omitempty"`
}

// contexts answers with a page of the list.
func (c *Console) contexts(v visit) (any, error) {
	behind, err := markIn(v.URL.Query())
	if err != nil {
		return nil, err
	}
	var p contextsPage
	if p.Rows, p.Next, err = c.contextRows(v, behind, pageRows); err == nil && p.Next != "" {
		p.Page = Base + "contexts?behind=" + url.QueryEscape(p.Next)
	}
	return p, err
}

func (c *Console) contextRows(v visit, behind *artifacts.Mark, limit int) (rows []contextRow, next string, err error) {
	found, err := c.o.Packets.List(v.Context(), v.by, behind, limit+1)
	if err != nil {
		return nil, "", err
	}
	if len(found) > limit {
		found = found[:limit]
		next = markText(packets.MarkOf(found[limit-1]))
	}
	return rowsOf(found), next, nil
}

func rowsOf(found []packets.Record) (rows []contextRow) {
	for _, r := range found {
		rows = append(rows, contextRow{r.Ref, string(r.Kind), r.Created, placeOf(r.Home), len(r.Objects), r.Size, r.Erased})
	}
	return rows
}

// placeOf writes a scope for a person, without the user.
func placeOf(at ctxmcp.Scope) string {
	var parts []string
	for _, p := range []struct{ name, id string }{{"project", at.Project}, {"session", at.Session}, {"task", at.Task}} {
		if p.id != "" {
			parts = append(parts, p.name+" "+p.id)
		}
	}
	return strings.Join(parts, ", ")
}

// markText and markIn write and read the place of a list that a page ends at.
func markText(m *artifacts.Mark) string {
	return strconv.FormatInt(m.Created.UnixMicro(), 10) + "." + m.ID
}

func markIn(ask url.Values) (*artifacts.Mark, error) {
	text := ask.Get("behind")
	if text == "" {
		return nil, nil
	}
	micros, id, ok := strings.Cut(text, ".")
	at, err := strconv.ParseInt(micros, 10, 64)
	if !ok || err != nil || id == "" {
		return nil, ctxmcp.Errorf(ctxmcp.CodeInvalid, "behind is no place of a list").WithHint("follow the link to the next page")
	}
	return &artifacts.Mark{Created: time.UnixMicro(at).UTC(), ID: id}, nil
}

// contextPage is one compile: where its tokens went, its lines with their origins, and the fate of every candidate.
type contextPage struct {
	Ref     string               `json:"context_ref"`
	Made    time.Time            `json:"instant"`
	Model   string               `json:"model,omitempty"`
	Format  string               `json:"format"`
	Tokens  int                  `json:"tokens"`
	Budget  int                  `json:"budget"`
	Asked   string               `json:"user_message,omitempty"`
	Zones   []bar                `json:"zones"`
	Sources []bar                `json:"sources"`
	Blocks  []block              `json:"-"`
	Fates   []fate               `json:"candidates"`
	Filter  string               `json:"filter,omitempty"`
	Warns   []string             `json:"warnings"`
	Steps   []compiler.Step      `json:"steps"`
	Other   *compiler.Comparison `json:"comparison,omitempty"`
	Beside  []contextSide        `json:"-"` // this one, and the one that it is compared with
	Others  []contextRow         `json:"-"` // to compare with
	Cached  float64              `json:"cacheable_share"`
}

func (p contextPage) title() string { return "Context " + name(p.Ref) }

// contextSide is one of two compiles that stand beside each other.
type contextSide struct {
	Ref    string
	Made   time.Time
	Tokens int
	Budget int
	Zones  []bar
	Blocks []block
}

func sideOf(k compiler.Kept) contextSide {
	side := contextSide{Ref: k.Ref, Made: k.Inputs.Instant, Tokens: k.Output.Tokens, Budget: k.Output.Budget, Blocks: blocksOf(k.Output)}
	for _, z := range k.Output.Zones {
		side.Zones = append(side.Zones, bar{Name: string(z.Name), Tokens: z.Tokens, Cacheable: z.Cacheable})
	}
	place(side.Zones, side.Budget)
	return side
}

// bar is a part of the budget. From and Width are thousandths of it.
type bar struct {
	Name      string `json:"name"`
	Tokens    int    `json:"tokens"`
	From      int    `json:"-"`
	Width     int    `json:"-"`
	Shade     int    `json:"-"`
	Cacheable bool   `json:"cacheable,omitempty"`
}

// block is a text of the prompt, cut where the origin of its lines changes.
type block struct{ Stretches []stretch }

type stretch struct {
	Text   string
	Origin compiler.Line
	Known  bool // an object put it there, or a rule
}

// fate is the outcome for a candidate, and its reason.
type fate struct {
	ObjectID  string  `json:"object_id"`
	Version   int     `json:"version"`
	Kind      string  `json:"kind"`
	Fate      string  `json:"fate"`
	Why       string  `json:"why"`
	Text      string  `json:"content"`
	Relevance float64 `json:"relevance"`
	Tokens    int     `json:"tokens"`
}

// context answers with one compile, or with its difference from another one.
func (c *Console) context(v visit) (any, error) {
	kept, err := c.o.Compiles.Kept(v.Context(), v.by, ctxmcp.Scope{}, v.id)
	if err != nil {
		return nil, err
	}
	in, out := kept.Inputs, kept.Output
	p := contextPage{Ref: kept.Ref, Made: in.Instant, Model: in.Request.Model, Format: string(out.Format), Tokens: out.Tokens, Budget: out.Budget,
		Asked: in.Request.UserMessage, Filter: v.URL.Query().Get("fate"), Warns: out.Warnings, Steps: out.Trace.Steps, Cached: out.Trace.Metrics.CacheableShare}
	p.Sources = sourceBars(out.Trace.Compiled)
	place(p.Sources, out.Budget)
	here := sideOf(kept)
	p.Zones, p.Blocks, p.Fates = here.Zones, here.Blocks, fatesOf(kept, p.Filter)
	if p.Others, _, err = c.contextRows(v, nil, pageRows); err != nil {
		return nil, err
	}
	p.Others = slices.DeleteFunc(p.Others, func(o contextRow) bool { return o.Ref == p.Ref || o.Erased || o.Kind != string(packets.Compile) })
	if with := v.URL.Query().Get("with"); with != "" {
		earlier, err := c.o.Compiles.Kept(v.Context(), v.by, ctxmcp.Scope{}, with)
		if err != nil {
			return nil, err
		}
		difference := kept.Compare(earlier)
		p.Other, p.Beside = &difference, []contextSide{sideOf(earlier), here}
	}
	return p, nil
}

// sourceBars counts the tokens of what was compiled by its kind, the most first.
func sourceBars(rows []compiler.Compiled) (bars []bar) {
	for _, row := range rows {
		name := words(row.Kind)
		i := slices.IndexFunc(bars, func(b bar) bool { return b.Name == name })
		if i < 0 {
			i = len(bars)
			bars = append(bars, bar{Name: name})
		}
		bars[i].Tokens += row.Tokens
	}
	slices.SortStableFunc(bars, func(a, b bar) int { return cmp.Compare(b.Tokens, a.Tokens) })
	return bars
}

// place lays bars side by side on the budget.
func place(bars []bar, budget int) {
	from := 0
	for i := range bars {
		bars[i].From, bars[i].Shade = from, i%6
		bars[i].Width = bars[i].Tokens * 1000 / max(budget, 1)
		from += bars[i].Width
	}
}

// blocksOf cuts the texts of the prompt where the origin changes.
func blocksOf(out compiler.Output) []block {
	var all []block
	for n, text := range compiler.Texts(out) {
		if text == "" { // a message of calls alone
			continue
		}
		lines := strings.Split(text, "\n")
		origins := make([]compiler.Line, len(lines))
		for _, l := range out.Lines {
			for i := l.First; l.Block == n && i <= min(l.Last, len(lines)); i++ {
				origins[i-1] = l
			}
		}
		var b block
		for i, line := range lines {
			if last := len(b.Stretches) - 1; last >= 0 && sameOrigin(b.Stretches[last].Origin, origins[i]) {
				b.Stretches[last].Text += "\n" + line
				continue
			}
			b.Stretches = append(b.Stretches, stretch{line, origins[i], origins[i].Rule != ""})
		}
		all = append(all, b)
	}
	return all
}

func sameOrigin(a, b compiler.Line) bool {
	return a.ObjectID == b.ObjectID && a.Version == b.Version && a.Source == b.Source && a.Rule == b.Rule
}

// fatesOf returns the candidates with what became of them, or those with one fate alone.
func fatesOf(k compiler.Kept, only string) []fate {
	texts := map[string]string{}
	for _, c := range k.Inputs.Candidates {
		texts[c.Object.ObjectID] = c.Object.Content
	}
	all := []fate{}
	add := func(f fate) {
		if only == "" || only == f.Fate {
			f.Text = texts[f.ObjectID]
			all = append(all, f)
		}
	}
	for _, r := range k.Output.Trace.Compiled {
		add(fate{r.ObjectID, r.Version, string(r.Kind), "compiled", r.Why + ", " + r.Form, "", r.Relevance, r.Tokens})
	}
	for _, r := range k.Output.Trace.Omitted {
		add(fate{r.ObjectID, r.Version, string(r.Kind), "omitted", because(string(r.Reason), r.Stage, r.By, r.Detail), "", r.Relevance, 0})
	}
	for _, r := range k.Output.Trace.Quarantined {
		add(fate{r.ObjectID, r.Version, string(r.Kind), "quarantined", because(string(r.Reason), r.Stage, r.By, r.Detail), "", 0, 0})
	}
	return all
}

func because(reason, stage, by, detail string) string {
	text := words(reason) + " (" + stage + ")"
	if by != "" {
		text += ", by " + name(by)
	}
	if detail != "" {
		text += ": " + detail
	}
	return text
}
