package change

import (
	"slices"
	"strings"
	"sync"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// phrase is a phrase of a table, word by word. A gap stands for up to mostBetween words.
type phrase struct {
	row   string
	words []string
}

const (
	gap         = "_"
	mostBetween = 4
)

// phrases finds the phrases of a table in a text without looking at each of them: by their first word.
type phrases struct {
	byFirst map[string][]phrase
}

// newPhrases reads a table; key maps a word as it is compared.
func newPhrases(table *language.Table, key func(string) string) *phrases {
	p := &phrases{byFirst: map[string][]phrase{}}
	for _, r := range table.Rows() {
		for _, entry := range r.Words {
			for _, variant := range expand(entry) {
				words := strings.Fields(variant)
				for i, w := range words {
					if w != gap {
						words[i] = key(w)
					}
				}
				p.byFirst[words[0]] = append(p.byFirst[words[0]], phrase{r.Head, words})
			}
		}
	}
	return p
}

// expand writes "(a|b) c" as "a c" and "b c".
func expand(entry string) []string {
	open, end := strings.IndexByte(entry, '('), strings.IndexByte(entry, ')')
	if open < 0 || end < open {
		return []string{entry}
	}
	var all []string
	for _, option := range strings.Split(entry[open+1:end], "|") {
		all = append(all, expand(entry[:open]+option+entry[end+1:])...)
	}
	return all
}

// hit is a phrase in a text.
type hit struct {
	row      string
	from, to int   // tokens, to after the last
	at       []int // those of the phrase, without what stands in its gap
}

// find returns the phrases in the words, those of one row that overlap once: the longest.
func (p *phrases) find(words []string) []hit {
	var all []hit
	for i, w := range words {
		starting := p.byFirst[w]
		for k := range starting {
			if at := starting[k].match(words, i); at != nil {
				all = append(all, hit{starting[k].row, i, at[len(at)-1] + 1, at})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b hit) int { return (b.to - b.from) - (a.to - a.from) })
	kept := all[:0] // it never has more than was looked at
	for i := range all {
		h := all[i]
		inside := func(k hit) bool { return k.row == h.row && h.from >= k.from && h.to <= k.to }
		if !slices.ContainsFunc(kept, inside) {
			kept = append(kept, h)
		}
	}
	return kept
}

// match returns the places of the words of the phrase where it begins at i, or nil.
func (p *phrase) match(words []string, i int) []int {
	if len(p.words) == 1 {
		return []int{i}
	}
	if p.words[1] != gap && (i+1 >= len(words) || words[i+1] != p.words[1]) {
		return nil
	}
	places := make([]int, 0, len(p.words))
	for n, w := range p.words {
		if w == gap {
			next := slices.Index(words[min(len(words), i):min(len(words), i+mostBetween+1)], p.words[n+1])
			if next < 0 {
				return nil
			}
			i += next
			continue
		}
		if i >= len(words) || words[i] != w {
			return nil
		}
		places = append(places, i)
		i++
	}
	return places
}

// changeWords finds words of change, as they are written, and matters the words of matters, by their terms.
var (
	changeWords = sync.OnceValue(func() *phrases { return newPhrases(language.Changes, func(w string) string { return w }) })
	matters     = sync.OnceValue(func() *phrases { return newPhrases(language.Matters, termOr) })
)

// light are the terms of verbs that say little: a thing that ends is named without them.
var light, unspecific = language.Changes.Row("linking").Terms(), language.Unspecific.Terms()

// measuring are the terms of words for times and counts: two statements that share one of them alone are of different things.
var measuring = language.Changes.Row("measuring").Terms()

// termOr returns the term of a word, or the word if it is a stop word.
func termOr(w string) string {
	if t := language.Term(w); t != "" {
		return t
	}
	return w
}
