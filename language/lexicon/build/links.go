package main

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/language/lexicon/network"
)

const (
	leastShare = .05 // of a meaning that is linked
	// general is the number of synsets that may lie below an ancestor: "entity" or "person" would liken anything to anything.
	general = 4500
	climb   = 5   // steps up to an ancestor
	decay   = .85 // of its weight for each step but the first
	glossed = .5  // the worth of a word of the definition
)

// bounds say which links of a word are kept: the least weight, and the most by channel.
type bounds struct {
	least float64
	most  map[network.Channel]int
}

// tagged is for a word that the tagged texts have, untagged for one that they lack: it is rare, or younger than the texts, as
// are four words in five.
var (
	tagged = bounds{.15, map[network.Channel]int{
		network.Synonym: 14, network.Ancestor: 10, network.Gloss: 8, network.Related: 8, network.Antonym: 4,
	}}
	untagged = bounds{.25, map[network.Channel]int{
		network.Synonym: 7, network.Ancestor: 5, network.Gloss: 2, network.Related: 3, network.Antonym: 2,
	}}
)

// pointers are the pointers of WordNet by which words are linked, with the channel and the worth of a link: a
// derivation nearly means the same, a similar adjective half of it. "@" and "@i" lead to ancestors, and "~" back.
var pointers = map[string]struct {
	channel network.Channel
	worth   float64
}{
	"+": {network.Synonym, .9}, "\\": {network.Synonym, .8}, "<": {network.Synonym, .8}, "$": {network.Synonym, .8}, "&": {network.Synonym, .5},
	"!":  {network.Antonym, 1},
	"#m": {network.Related, .6}, "#s": {network.Related, .6}, "#p": {network.Related, .6},
	"%m": {network.Related, .6}, "%s": {network.Related, .6}, "%p": {network.Related, .6},
	"*": {network.Related, .6}, ">": {network.Related, .6}, "=": {network.Related, .6}, "^": {network.Related, .6},
	";c": {network.Related, .4}, "-c": {network.Related, .4},
}

// definitionWords are words of the language of definitions that the limit of their frequency leaves in.
var definitionWords = strings.Fields(`along also another away back become before between can cause certain consist contain do etc
	especially form general give go have include kind later less like make manner many marked member more not object often old
	particular part perform person place position produce put quality relate resemble several similar small so some something state
	such suitable take thing type typically up use usually various very way when`)

// linker makes the links of words.
type linker struct {
	*book
	below    map[synsetID]int // how many synsets lie below one
	children map[synsetID][]synsetID
	definers map[synsetID][]string // the words of a gloss
	rarity   map[string]float64    // of a word in glosses, 0 to 1
}

func newLinker(b *book) *linker {
	l := &linker{book: b, below: map[synsetID]int{}, children: map[synsetID][]synsetID{}}
	for id, s := range b.synsets {
		for _, p := range s.pointers {
			if up(p) {
				l.children[p.to] = append(l.children[p.to], id)
			}
		}
	}
	l.define()
	return l
}

func up(p pointer) bool { return p.symbol == "@" || p.symbol == "@i" }

// links returns the links of a word: those of a channel by weight, the heaviest first, each word once.
func (l *linker) links(word string) []network.Link {
	found := map[network.Channel]map[string]float64{}
	for c := range tagged.most {
		found[c] = map[string]float64{}
	}
	for _, m := range l.meanings[word] {
		if m.share >= leastShare {
			l.same(word, m, found[network.Synonym])
			l.point(word, m, found)
			l.ascend(m, m.synset, 1, found[network.Ancestor])
			l.gloss(m, found[network.Gloss])
		}
	}
	kept := tagged
	if l.tags[word] == 0 {
		kept = untagged
	}
	var all []network.Link
	for c := network.Synonym; c <= network.Antonym; c++ {
		links := strongest(word, c, found[c], kept.least)
		all = append(all, links[:min(len(links), kept.most[c])]...)
	}
	return all
}

// strongest returns the links of a channel, the heaviest first.
func strongest(word string, c network.Channel, weights map[string]float64, least float64) []network.Link {
	var all []network.Link
	for _, other := range slices.Sorted(maps.Keys(weights)) {
		if w := min(1, weights[other]); w >= least && other != word {
			all = append(all, network.Link{Word: other, Channel: c, Weight: w})
		}
	}
	slices.SortStableFunc(all, func(a, b network.Link) int { return cmp.Compare(b.Weight, a.Weight) })
	return all
}

// same adds the other words of a meaning. The sum over the meanings is the Bhattacharyya coefficient of the two words'
// distributions over meanings: 1 where they are used alike.
func (l *linker) same(word string, m meaning, into map[string]float64) {
	for _, other := range l.members[m.synset] {
		into[other] += l.overlap(m, other, m.synset)
	}
}

// overlap returns the geometric mean of the shares of a meaning, and of a meaning of another word.
func (l *linker) overlap(m meaning, other string, its synsetID) float64 {
	return math.Sqrt(m.share * l.share[other][its])
}

// point follows the pointers of a meaning.
func (l *linker) point(word string, m meaning, found map[network.Channel]map[string]float64) {
	s := l.synsets[m.synset]
	for _, p := range s.pointers {
		kind, used := pointers[p.symbol]
		if !used || p.fromWord > 0 && !strings.EqualFold(s.words[p.fromWord-1], word) {
			continue
		}
		for _, other := range l.targets(p) {
			w := kind.worth * l.overlap(m, other, p.to)
			found[kind.channel][other] = max(found[kind.channel][other], w)
		}
	}
}

// targets returns the words of the table that a pointer leads to.
func (l *linker) targets(p pointer) []string {
	if p.toWord == 0 {
		return l.members[p.to]
	}
	word := strings.ToLower(l.synsets[p.to].words[p.toWord-1])
	if l.share[word][p.to] == 0 {
		return nil
	}
	return []string{word}
}

// ascend adds the ancestors of a meaning that are not too general.
func (l *linker) ascend(m meaning, from synsetID, distance int, into map[string]float64) {
	if distance > climb {
		return
	}
	for _, p := range l.synsets[from].pointers {
		if !up(p) || l.count(p.to) > general {
			continue
		}
		for _, other := range l.members[p.to] {
			w := l.overlap(m, other, p.to) * math.Pow(decay, float64(distance-1)) * l.telling(p.to)
			into[other] = max(into[other], w)
		}
		l.ascend(m, p.to, distance+1, into)
	}
}

// count returns the number of synsets that lie below one.
func (l *linker) count(id synsetID) int {
	if n, known := l.below[id]; known {
		return n
	}
	seen := map[synsetID]bool{}
	for open := []synsetID{id}; len(open) > 0; {
		next := open[len(open)-1]
		open = open[:len(open)-1]
		if !seen[next] {
			seen[next] = true
			open = append(open, l.children[next]...)
		}
	}
	l.below[id] = len(seen) - 1
	return l.below[id]
}

// telling returns how much it says that something is of a kind, from 1 down to 0 for a kind of everything: the root of the
// information content (Resnik 1995), where each synset below counts once.
func (l *linker) telling(kind synsetID) float64 {
	return math.Sqrt(1 - math.Log(float64(1+l.count(kind)))/math.Log(float64(len(l.synsets))))
}

// define reads the glosses: the words of each definition, and how rare a word is in them.
func (l *linker) define() {
	l.definers, l.rarity = map[synsetID][]string{}, map[string]float64{}
	bases := map[string]string{}
	counts := map[string]int{}
	for id, s := range l.synsets {
		definition, _, _ := strings.Cut(s.gloss, `"`) // an example follows
		var words []string
		for _, form := range strings.FieldsFunc(strings.ToLower(definition), func(r rune) bool { return (r < 'a' || r > 'z') && r != '-' }) {
			base, known := bases[form]
			if !known {
				base = l.base(form)
				bases[form] = base
			}
			if len(base) > 2 && !slices.Contains(definitionWords, base) && !slices.Contains(words, base) {
				words = append(words, base)
				counts[base]++
			}
		}
		l.definers[id] = words
	}
	all := float64(len(l.synsets))
	for word, n := range counts {
		if float64(n) < all/100 { // a word in more than one definition of a hundred defines nothing
			l.rarity[word] = min(1, math.Log(all/float64(n))/math.Log(all/10))
		}
	}
}

// gloss adds the words of the definition of a meaning.
func (l *linker) gloss(m meaning, into map[string]float64) {
	for _, other := range l.definers[m.synset] {
		if r := l.rarity[other]; r > 0 {
			into[other] = max(into[other], glossed*math.Sqrt(m.share)*r)
		}
	}
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
