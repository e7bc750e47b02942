package console

import (
	"context"
	"strings"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions"
	"github.com/ctx-mcp/ctx-mcp/memory"
)

// waitingPage is everything that waits for a person.
type waitingPage struct {
	Items []waitingItem `json:"items"`
}

func (waitingPage) title() string { return "Waiting for you" }

// waitingItem is one question, with the choices that answer it.
type waitingItem struct {
	ID       string    `json:"id"`
	Kind     string    `json:"kind"` // action, or the kind of a review
	Question string    `json:"question"`
	Facts    []Line    `json:"facts"`
	Choices  []choice  `json:"choices"`
	Until    time.Time `json:"until,omitzero"` // it is denied then
	Session  string    `json:"session,omitempty"`
	Shown    []piece   `json:"shown"` // the question, for a script that shows it
}

// choice is one decision on offer: the word that is sent, and how a person reads it.
type choice struct {
	Value string `json:"value"`
	Label string `json:"label"`
}

// waiting answers with everything that waits.
func (c *Console) waiting(v visit) (any, error) {
	items, err := c.items(v.Context(), v.by)
	return waitingPage{items}, err
}

// items returns the actions of agents that wait, then the reviews of memory.
func (c *Console) items(ctx context.Context, by ctxmcp.Caller) ([]waitingItem, error) {
	pending, err := c.o.Actions.Pending(ctx, by, 0)
	if err != nil {
		return nil, err
	}
	all := []waitingItem{}
	for _, p := range pending {
		all = append(all, actionItem(p))
	}
	reviews, err := c.o.Memory.Reviews(ctx, by, mostFound)
	if err != nil {
		return nil, err
	}
	for _, r := range reviews {
		all = append(all, reviewItem(r))
	}
	for i := range all {
		all[i].Shown = shown(all[i].Question)
		for j := range all[i].Facts {
			all[i].Facts[j].Shown = shown(all[i].Facts[j].Text)
		}
	}
	return all, nil
}

func actionItem(p actions.Pending) waitingItem {
	item := waitingItem{
		ID: p.ID, Kind: "action", Question: "May the agent do " + p.Tool + "." + p.Operation + "?", Until: p.Until, Session: p.Session,
		Facts:   []Line{{Name: "why it waits", Text: p.Why}, {Name: "arguments", Text: string(p.Parameters)}, {Name: "you asked for", Text: p.Request}},
		Choices: []choice{{string(actions.Approve), "Approve"}, {string(actions.Refuse), "Refuse"}},
	}
	for _, f := range p.Findings {
		text := f.Why
		for _, e := range f.Evidence {
			if e.Quote != "" {
				text += "\n“" + e.Quote + "” (" + e.Source + ")"
			}
		}
		item.Facts = append(item.Facts, Line{Name: words(f.Signal), Text: text, Bad: true})
	}
	if len(p.After) > 0 {
		item.Facts = append(item.Facts, Line{Name: "decide first", Text: strings.Join(p.After, ", ")})
	}
	return item
}

func reviewItem(r memory.ReviewItem) waitingItem {
	item := waitingItem{ID: r.ID, Kind: string(r.Kind), Question: r.Question, Choices: choicesOf(r)}
	for _, side := range r.Candidates {
		text := side.Object.Content
		if side.Name != "" {
			text = side.Name + ": " + text
		}
		item.Facts = append(item.Facts, Line{Name: name(side.ID), Text: text + " (" + words(side.Object.SourceKind) + ", " + when(side.Object.TxStart) + ")"})
	}
	return item
}

// decide carries a decision out: on an action of an agent, or on a review of memory.
func (c *Console) decide(v visit) (string, error) {
	decision := v.PostFormValue("decision")
	if actions.IsPending(v.id) {
		_, err := c.o.Actions.Resolve(v.Context(), v.by, v.id, actions.Choice(decision), reasonOf(v, ""), true)
		return "waiting", err
	}
	_, err := c.o.Memory.SettleFor(v.Context(), v.by, v.id, decision, reasonOf(v, ""))
	return "waiting", err
}
