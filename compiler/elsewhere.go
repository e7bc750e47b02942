package compiler

import (
	"cmp"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/language"
	"github.com/ctx-mcp/ctx-mcp/language/lexicon"
	"github.com/ctx-mcp/ctx-mcp/memory/later"
)

// another matches a statement that says that it is of another place than the one at hand.
var another = language.NewPattern(`(?i)\b%s\b`, language.Elsewhere.Row("place"))

// beside matches a thing beside the one at hand, with its name: "My other film, Ferryman".
var beside = language.NewPattern(`\b(?i:%s) [\pL-]+(?:,? \p{Lu}[\pL-]+)*`, language.Elsewhere.Row("beside"))

// named matches a place that a statement begins with and tells apart: "In the Bolzano branch", "At my sister's shop", "The branch in Bruges".
var named = language.NewPattern(`^(?:(?i:at|for|in|on|with|within) (?i:the|my|our|his|her|their) (?:[\pL-]+ )?(?:(?:\p{Lu}[\pL-]+|\pL+['’]s) ){1,2}(?:%s)\b|`+
	`(?i:(?:at |for |in |on )?(?:the|our)) (?:%s) (?:at|in|of|on) \p{Lu}[\pL-]+)`, language.Elsewhere.Row("kind"), language.Elsewhere.Row("kind"))

// placed matches the place that a statement begins with: "In the blog generator, ", "At Tarn we ".
var placed = language.NewPattern(`^(?i:at|for|in|with|within) ([^,.;:]{3,60}), `)

// leaveElsewhere leaves out statements of another place than the step. Constraints and rules stay, and all that the question surely asks for. Older forms of
// inputs know no places.
func (s *state) leaveElsewhere(asked *question) {
	if !s.in.filled() {
		return
	}
	for _, it := range s.live() {
		if it.Kind == KindMemory && it.tier != Critical && !it.standard() && it.Object.Author == "" && it.Relevance < sure && asked.elsewhere(it.Object.Content, s.in.labelled()) {
			it.tier = Irrelevant
			s.omit(it, IrrelevantTask, "", "it is of another place than the step")
		}
	}
}

// elsewhere reports whether a text is of another place than the step: it says so, or begins with a place, and no word of either is in play. Only some forms
// of inputs know the places that a name tells apart.
func (q *question) elsewhere(text string, byName bool) bool {
	place := ""
	if m := placed.FindStringSubmatch(text); m != nil {
		place = m[1]
	}
	if another.MatchString(text) {
		place = text // any word of it calls for it
	}
	if place == "" && byName {
		place = cmp.Or(named.FindString(text), beside.FindString(text))
	}
	if place == "" {
		return false
	}
	names := false
	for _, w := range lexicon.Words(place) {
		if !later.Naming(w) || inTime(w.Form()) {
			continue
		}
		names = true
		if q.said[w.Term()] {
			return false
		}
	}
	return names
}

// inTime reports whether a word names a time, and no place.
func inTime(word string) bool {
	return language.Months.Has(word) || language.Weekdays.Has(strings.TrimSuffix(word, "s"))
}
