package tools

import (
	"context"
	"fmt"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions"
	"github.com/ctx-mcp/ctx-mcp/containment"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/memory/brief"
	"github.com/ctx-mcp/ctx-mcp/schema"
)

func review() Tool {
	return define(definition{
		name: "review", title: "Review", toolset: MemoryTools,
		terms: schema.Vocabulary(schema.Terms{}, reviewActions()),
	}, func(ctx context.Context, c call, in reviewIn) (reviewOut, error) {
		switch {
		case in.Action == resolveAction && actions.IsPending(in.ID) && c.Actions != nil:
			return c.resolvePending(ctx, in.ID, actions.Choice(in.Decision))
		case in.Action == resolveAction && in.Decision == "":
			return c.resolveInPlace(ctx, in.ID)
		case in.Action == resolveAction:
			done, err := c.Memory.Settle(ctx, c.by, in.ID, in.Decision)
			return reviewOut{Items: []reviewItemOut{}, Resolved: resolvedOut(done)}, err
		case in.Action == restoreAction:
			done, err := c.Memory.Restore(ctx, c.by, in.ID)
			return reviewOut{Items: []reviewItemOut{}, Resolved: resolvedOut(done)}, err
		}
		return c.reviews(ctx, in.Limit)
	})
}

// reviewAction says whether to list or to decide. The words are sent: append only.
type reviewAction string

const (
	listAction    reviewAction = "list"
	resolveAction reviewAction = "resolve"
	restoreAction reviewAction = "restore"
)

func reviewActions() []reviewAction { return []reviewAction{listAction, resolveAction, restoreAction} }

type reviewIn struct {
	Action   reviewAction `json:"action,omitempty"`
	ID       string       `json:"id,omitempty" jsonschema_description:"Item, or object_id to restore"`
	Decision string       `json:"decision,omitempty" jsonschema_description:"One of the item's"`
	Limit    int          `json:"limit,omitempty" jsonschema:"minimum=1,maximum=1000" for:"harness"`
	place
}

type reviewOut struct {
	Items    []reviewItemOut `json:"items"`
	Resolved *settledOut     `json:"resolved,omitempty"`
	Reason   string          `json:"reason,omitempty" jsonschema_description:"Why an item stays open"`
}

type reviewItemOut struct {
	ID         string            `json:"id"`
	Kind       memory.ReviewKind `json:"kind"`
	Question   string            `json:"question"`
	Candidates []candidateOut    `json:"candidates,omitempty"`
	Decisions  []string          `json:"decisions,omitempty"`
}

// lines implements told.
func (o reviewOut) lines() string {
	var all []string
	for _, i := range o.Items {
		all = append(all, i.lines()...)
	}
	if r := o.Resolved; r != nil {
		all = append(all, fmt.Sprintf("%s is decided: %s, %s", r.ID, r.Decision, r.Effect))
	}
	if o.Reason != "" {
		all = append(all, o.Reason)
	}
	if len(all) == 0 {
		return "nothing waits for a decision"
	}
	return strings.Join(all, "\n")
}

// lines returns an item, its candidates, and the decisions on offer.
func (i reviewItemOut) lines() []string {
	all := []string{fmt.Sprintf("%s %s: %s", i.ID, i.Kind, brief.Indented(i.Question))}
	for _, c := range i.Candidates {
		about := []string{dateOf(c.RecordedAt)}
		if c.Name != "" {
			about = append(about, containment.OneLine(c.Name))
		}
		about = append(about, containment.OneLine(c.SourceOrigin))
		all = append(all, fmt.Sprintf("- %s (%s): %s", c.ID, strings.Join(about, ", "), brief.Indented(c.Content)))
	}
	return append(all, "decide one of: "+strings.Join(i.Decisions, ", "))
}

type candidateOut struct {
	ID             string           `json:"id"`
	Name           string           `json:"name,omitempty"`
	Content        string           `json:"content"`
	SourceOrigin   string           `json:"source_origin"`
	AuthorityLevel ctxmcp.Authority `json:"authority_level"`
	ValidFrom      Time             `json:"valid_from"`
	ValidUntil     Time             `json:"valid_until,omitzero"`
	RecordedAt     Time             `json:"recorded_at"`
}

type settledOut struct {
	ID       string `json:"id"`
	Decision string `json:"decision"`
	Effect   string `json:"effect"`
}

func resolvedOut(s memory.Settled) *settledOut { return &settledOut{s.ID, s.Decision, s.Effect} }

func itemsOut(items []memory.ReviewItem) []reviewItemOut {
	out := []reviewItemOut{}
	for _, i := range items {
		item := reviewItemOut{ID: i.ID, Kind: i.Kind, Question: i.Question, Candidates: []candidateOut{}, Decisions: i.Decisions}
		for _, c := range i.Candidates {
			o := c.Object
			item.Candidates = append(item.Candidates, candidateOut{
				c.ID, c.Name, o.Content, o.SourceOrigin, o.Authority, Time(o.ValidFrom), Time(o.ValidUntil), Time(o.TxStart),
			})
		}
		out = append(out, item)
	}
	return out
}
