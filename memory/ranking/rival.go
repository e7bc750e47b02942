package ranking

import (
	_ "embed" // for rival.tsv
	"math"
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/language"
	"github.com/ctx-mcp/ctx-mcp/language/lexicon"
	table "github.com/ctx-mcp/ctx-mcp/weights"
)

//go:embed rival.tsv
var rivalRows string

// A rival of a statement is a later one that answers the same question otherwise: of two that tell a value of one attribute of one thing, the later
// one holds. They may share no word: the question ties them together, by the kind of value that it asks for and by what it is about.

// rivalry is one reason to take a later candidate for a rival of an earlier one.
type rivalry struct {
	name  string // of its row in rival.tsv
	doc   string
	value func(*Evidence, scored, scored) float64 // of the older candidate and the newer one
}

// rivalries is the probability of a rival: the sum of the values, weighted by the rows of rival.tsv, is the logarithm of the odds.
var rivalries = [...]rivalry{
	{"bias", "of any two", func(*Evidence, scored, scored) float64 { return 1 }},
	{"change", "probability that the newer one changes the older one by their words alone", func(e *Evidence, o, n scored) float64 {
		return e.weighed(o.number).Changed(e.weighed(n.number)).Probability
	}},
	{"changes", "the newer one says that something has changed", func(e *Evidence, _, n scored) float64 { return yes(e.texts[n.number].change().Changes()) }},
	{"alike", "share of the words of the shorter that the other has, or words of the same meaning", (*Evidence).alike},
	{"common", "weight of the rarest word in common", func(e *Evidence, o, n scored) float64 {
		return e.texts[o.number].change().Common(e.texts[n.number].change(), e.weigh)
	}},
	{"other value", "values of one kind, and none in common", func(e *Evidence, o, n scored) float64 {
		return yes(e.texts[o.number].change().Differs(e.texts[n.number].change()))
	}},
	{"value", "both have a value of the kind that the question asks for", (*Evidence).bothShow},
	{"no value", "the newer one has none", func(e *Evidence, _, n scored) float64 { return e.unanswered(n.number) }},
	{"relation", "both tell of what the question asks about", func(e *Evidence, o, n scored) float64 {
		return min(e.related[o.number], e.related[n.number])
	}},
	{"fit", "share of the question that the newer one holds", func(e *Evidence, _, n scored) float64 { return e.fit(n.number) }},
	{"older fit", "and the older one", func(e *Evidence, o, _ scored) float64 { return e.fit(o.number) }},
	{"topic", "share of the question that words of its topic stand for in the newer one", func(e *Evidence, _, n scored) float64 { return e.words[n.number].topic }},
	{"behind", "how far the newer one stands behind by its score, as far as three", func(_ *Evidence, o, n scored) float64 {
		return min(3, max(0, o.score-n.score))
	}},
	{"beside", "the newer one says that it stands beside, or is a wish, or tells of an occasion", func(e *Evidence, _, n scored) float64 {
		return yes(e.texts[n.number].change().Beside())
	}},
	{"another", "they are about different persons", func(e *Evidence, o, n scored) float64 {
		a, b := aboutWhom(e.found.Candidates[o.number].Terms), aboutWhom(e.found.Candidates[n.number].Terms)
		return yes(a != unknown && b != unknown && a != b)
	}},
	{"concluded", "an agent concluded that something has changed that somebody said", func(e *Evidence, o, n scored) float64 {
		return yes(e.inferred(n.number) > e.inferred(o.number))
	}},
	{"whole", "the older one holds all words of the question, and the newer one does not", func(e *Evidence, o, n scored) float64 {
		return yes(e.words[o.number].held > allHeld && e.words[n.number].held <= allHeld)
	}},
	{"lost", "share of the names in the question that the older one holds and the newer one lacks", (*Evidence).lost},
	{"was", "the question is in the past tense, or names a time that is over", func(e *Evidence, _, _ scored) float64 { return yes(e.q.wasSo) }},
	{"changes alike", "a change, of something alike", func(e *Evidence, o, n scored) float64 {
		return yes(e.texts[n.number].change().Changes()) * e.alike(o, n)
	}},
}

func yes(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// rivalWeights are those of rival.tsv, in the order of rivalries.
var rivalWeights = table.MustInOrder(rivalRows, RivalNames())

// RivalNames returns the names of the rows of rival.tsv.
func RivalNames() []string {
	var names []string
	for _, r := range rivalries {
		names = append(names, r.name)
	}
	return names
}

// RivalWeights returns the weights in use, in the order of RivalNames.
func RivalWeights() []float64 { return slices.Clone(rivalWeights) }

// The bounds of the pairs that are looked at: an earlier statement in one of the first places, and a later one among so many behind it, and
// among those for which nothing speaks.
const (
	mayYield    = 4
	mayRival    = 14
	mayBeSilent = 60
)

// fromRival is the probability from which a rival stands before the statement that it outdates: to be told the newer one first where both hold
// costs less than to be told only what was.
const fromRival = 0.33

// Pair is an earlier candidate that stands before a later one, by their numbers, with the values of RivalNames.
type Pair struct {
	Older, Newer int
	Values       []float64
}

// JudgeRivalsBy makes the evidence rank rivals by other weights than those in use, in the order of RivalNames.
func (e *Evidence) JudgeRivalsBy(weights []float64) { e.rivals = weights }

// PairsBy returns the pairs of candidates in the order by the weights, out of which rivals are found: for the program that fits them.
func (e *Evidence) PairsBy(weights []float64) []Pair {
	var all []Pair
	totals, _ := e.totals(weights)
	ranked, behind := e.arrange(e.order(totals)), e.silent(totals)
	for place := range min(len(ranked), mayYield) {
		for _, n := range e.laterThan(ranked, behind, place) {
			all = append(all, Pair{ranked[place].number, n.number, e.rivalValues(ranked[place], n)})
		}
	}
	return all
}

// silent returns the candidates for which nothing speaks by themselves and which say that something has changed, out of the best of them: a later
// statement may answer in other words than the question and than the statement that it outdates.
func (e *Evidence) silent(totals []float64) (all []scored) {
	for i, total := range totals {
		if e.texts[i] != nil && !e.evident(i) {
			all = append(all, scored{number: i, object: e.found.Candidates[i].Object, score: total})
		}
	}
	slices.SortFunc(all, better)
	all = slices.DeleteFunc(all[:min(len(all), mayBeSilent)], func(s scored) bool { return !e.texts[s.number].change().Changes() })
	return all[:min(len(all), mayRival)]
}

// laterThan returns the candidates behind the one at a place that were told later and may be its rivals.
func (e *Evidence) laterThan(ranked, silent []scored, place int) (all []scored) {
	older := ranked[place]
	if place >= mayYield || e.texts[older.number] == nil || e.fit(older.number)+e.related[older.number] == 0 {
		return nil
	}
	may := func(newer scored) bool {
		return e.texts[newer.number] != nil && newer.object.ObjectID != older.object.ObjectID && e.told(older.number).Before(e.told(newer.number)) &&
			e.texts[newer.number].change().MayRival(e.texts[older.number].change()) && !e.guesses(newer, older) && !e.namesLess(newer, older) &&
			!e.holdsOnOver(older.number, newer.number)
	}
	for _, newer := range ranked[place+1 : min(len(ranked), place+1+mayRival)] {
		if may(newer) && e.tied(older, newer) {
			all = append(all, newer)
		}
	}
	for _, newer := range silent {
		if may(newer) && e.tied(older, newer) && e.alike(older, newer) > 0 {
			all = append(all, newer)
		}
	}
	return all
}

// guesses reports whether the newer candidate is a conclusion of an agent, and the older one a limit that a person told: an allergy does not end by a
// conclusion.
func (e *Evidence) guesses(newer, older scored) bool {
	return e.inferred(newer.number) > 0 && older.object.Authority <= ctxmcp.AuthorityUser && e.texts[older.number].limit().Weight > 0
}

// namesLess reports whether the newer candidate holds one name of the question and lacks another that the older one holds: it tells of somebody
// else of that first name.
func (e *Evidence) namesLess(newer, older scored) bool {
	holds := func(s scored, name string) bool { return slices.Contains(e.found.Candidates[s.number].Terms, name) }
	shares, lacks := false, false
	for _, name := range e.q.names {
		shares = shares || holds(newer, name)
		lacks = lacks || holds(older, name) && !holds(newer, name)
	}
	return shares && lacks
}

// tied reports whether the question ties the newer candidate to the older one: by its words, its topic, the relation or the kind of value that it
// asks for. Likeness of the two alone makes no rival: many statements say that something "has been so since March".
func (e *Evidence) tied(older, newer scored) bool {
	i := newer.number
	return max(e.fit(i), e.related[i], e.words[i].topic, e.bothShow(older, newer)) >= faintest
}

func (e *Evidence) rivalValues(older, newer scored) []float64 {
	values := make([]float64, len(rivalries))
	for k, r := range rivalries {
		values[k] = r.value(e, older, newer)
	}
	return values
}

// rivalOf returns the likeliest rival of the candidate at a place, and whether there is one.
func (e *Evidence) rivalOf(ranked, silent []scored, place int) (rival scored, found bool) {
	best := fromRival
	for _, newer := range e.laterThan(ranked, silent, place) {
		sum := 0.0
		for k, v := range e.rivalValues(ranked[place], newer) {
			sum += e.rivals[k] * v
		}
		if p := 1 / (1 + math.Exp(-sum)); p > best {
			rival, best, found = newer, p, true
		}
	}
	return rival, found
}

// yield returns the ranked candidates with rivals before the statements that they outdate, at their relevance at least.
func (e *Evidence) yield(ranked []scored, totals []float64) []scored {
	if e.q.asksPast || len(ranked) == 0 || e.texts[ranked[0].number] == nil {
		return ranked
	}
	silent := e.silent(totals)
	for place := 0; place < min(len(ranked), mayYield); place++ {
		rival, found := e.rivalOf(ranked, silent, place)
		if !found {
			continue
		}
		is := func(s scored) bool { return s.object.ObjectID == rival.object.ObjectID }
		if at := slices.IndexFunc(ranked, is); at >= 0 {
			ranked = slices.Delete(ranked, at, at+1)
		}
		silent = slices.DeleteFunc(silent, is)
		rival.relevance = max(rival.relevance, ranked[place].relevance)
		ranked = slices.Insert(ranked, place, rival)
	}
	return ranked
}

// bothShow returns 1 if both candidates have a value of a kind that the question asks for.
func (e *Evidence) bothShow(older, newer scored) float64 {
	for _, k := range e.q.intents {
		if intents[k].told && e.texts[older.number].shows(k) && e.texts[newer.number].shows(k) {
			return 1
		}
	}
	return 0
}

// lost returns the share of the names in the question that the older candidate holds and the newer one lacks: what is told of another is no rival.
func (e *Evidence) lost(older, newer scored) float64 {
	n := 0
	for _, name := range e.q.names {
		if slices.Contains(e.found.Candidates[older.number].Terms, name) && !slices.Contains(e.found.Candidates[newer.number].Terms, name) {
			n++
		}
	}
	return float64(n) / float64(max(1, len(e.q.names)))
}

// meanings are words of a statement that carry meaning, with their weights.
type meanings struct {
	words  []*lexicon.Word
	weight []float64
	sum    float64
}

func (e *Evidence) meanings(i int) meanings {
	if e.senses == nil {
		e.senses = map[int]meanings{}
	}
	m, read := e.senses[i]
	if read {
		return m
	}
	for _, form := range e.texts[i].words() {
		if language.StopWords.Has(form) || form[0] >= '0' && form[0] <= '9' {
			continue
		}
		w := lexicon.Look(form)
		weight := 1 - commonShare*w.Commonness()
		m.words, m.weight, m.sum = append(m.words, w), append(m.weight, weight), m.sum+weight
	}
	e.senses[i] = m
	return m
}

// alike returns the share of the words of the candidate that says less which the other one has, or words of the same meaning.
func (e *Evidence) alike(older, newer scored) float64 {
	a, b := e.meanings(older.number), e.meanings(newer.number)
	if a.sum > b.sum {
		a, b = b, a
	}
	if a.sum == 0 {
		return 0
	}
	held := 0.0
	for k, w := range a.words {
		best := 0.0
		for _, other := range b.words {
			if channel, weight := w.Likeness(other); channel != lexicon.None && wayOf[channel] != byLoose || channel == lexicon.Same {
				best = max(best, weight)
			}
		}
		held += a.weight[k] * best
	}
	return held / a.sum
}
