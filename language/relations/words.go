package relations

import (
	"slices"
	"sync"
)

// Words returns the single words by which statements tell of a relation, in the order of its forms: by them such statements are searched
// for. It returns none for a name that is of no relation.
func Words(name string) []string { return tellingWords()[name] }

var tellingWords = sync.OnceValue(func() map[string][]string {
	words := map[string][]string{}
	for _, r := range all().relations {
		for _, f := range r.tells {
			if len(f.elements) != 1 {
				continue
			}
			for _, w := range f.elements[0].words {
				if w != numeral && !slices.Contains(words[r.name], w) {
					words[r.name] = append(words[r.name], w)
				}
			}
		}
	}
	return words
})
