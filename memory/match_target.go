package memory

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/language"
	"github.com/ctx-mcp/ctx-mcp/memory/extract"
	"github.com/ctx-mcp/ctx-mcp/memory/ranking"
)

// Bounds of the match between the target of an act and an object.
const (
	holdsTarget  = 0.8 // share of the target's words, weighted by their rarity, that the statement holds
	isTarget     = 0.7 // share of the statement's words that are the target's
	isLiked      = 0.5 // likewise of a taste, which names the kind of its object
	oneStatement = 300 // bytes: a longer text says more than its statement
	mostEffects  = 12  // objects that one act may change; more, and its target is no description
	mostLookedAt = 100 // candidates
)

// matchTarget returns the open objects with the home of o that its act is about. A statement that shares most of the words
// and says something else is left alone.
func (s *writer) matchTarget(
	ctx context.Context, by ctxmcp.Caller, o ctxmcp.ContextObject, act extract.Act, r extract.Reading,
) ([]ctxmcp.ContextObject, error) {
	if act.Before {
		if len(r.Acts) > 1 || len(r.Stances) > 0 { // it points at the text itself
			return nil, nil
		}
		return s.justSaid(ctx, by, o, act)
	}
	q := sameHome(by, o)
	q.Statuses, q.AsOf = []ctxmcp.ContradictionStatus{ctxmcp.Clean}, o.ValidFrom
	t := newTarget(act)
	if len(t.terms) == 0 {
		return nil, nil
	}
	found, err := s.searchSaid(ctx, q, o.Content, slices.Concat(t.terms, t.art), mostLookedAt)
	if err != nil {
		return nil, fmt.Errorf("find the target of an act: %w", err)
	}
	t.rank = ranking.NewBM25(t.terms, found)
	var matched []ctxmcp.ContextObject
	var places []ranking.Place
	for _, c := range found.Candidates {
		if !mayDisplace(o, *c.Object) || t.share(c.Terms) < holdsTarget || c.Object.Author != o.Author || !t.isStatedBy(*c.Object) {
			continue
		}
		matched = append(matched, c.Object.Clone())
		if key := ranking.SessionKey(c.Object); key != "" {
			places = append(places, ranking.Place{Session: key, Position: c.Position + 1}, ranking.Place{Session: key, Position: c.Position + 2})
		}
	}
	if len(matched) == 0 || len(matched) > mostEffects {
		return nil, nil
	}
	return s.withEchoes(ctx, q, o, t, matched, places)
}

// mayDisplace reports whether o may displace held: an object that outranks it stays, and so does one that only tells of an end.
func mayDisplace(o, held ctxmcp.ContextObject) bool {
	return !held.Authority.Outranks(o.Authority) && !held.Ending
}

// withEchoes adds the statements right after the matched objects that end with them: the reasons that their author went on
// to give, and the answer that only repeats them.
func (s *writer) withEchoes(
	ctx context.Context, q Query, o ctxmcp.ContextObject, t target, matched []ctxmcp.ContextObject, places []ranking.Place,
) ([]ctxmcp.ContextObject, error) {
	if len(places) == 0 {
		return matched, nil
	}
	around, err := s.Store.Around(ctx, q, places)
	if err != nil {
		return nil, fmt.Errorf("find what was said of it: %w", err)
	}
	slices.SortFunc(around, func(a, b ranking.Candidate) int { return compareRefs(a.Object, b.Object) })
	for _, c := range around {
		held := slices.ContainsFunc(matched, func(e ctxmcp.ContextObject) bool { return ctxmcp.KeyOf(e) == ctxmcp.KeyOf(*c.Object) })
		if held || !mayDisplace(o, *c.Object) {
			continue
		}
		r := extract.Read(c.Object.Content)
		if givesReason(o, *c.Object, r) || t.isEchoedBy(o, c, r) {
			matched = append(matched, c.Object.Clone())
		}
	}
	return matched, nil
}

// givesReason reports whether held, which reads as r, goes on with a reason of the author of o, and states nothing by itself.
func givesReason(o, held ctxmcp.ContextObject, r extract.Reading) bool {
	return held.Author == o.Author && r.Continues && !standsAlone(r)
}

// isEchoedBy reports whether a candidate, which reads as r, is an answer on lower authority than o that only repeats the
// target: a longer text says more, and so does a number.
func (t target) isEchoedBy(o ctxmcp.ContextObject, c ranking.Candidate, r extract.Reading) bool {
	answers := c.Object.Authority > o.Authority
	short := r.Asides <= 2 && len(c.Object.Content) <= oneStatement
	repeats := t.share(c.Terms) >= holdsTarget && !strings.ContainsAny(c.Object.Content, "0123456789")
	return answers && short && repeats
}

// standsAlone reports whether a text states a thing of its own. A taste may be the reason for another.
func standsAlone(r extract.Reading) bool {
	return slices.ContainsFunc(r.Stances, func(st extract.Stance) bool { return st.Aspect != extract.Liking })
}

// lookBack is the number of statements of its author that an act may point past.
const lookBack = 4

// justSaid returns the object that an act means by "that": the last that its author said in the session and that can be meant, if
// it says one thing only.
func (s *writer) justSaid(
	ctx context.Context, by ctxmcp.Caller, o ctxmcp.ContextObject, act extract.Act,
) ([]ctxmcp.ContextObject, error) {
	before, err := s.saidBefore(ctx, by, o)
	if err != nil {
		return nil, err
	}
	for _, held := range before[:min(len(before), lookBack)] {
		r := extract.Read(held.Content)
		if act.Aspect != extract.Any && !slices.ContainsFunc(r.Stances, func(st extract.Stance) bool { return isAbout(act, st) }) {
			continue // "we moved it" means the last that has a time
		}
		oneThing := len(r.Stances)+r.Asides <= 1
		correction := act.Kind == extract.Replaces && act.Aspect == extract.Any
		if !oneThing || !mayDisplace(o, held) || correction && !corrects(act, held) {
			return nil, nil
		}
		return []ctxmcp.ContextObject{held}, nil
	}
	return nil, nil
}

// corrects reports whether the value of a correction shares most words with held: else it corrects something else.
func corrects(act extract.Act, held ctxmcp.ContextObject) bool {
	terms, shared := language.Query(act.Value), 0
	said := language.Terms(held.Content)
	for _, t := range terms {
		if slices.Contains(said, t) {
			shared++
		}
	}
	return 2*shared >= len(terms)
}

// saidBefore returns the objects that the author of o has said in its session, the latest first.
func (s *writer) saidBefore(ctx context.Context, by ctxmcp.Caller, o ctxmcp.ContextObject) ([]ctxmcp.ContextObject, error) {
	if o.SessionID == "" {
		return nil, nil
	}
	q := sameHome(by, o)
	q.Session, q.Statuses = o.SessionID, []ctxmcp.ContradictionStatus{ctxmcp.Clean}
	said, err := s.Store.Find(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("find what was said before: %w", err)
	}
	said = slices.DeleteFunc(said, func(e ctxmcp.ContextObject) bool { return e.Author != o.Author })
	slices.Reverse(said)
	return said, nil
}
