package tools

import (
	"context"
	"errors"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
)

// decide asks the user to decide a review in place, and carries the answer out at once. Without a decision it returns no
// Settled and the reason. done is what once must not do again.
func (c call) decide(ctx context.Context, item memory.ReviewItem, done any) (settled *memory.Settled, why string, err error) {
	if c.by.Authority > ctxmcp.AuthorityUser {
		return nil, "this caller may not decide for the user", nil
	}
	answer, err := c.ask(ctx, item.Asked(), done)
	if err != nil || answer.Outcome != ctxmcp.Accepted {
		return nil, answer.Outcome.Why(), err
	}
	s, err := c.Memory.Settle(ctx, c.by, item.ID, answer.Value)
	if err != nil {
		return nil, "", err
	}
	return &s, "", nil
}

// resolveInPlace asks the user to decide a review now. Without a decision it returns the review and the reason.
func (c call) resolveInPlace(ctx context.Context, id string) (reviewOut, error) {
	item, err := c.Memory.Review(ctx, c.by, id)
	if err != nil {
		return reviewOut{}, err
	}
	settled, why, err := c.decide(ctx, item, nil)
	switch {
	case err != nil:
		return reviewOut{}, err
	case settled == nil:
		return reviewOut{Items: itemsOut([]memory.ReviewItem{item}), Reason: why + ": it stays open"}, nil
	default:
		return reviewOut{Items: []reviewItemOut{}, Resolved: resolvedOut(*settled)}, nil
	}
}

// decideAbout asks the user about the contradiction that a new memory ran into. The memory is stored by then: a
// missing decision is no error, and the answer says why the review stays open.
func (c call) decideAbout(ctx context.Context, r memory.Remembered) (memory.Remembered, error) {
	item, err := c.Memory.Review(ctx, c.by, r.Review)
	if err != nil {
		return c.undecided(ctx, r, err), nil
	}
	settled, why, err := c.decide(ctx, item, r)
	switch {
	case errors.Is(err, ctxmcp.ErrAsking):
		return r, err
	case err != nil:
		return c.undecided(ctx, r, err), nil
	case settled == nil:
		r.Reason += "; " + why + ": review " + r.Review + " stays open"
		return r, nil
	default:
		return r.Decided(item, *settled), nil
	}
}

// undecided adds to the answer that the review could not be decided. The cause is for the log.
func (c call) undecided(ctx context.Context, r memory.Remembered, err error) memory.Remembered {
	if ctxmcp.CodeOf(err) == ctxmcp.CodeNotFound {
		r.Reason += "; review " + r.Review + " is not open any more"
		return r
	}
	c.report(ctx, "remember", err)
	r.Reason += "; the user could not decide it: review " + r.Review + " stays open"
	return r
}
