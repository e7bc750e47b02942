package ranking

import (
	"cmp"
	"maps"
	"slices"

	"github.com/ctx-mcp/ctx-mcp/language"
	"github.com/ctx-mcp/ctx-mcp/language/lexicon"
	"github.com/ctx-mcp/ctx-mcp/language/relations"
)

// The bounds of the words by which a question is searched for beside its own.
const (
	leastNear   = 0.15 // weight of a link that counts
	looseNear   = 0.5  // share of the weight of a link that only says that both are of one field
	mostCommon  = 0.95 // commonness of a word: beyond, any text has it
	leastAsked  = 0.6  // weight of a relation that counts
	tellingWord = 0.3  // weight of a word in which statements tell of a relation
)

// NearTerms returns the terms of words near those of the question, and of words in which statements tell of what it asks about, the nearest
// first and at most most: they bring candidates from a store that is too large to look at all of it, and the ranking judges these.
func (q Question) NearTerms(most int) []string {
	weight := map[string]float64{}
	note := func(word string, w float64) {
		terms := language.Query(word)
		if len(terms) == 1 && !slices.Contains(q.Terms, terms[0]) && lexicon.Look(word).Commonness() < mostCommon {
			weight[terms[0]] = max(weight[terms[0]], w)
		}
	}
	for _, form := range language.Words(q.Text) {
		terms := language.Query(form)
		if len(terms) != 1 || !slices.Contains(q.Terms, terms[0]) {
			continue
		}
		word := lexicon.Look(form)
		rarity := 1 - commonShare*word.Commonness()
		for _, link := range word.Neighbours() {
			w := link.Weight
			if wayOf[link.Channel] == byLoose {
				w *= looseNear
			}
			if w >= leastNear {
				note(link.Word, w*rarity)
			}
		}
	}
	for _, r := range q.relations {
		if r.Weight < leastAsked {
			continue
		}
		for _, word := range relations.Words(r.Name) {
			note(word, tellingWord*r.Weight)
		}
	}
	all := slices.SortedFunc(maps.Keys(weight), func(a, b string) int {
		return cmp.Or(cmp.Compare(weight[b], weight[a]), cmp.Compare(a, b))
	})
	return all[:min(len(all), most)]
}
