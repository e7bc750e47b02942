package memory

import (
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/language"
	"github.com/ctx-mcp/ctx-mcp/memory/extract"
	"github.com/ctx-mcp/ctx-mcp/memory/ranking"
)

// target is the target of an act, in terms.
type target struct {
	act   extract.Act
	terms []string
	art   []string     // of a taste: words for the kind of work or activity, which need not be said again
	rank  ranking.BM25 // of the terms, by their rarity where it is looked for
}

func newTarget(act extract.Act) target {
	t := target{act: act}
	for _, term := range language.Query(act.Target) {
		switch {
		case act.Aspect == extract.Liking && ranking.IsGenre(term):
			t.art = append(t.art, term)
		case !unspecific.Has(term):
			t.terms = append(t.terms, term)
		}
	}
	if len(t.terms) == 0 { // "I used to like music": that is all it says
		t.terms, t.art = t.art, nil
	}
	return t
}

// share returns how much of the target a document holds, by weight of the terms, in [0, 1].
func (t target) share(doc []string) float64 {
	held, all := 0.0, 0.0
	for _, term := range t.terms {
		all += t.rank.Weight(term)
		if slices.Contains(doc, term) {
			held += t.rank.Weight(term)
		}
	}
	if all == 0 {
		return 0
	}
	return held / all
}

// isStatedBy reports whether the object states the target, and little else: one that says more is not ended with it.
func (t target) isStatedBy(o ctxmcp.ContextObject) bool {
	r := extract.Read(o.Content)
	if len(o.Content) > oneStatement || r.Asides > 2 || len(r.Stances) > 2 {
		return false
	}
	for _, st := range r.Stances {
		if isAbout(t.act, st) && t.isNamedBy(st.Value) {
			return true
		}
	}
	return false
}

// isNamedBy reports whether a value names the target: it holds the target's words, and most of its own are the target's.
func (t target) isNamedBy(value string) bool {
	terms := language.Terms(value)
	if t.share(terms) < holdsTarget {
		return false
	}
	own, shared := 0, 0
	for _, term := range language.Query(value) {
		switch {
		case t.act.Aspect == extract.Liking && ranking.IsGenre(term):
		case slices.Contains(t.terms, term):
			own, shared = own+1, shared+1
		case unspecific.Has(term), t.act.Aspect == extract.Event && strings.ContainsAny(term, "0123456789"): // the day that is to change
		default:
			own++
		}
	}
	floor := isTarget
	if t.act.Aspect == extract.Liking {
		floor = isLiked
	}
	return float64(shared) >= floor*float64(own) && !ranking.GenresDiffer(t.art, terms)
}

// isAbout reports whether an act is about the matter of a stance.
func isAbout(act extract.Act, st extract.Stance) bool {
	switch act.Aspect {
	case extract.Any:
		return true
	case extract.Liking:
		return st.Aspect == extract.Liking && st.Against == act.Against
	case extract.Event:
		return st.Aspect == extract.Event || st.Aspect == extract.Task
	case extract.Task:
		return st.Aspect == extract.Task || st.Aspect == extract.Event && !act.Weak
	default:
		return st.Aspect == act.Aspect
	}
}

// unspecific holds the terms of words that describe no target: its kind, and its time.
var unspecific = language.Unspecific.Terms()
