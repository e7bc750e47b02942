package memory

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/language"
	"github.com/ctx-mcp/ctx-mcp/memory/ranking"
)

// withWords puts the memories that hold the words of the ask before those that a recall has found. If the ask is about the
// asker, memories about others stand last. If none holds the words, ended memories that hold the names in them stand behind those of the recall.
func (s *recaller) withWords(ctx context.Context, by ctxmcp.Caller, ask Ask, r *Recalled) error {
	asked := s.read(ask)
	found, err := s.holding(ctx, by, ask, asked)
	if err != nil {
		return err
	}
	words := asked.Sought()
	exact, named := []Memory{}, []Memory{}
	for _, m := range found {
		switch {
		case holdsEach(m.Object, words):
			exact = append(exact, m)
		case m.Ended || !m.Object.Valid().Contains(s.now()):
			named = append(named, m)
		}
	}
	exact = exact[:min(len(exact), mostMeant)]
	if len(exact) > 0 {
		named, r.Unsure = nil, false
	}
	all := Recalled{Memories: slices.Concat(exact, named[:min(len(named), mostMeant)])}
	if err := s.shownIn(ctx, by.Tenant, &all, ask); err != nil {
		return err
	}
	r.Memories = firstOfEach(slices.Concat(all.Memories[:len(exact)], r.Memories, all.Memories[len(exact):]))
	slices.SortStableFunc(r.Memories, func(a, b Memory) int {
		return compareBools(asked.IsOfAnother(a.Object), asked.IsOfAnother(b.Object))
	})
	return nil
}

// holding returns the memories of which a version holds each of the words of the question, or each name in it, whatever their fate: held
// ones before ended ones, the newest first. The version of each is the last that holds them.
func (s *recaller) holding(ctx context.Context, by ctxmcp.Caller, ask Ask, asked ranking.Question) ([]Memory, error) {
	words, names := asked.Sought(), asked.NameTerms()
	if len(words) == 0 {
		return nil, nil
	}
	q, _, err := s.recallQuery(by, ask)
	if err != nil {
		return nil, err
	}
	q.AsOf, q.Statuses, q.EveryVersion, q.Archived = time.Time{}, nil, true, true
	found, err := s.searchSaid(ctx, q, ask.Query, words, pool)
	if err != nil {
		return nil, fmt.Errorf("search by words: %w", err)
	}
	var versions []ctxmcp.ContextObject
	for _, c := range found.Candidates {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if !q.Match(*c.Object) { // the store has been wrong: that is a fault, never a leak
			return nil, fmt.Errorf("store returned %s, which the query does not select", c.Object.ObjectID)
		}
		if holdsEach(*c.Object, words) || len(names) > 0 && holdsEach(*c.Object, names) {
			versions = append(versions, c.Object.Clone())
		}
	}
	all, err := s.lastOfEach(ctx, q, versions)
	for i, m := range all {
		all[i].Tokens = s.price(ask, m.Object)
	}
	return all, err
}

// lastOfEach returns the last of the versions of each object, and says which of the objects have ended.
func (s *recaller) lastOfEach(ctx context.Context, q Query, versions []ctxmcp.ContextObject) ([]Memory, error) {
	if len(versions) == 0 {
		return nil, nil
	}
	slices.SortFunc(versions, func(a, b ctxmcp.ContextObject) int { return Compare(b, a) })
	var all []Memory
	for _, o := range versions {
		all = append(all, Memory{Object: o, Ended: true})
		q.ObjectIDs = append(q.ObjectIDs, o.ObjectID)
	}
	all = firstOfEach(all)
	q.EveryVersion = false
	open, err := s.Store.Find(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("find what is held: %w", err)
	}
	if err := q.selects(open); err != nil {
		return nil, err
	}
	held := map[string]bool{}
	for _, o := range open {
		held[o.ObjectID] = true
	}
	for i, m := range all {
		all[i].Ended = !held[m.Object.ObjectID]
	}
	slices.SortStableFunc(all, func(a, b Memory) int { return compareBools(a.Ended, b.Ended) })
	return all, nil
}

// firstOfEach returns the memories without those of an object that stands before.
func firstOfEach(all []Memory) []Memory {
	seen := map[string]bool{}
	return slices.DeleteFunc(all, func(m Memory) bool {
		again := seen[m.Object.ObjectID]
		seen[m.Object.ObjectID] = true
		return again
	})
}

// holdsEach reports whether the words of an object, or of its claim, have each of the terms.
func holdsEach(o ctxmcp.ContextObject, terms []string) bool {
	held := map[string]bool{}
	for _, text := range []string{o.Content, o.Claim.Subject, ctxmcp.Normalize(o.Claim.Predicate), o.Claim.Value} {
		for _, t := range language.Terms(text) {
			held[t] = true
		}
	}
	return !slices.ContainsFunc(terms, func(t string) bool { return !held[t] })
}

// compareBools orders false before true.
func compareBools(a, b bool) int {
	number := map[bool]int{true: 1}
	return cmp.Compare(number[a], number[b])
}
