package console

import (
	"net/url"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/memory/audit"
)

// lookedOver is how many memories a page of findings looks at: as many as a page has time for.
const lookedOver = 1000

// mostFindings bounds the findings of a kind on a page.
const mostFindings = 20

// findingsPage is the faults of a stretch of memories: duplicates and contradictions with their sides beside each other, and others.
type findingsPage struct {
	Looked int            `json:"looked_at"`
	Held   int            `json:"held"`
	Kinds  []findingsKind `json:"kinds"`
	Next   string         `json:"next_cursor,omitempty"`
	Page   string         `json:"-"`
}

func (findingsPage) title() string { return "What is wrong with memories" }

// findingsKind is a check with its findings.
type findingsKind struct {
	Kind  string        `json:"kind"`
	Doc   string        `json:"doc"`
	Count int           `json:"count"`
	Shown []findingPair `json:"findings"`
}

// findingPair is one finding with the memories that it is about.
type findingPair struct {
	Why   string      `json:"why"`
	Sides []memoryRow `json:"memories"`
}

// findings looks over a stretch of the caller's memories, from the newest or from behind the cursor.
func (c *Console) findings(v visit) (any, error) {
	page, err := c.o.Memory.Browse(v.Context(), v.by, memory.Browsing{AsStored: true, Cursor: v.URL.Query().Get("cursor"), Limit: lookedOver})
	if err != nil {
		return nil, err
	}
	at, held := audit.New(c.o.Audit()), map[string]ctxmcp.ContextObject{}
	for _, o := range page.Objects {
		at.Add(audit.Of(o))
	}
	report, err := at.Report(v.Context())
	if err != nil {
		return nil, err
	}
	if err := c.o.Memory.Shown(v.Context(), v.by, page.Objects); err != nil { // from here on they are shown
		return nil, err
	}
	for _, o := range page.Objects {
		held[o.ObjectID] = o
	}
	p := findingsPage{Looked: len(page.Objects), Held: page.Held, Next: page.Next}
	if p.Next != "" {
		p.Page = Base + "findings?cursor=" + url.QueryEscape(p.Next)
	}
	for _, k := range report.Kinds {
		kind := findingsKind{Kind: string(k.Kind), Doc: k.Doc, Count: k.Findings, Shown: []findingPair{}}
		for _, f := range report.Findings {
			if f.Kind == k.Kind && len(kind.Shown) < mostFindings {
				kind.Shown = append(kind.Shown, c.pairOf(f, held))
			}
		}
		p.Kinds = append(p.Kinds, kind)
	}
	return p, nil
}

func (c *Console) pairOf(f audit.Finding, held map[string]ctxmcp.ContextObject) findingPair {
	pair := findingPair{Why: f.Why}
	for _, place := range f.Records[:min(len(f.Records), mostFindings)] {
		pair.Sides = append(pair.Sides, rowOf(held[place.ID], c.o.Now()))
	}
	return pair
}
