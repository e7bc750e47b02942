package compiler

import (
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/language"
	"github.com/ctx-mcp/ctx-mcp/language/lexicon"
	"github.com/ctx-mcp/ctx-mcp/memory/change"
)

// awayOrGone matches a statement of somebody who is away, or of something that is no more.
var awayOrGone = language.NewPattern(`(?i)\b%s\b`, language.Standing.Row("absent"))

// mostNews bounds the statements that come for a name in the context alone.
const mostNews = 3

// ofNews lets in what tells that somebody or something which is named by a statement in the prompt has changed since, or is away: the one who signs is on leave,
// the model that was recommended is made no more. Only some forms of inputs know news.
func (s *state) ofNews(asked *question) {
	if !s.in.labelled() {
		return
	}
	var shown, news []*item
	for _, it := range s.items {
		switch {
		case it.drop == nil && it.Kind == KindMemory && !it.standard() && it.Object.Author == "" && (it.tier != Critical || asked.touches(it.Object.Content)):
			shown = append(shown, it)
		case s.notFound(it) && isTold(it) && tellsNews(it.Object):
			news = append(news, it)
		}
	}
	news = slices.DeleteFunc(news, func(it *item) bool {
		names, gone := properNames(it.Object.Content), awayOrGone.MatchString(ctxmcp.Cut(it.Object.Content, mostNeed))
		return !slices.ContainsFunc(shown, func(older *item) bool {
			return (gone || older.Object.ValidFrom.Before(it.Object.ValidFrom)) && sharesName(names, properNames(older.Object.Content))
		})
	})
	slices.SortStableFunc(news, func(a, b *item) int { return b.Object.ValidFrom.Compare(a.Object.ValidFrom) })
	for _, it := range news[:min(len(news), mostNews)] {
		it.drop, it.tier, it.ofRest = nil, Minimal, true
	}
}

// tellsNews reports whether an object says that something changed, or that somebody or something is away.
func tellsNews(o ctxmcp.ContextObject) bool {
	return awayOrGone.MatchString(ctxmcp.Cut(o.Content, mostNeed)) || change.Read(change.Of(o)).Changes()
}

// properNames returns the names in a text: words with a capital, or letters and digits, that few texts hold.
func properNames(text string) (names []string) {
	for _, word := range strings.FieldsFunc(ctxmcp.Cut(text, mostNeed), func(r rune) bool { return strings.ContainsRune(" \n\t.,;:!?()\"", r) }) {
		word = strings.TrimSuffix(strings.TrimSuffix(word, "'s"), "’s")
		form := strings.ToLower(word)
		if form != word && len(form) >= leastName && lexicon.Commonness(form) <= rareName && !inTime(form) {
			names = append(names, form)
		}
	}
	return names
}

// The bounds of a name: its fewest letters, and the commonness of a word of English up to which it is one.
const (
	leastName = 3
	rareName  = 0.3
)

func sharesName(a, b []string) bool {
	return slices.ContainsFunc(a, func(name string) bool { return slices.Contains(b, name) })
}
