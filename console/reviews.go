package console

import (
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/trail"
)

// reviewsPage is the questions about memories that wait for a person, and the answers that were given last.
type reviewsPage struct {
	Kind    string        `json:"kind,omitempty"`
	Items   []openReview  `json:"reviews"`
	Settled []trailLine   `json:"settled"`
	Kinds   []reviewCount `json:"kinds"`
}

func (reviewsPage) title() string { return "Reviews" }

// reviewCount is how many questions of a kind wait.
type reviewCount struct {
	Kind string `json:"kind"`
	Open int    `json:"open"`
}

// openReview is a question with its sides beside each other, and the choices that answer it.
type openReview struct {
	ID       string       `json:"id"`
	Kind     string       `json:"kind"`
	Question string       `json:"question"`
	Sides    []reviewSide `json:"sides"`
	Choices  []choice     `json:"choices"`
}

// reviewSide is one of the things that a review asks about.
type reviewSide struct {
	ID   string    `json:"id"`
	Name string    `json:"name,omitempty"` // of an entity
	Said memoryRow `json:"memory"`
	By   string    `json:"author,omitempty"`
	From string    `json:"origin,omitempty"`
}

// reviews answers with the open reviews, or those of a kind, and the decisions of the caller.
func (c *Console) reviews(v visit) (any, error) {
	p := reviewsPage{Kind: v.URL.Query().Get("kind"), Items: []openReview{}, Settled: []trailLine{}}
	if p.Kind != "" {
		if err := ctxmcp.CheckWord("kind", memory.ReviewKind(p.Kind), memory.ReviewKinds()); err != nil {
			return nil, err
		}
	}
	for _, k := range memory.ReviewKinds() {
		p.Kinds = append(p.Kinds, reviewCount{Kind: string(k)})
	}
	open, err := c.o.Memory.Reviews(v.Context(), v.by, mostFound)
	if err != nil {
		return nil, err
	}
	for _, r := range open {
		i := slices.IndexFunc(p.Kinds, func(k reviewCount) bool { return k.Kind == string(r.Kind) })
		p.Kinds[i].Open++
		if p.Kind == "" || p.Kind == string(r.Kind) {
			p.Items = append(p.Items, c.openReview(r))
		}
	}
	done, err := c.o.Trail.List(v.Context(), v.by, trail.Query{Action: "review", Limit: pageRows})
	for _, e := range done {
		p.Settled = append(p.Settled, trailLineOf(e))
	}
	return p, err
}

func (c *Console) openReview(r memory.ReviewItem) openReview {
	item := openReview{ID: r.ID, Kind: string(r.Kind), Question: r.Question, Choices: choicesOf(r)}
	for _, side := range r.Candidates {
		item.Sides = append(item.Sides, reviewSide{side.ID, side.Name, rowOf(side.Object, c.o.Now()), side.Object.Author, side.Object.SourceOrigin})
	}
	return item
}

// choicesOf returns the decisions that a review offers, as a person reads them.
func choicesOf(r memory.ReviewItem) (all []choice) {
	for _, d := range r.Decisions {
		label := words(d)
		for _, side := range r.Candidates {
			if side.ID == d && side.Name != "" {
				label = "It is " + ctxmcp.Clip(side.Name, 60)
			} else if side.ID == d {
				label = "This holds: " + ctxmcp.Clip(side.Object.Content, 60)
			}
		}
		all = append(all, choice{d, label})
	}
	return all
}

// settle carries a decision on a review out.
func (c *Console) settle(v visit) (string, error) {
	_, err := c.o.Memory.SettleFor(v.Context(), v.by, v.id, v.PostFormValue("decision"), reasonOf(v, ""))
	return "reviews", err
}
