package memory

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory/change"
)

// This file is of changes that are yet to come: "the rent goes up in January". Until then the older statement holds, and the newer one is shown behind it.

// setIn gives the plan's object the valid time that its words name, if they change something that is held from a later day on, and returns the effects
// and lines that are carried out: none for a change that is to come on no day that is named. A caller that gives a valid time has said it all.
func (p *plan) setIn(d Draft, conflicting []ctxmcp.ContextObject, effects []effect, l lines) ([]effect, lines) {
	if !d.ValidFrom.IsZero() || d.Supersedes != "" {
		return effects, l
	}
	newer := p.reading()
	if !change.ToCome(newer) {
		return effects, l
	}
	var from time.Time
	begins := func(older *change.Reading) bool {
		day, coming := change.Begins(older, newer)
		if !day.IsZero() {
			from = day
		}
		return coming && day.IsZero()
	}
	effects = slices.DeleteFunc(effects, func(e effect) bool { return begins(e.reading()) })
	l.sure = slices.DeleteFunc(l.sure, func(e effect) bool { return begins(e.reading()) })
	l.likely = slices.DeleteFunc(l.likely, func(r related) bool { return begins(r.said) })
	for _, o := range conflicting {
		begins(change.Read(change.Of(o)))
	}
	if from.After(p.object.ValidFrom) && (p.object.ValidUntil.IsZero() || p.object.ValidUntil.After(from)) {
		p.object.ValidFrom = from
		p.comes = true
	}
	return effects, l
}

// holdsUntil reports whether a displaced object holds until the plan's object begins, on a day yet to come.
func (p *plan) holdsUntil(o ctxmcp.ContextObject) bool {
	return p.comes && o.ValidFrom.Before(p.object.ValidFrom)
}

// withComing puts the coming statement behind each candidate that holds until a day, or may be outdated from one on. It is held, and has not begun.
// A memory whose valid time is its caller's, and not that of its words, is told from that time on only.
func (s *recaller) withComing(ctx context.Context, q Query, candidates []Memory, next map[string]string) ([]Memory, error) {
	if len(next) == 0 {
		return candidates, nil
	}
	ahead := q
	ahead.AsOf, ahead.Types, ahead.Before, ahead.Limit, ahead.ObjectIDs = time.Time{}, nil, nil, 0, nil
	for _, id := range next {
		ahead.ObjectIDs = append(ahead.ObjectIDs, id)
	}
	slices.Sort(ahead.ObjectIDs)
	found, err := s.Store.Find(ctx, ahead)
	if err != nil {
		return nil, fmt.Errorf("find what is to come: %w", err)
	}
	coming := map[string]ctxmcp.ContextObject{}
	for _, o := range found {
		if o.ValidFrom.After(q.AsOf) && ahead.Match(o) && !isClaimed(o) && change.ToCome(change.Read(change.Of(o))) {
			coming[o.ObjectID] = o
		}
	}
	var all []Memory
	for _, m := range candidates {
		all = append(all, m)
		if o, held := coming[next[m.Object.ObjectID]]; held {
			delete(coming, o.ObjectID)
			m.Object = o
			all = append(all, m)
		}
	}
	return all, nil
}

// nextOf returns the ids of the memories that may come after candidates, by theirs: the one that an end was set for, and the one that set a mark.
func nextOf(q Query, candidates []Memory) map[string]string {
	next := map[string]string{}
	for i := range candidates {
		o := &candidates[i].Object
		switch {
		case o.ValidUntil.After(q.AsOf) && o.LinkNow() != "":
			next[o.ObjectID] = o.LinkNow()
		case o.MaybeOutdatedBy != "":
			next[o.ObjectID] = o.MaybeOutdatedBy
		}
	}
	return next
}
