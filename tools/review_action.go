package tools

import (
	"context"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions"
	"github.com/ctx-mcp/ctx-mcp/memory"
)

// actionReview is the kind of a review that asks about an action that waits.
const actionReview memory.ReviewKind = "action"

// reviews lists what waits for the caller's decision: actions first, for their time is short.
func (c call) reviews(ctx context.Context, limit int) (reviewOut, error) {
	items, err := c.Memory.Reviews(ctx, c.by, limit)
	if err != nil {
		return reviewOut{}, err
	}
	all := itemsOut(items)
	if c.Actions != nil {
		pending, err := c.Actions.Pending(ctx, c.by, limit)
		if err != nil {
			return reviewOut{}, err
		}
		all = append(pendingOut(pending), all...)
	}
	if limit > 0 {
		all = all[:min(limit, len(all))]
	}
	return reviewOut{Items: all}, nil
}

// resolvePending decides an action that waits: by an operator's word, or by what the user answers in place.
func (c call) resolvePending(ctx context.Context, id string, choice actions.Choice) (reviewOut, error) {
	attended := choice == ""
	if attended {
		p, err := c.Actions.FindPending(ctx, c.by, id)
		if err != nil {
			return reviewOut{}, err
		}
		if c.by.Authority > ctxmcp.AuthorityUser {
			return reviewOut{Items: pendingOut([]actions.Pending{p}), Reason: "this caller may not decide for the user: it stays open"}, nil
		}
		answer, err := c.ask(ctx, p.Asked(), nil)
		if err != nil || answer.Outcome != ctxmcp.Accepted {
			return reviewOut{Items: pendingOut([]actions.Pending{p}), Reason: answer.Outcome.Why() + ": it stays open"}, err
		}
		choice = actions.Choice(answer.Value)
	}
	done, err := c.Actions.Resolve(ctx, c.by, id, choice, "", attended)
	return reviewOut{Items: []reviewItemOut{}, Resolved: &settledOut{done.ID, string(done.Choice), done.Effect}}, err
}

func pendingOut(pending []actions.Pending) []reviewItemOut {
	out := []reviewItemOut{}
	for _, p := range pending {
		item := reviewItemOut{ID: p.ID, Kind: actionReview, Question: p.Question(), Candidates: []candidateOut{{
			ID: p.Action, Name: p.Tool + "." + p.Operation, Content: string(p.Parameters), SourceOrigin: "session " + p.Session,
			AuthorityLevel: ctxmcp.AuthorityInferred, ValidFrom: Time(p.Since), ValidUntil: Time(p.Until), RecordedAt: Time(p.Since),
		}}}
		for _, choice := range actions.Choices() {
			item.Decisions = append(item.Decisions, string(choice))
		}
		out = append(out, item)
	}
	return out
}
