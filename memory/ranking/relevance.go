package ranking

import (
	_ "embed" // for relevance.tsv
	"math"
	"slices"

	table "github.com/ctx-mcp/ctx-mcp/weights"
)

//go:embed relevance.tsv
var relevanceRows string

// sign is one reason to trust that the memory in the first place answers the question, or not to.
type sign struct {
	name  string // of its row in relevance.tsv
	doc   string
	value func(*Evidence, []scored) float64 // of the candidates, best first
}

// signs is the relevance of the first place: the sum of the values, weighted by the rows of relevance.tsv, is the logarithm of the
// odds that it answers. It is apart from the ranking: what stands first among ten that do not answer does not answer either.
var signs = [...]sign{
	{"bias", "of any question", func(*Evidence, []scored) float64 { return 1 }},
	{"words", "share of the question that the words of the best candidate hold, by BM25", func(e *Evidence, _ []scored) float64 { return e.lexicalBest() }},
	{"held", "share that its very words hold, by words that are rare in English too", func(e *Evidence, r []scored) float64 { return e.words[r[0].number].held }},
	{"stand-ins", "share that words near them stand for", func(e *Evidence, r []scored) float64 {
		w := e.words[r[0].number]
		return w.stands[bySame] + w.stands[byBroader]
	}},
	{"missed", "square of the share that nothing stands for", func(e *Evidence, r []scored) float64 { return e.words[r[0].number].missed() }},
	{"rarest", "share of the rarest word that it holds", func(e *Evidence, r []scored) float64 { return e.words[r[0].number].rarest }},
	{"score", "its score, as far as ten", func(e *Evidence, r []scored) float64 { return max(-1, min(1, r[0].score/10)) }},
	{"margin", "what it has before the next", func(_ *Evidence, r []scored) float64 { return margin(r) }},
	{"no answer", "no value of the kind that is asked for", func(e *Evidence, r []scored) float64 { return e.unanswered(r[0].number) }},
	{"only the name", "it holds a name of the question and nothing else of it", func(e *Evidence, r []scored) float64 { return e.onlyName(r[0].number) }},
	{"another name", "it holds no name of the question", func(e *Evidence, r []scored) float64 { return max(0, -e.named(r[0].number)) }},
	{"mine", "it is about the one who asks, as the question is, or against that", func(e *Evidence, r []scored) float64 { return e.mine(r[0].number) }},
	{"replaces", "it has taken the place of what answers", func(e *Evidence, r []scored) float64 { return e.replaces[r[0].number] }},
	{"relation", "it tells of what the question asks about", func(e *Evidence, r []scored) float64 { return e.related[r[0].number] }},
	{"no relation", "it tells of nothing that the question surely asks about", func(e *Evidence, r []scored) float64 { return e.unrelated(r[0].number) }},
	{"limit", "it tells the limit that is asked for", func(e *Evidence, r []scored) float64 { return e.limits(r[0].number) }},
	{"another tool", "it tells of no tool of the kind that is asked for", func(e *Evidence, r []scored) float64 {
		if e.otherTool(r[0].number) {
			return 1
		}
		return 0
	}},
	{"terms", "words of the question, as far as eight", func(e *Evidence, _ []scored) float64 { return min(8, float64(len(e.q.Terms))) / 8 }},
}

func margin(ranked []scored) float64 {
	if len(ranked) < 2 {
		return 1
	}
	return min(1, max(0, ranked[0].score-ranked[1].score))
}

// signWeights are those of relevance.tsv, in the order of signs.
var signWeights = table.MustInOrder(relevanceRows, signNames())

func signNames() []string {
	var names []string
	for _, s := range signs {
		names = append(names, s.name)
	}
	return names
}

// Signs returns the weights of the signs of relevance in use, by their names.
func Signs() []Weight {
	var all []Weight
	for k, name := range signNames() {
		all = append(all, Weight{Name: name, Value: signWeights[k]})
	}
	return all
}

// SignsBy returns the values of the signs for the candidates as the weights rank them, in the order of Signs, and the number of the
// candidate in the first place; nil without candidates.
func (e *Evidence) SignsBy(weights []float64) (values []float64, first int) {
	if len(e.own) == 0 {
		return nil, -1
	}
	totals, _ := e.totals(weights)
	ranked := e.order(totals)
	if len(ranked) == 0 {
		return nil, -1
	}
	for _, s := range signs {
		values = append(values, s.value(e, ranked))
	}
	return values, ranked[0].number
}

// fades is the distance behind the best score at which a candidate has lost two thirds of the relevance of the best, and evens that at which its odds to be the
// answer have fallen so: the likeliest for questions that a fit did not see.
const (
	fades = 0.7
	evens = 0.4
)

// relevances fills the relevance of ranked candidates: that of the first is its certainty as an answer, and it falls with the score.
// Of turns of conversations it is the share of the question that the words of the best candidate hold, and falls with its share of the best score.
func (e *Evidence) relevances(ranked []scored, weights []float64) {
	if len(ranked) == 0 {
		return
	}
	best := ranked[0].score
	if e.texts[ranked[0].number] == nil {
		certainty := max(e.lexicalBest(), e.meant.certainty())
		for i, r := range ranked {
			ranked[i].relevance = certainty * max(0, r.score) / max(best, 1e-9)
		}
		return
	}
	certainty, held := e.certainty(ranked, weights), e.words[ranked[0].number].held
	least, wholly := certainty, e.wholly(ranked)
	for i, r := range ranked {
		share := math.Exp(min(0, (r.score-best)/fades))
		if wholly > 0 { // what holds less answers as far as it holds
			share = min(share, e.fit(r.number)+e.inherited[r.number]+e.related[r.number])
		} else if held > 0 && !e.otherTool(r.number) { // a question of two parts may have two answers
			share = max(share, min(1, e.words[r.number].held/held))
		}
		if e.words[r.number].held > allHeld { // it speaks of all that was asked, whatever answers better
			share = 1
		}
		least = min(least, certainty*share)
		ranked[i].relevance = least
	}
}

// The candidates that lead: as many as hold the answer so surely, if any does, and never more than an answer has by
// default.
const (
	surelyAmong = 0.99
	mostLeading = 10
)

// leading returns how many of the ranked candidates lead: none of turns of conversations. The first holds the answer as surely as its
// relevance or its odds say, and the others share the rest by their odds. Where a tool of a kind is asked for, nothing else leads.
func (e *Evidence) leading(ranked []scored) int {
	if n := slices.IndexFunc(ranked, func(r scored) bool { return e.otherTool(r.number) }); n >= 0 {
		ranked = ranked[:n]
	}
	if len(ranked) == 0 || e.texts[ranked[0].number] == nil {
		return 0
	}
	if wholly := e.wholly(ranked); wholly > 0 {
		return min(wholly, mostLeading)
	}
	if n := e.limiting(ranked); n > 0 {
		return n
	}
	odds, best, all := make([]float64, len(ranked)), ranked[0].score, 0.0
	for i, r := range ranked {
		odds[i] = math.Exp((r.score - best) / evens)
		all += odds[i]
	}
	among := max(ranked[0].relevance, odds[0]/all)
	rest := (1 - among) / max(all-odds[0], 1e-9)
	for i := range ranked[:min(len(ranked), mostLeading)] {
		if i > 0 {
			among += odds[i] * rest
		}
		if among >= surelyAmong {
			return i + 1
		}
	}
	return min(len(ranked), mostLeading)
}

// limiting returns the number of first candidates that tell a limit where a meal is planned and nobody is named, if there are several: all of them bind it.
func (e *Evidence) limiting(ranked []scored) int {
	n := slices.IndexFunc(ranked, func(r scored) bool { return e.limits(r.number) < e.q.limit.Weight/2 })
	if n < 0 {
		n = len(ranked)
	}
	if e.q.limit.Weight != planned || len(e.q.limit.named) > 0 || n < 2 {
		return 0
	}
	return min(n, mostLeading)
}

// wholly returns how many of the first candidates hold all words of the question: none that holds less is among the answers.
func (e *Evidence) wholly(ranked []scored) int {
	less := func(r scored) bool { return e.words[r.number].held <= allHeld }
	if n := slices.IndexFunc(ranked, less); n >= 0 {
		return n
	}
	return len(ranked)
}

// certainty returns how surely the candidate in the first place answers the question, by its words or by its vector, in [0, 1].
func (e *Evidence) certainty(ranked []scored, weights []float64) float64 {
	sum := 0.0
	for k, s := range signs {
		sum += weights[k] * s.value(e, ranked)
	}
	certainty, first := max(shownAs(sum), e.meant.certainty()), ranked[0].number
	if e.words[first].held > allHeld {
		certainty = max(certainty, e.lexical[first]) // it holds all that was asked for
	}
	return certainty
}

// allHeld is the share of the question from which all of it is held, but for rounding.
const allHeld = 0.999

// doubtful slows the fall of relevance where a memory rather does not answer: an unsure memory is still shown.
const doubtful = 0.35

// shownAs returns the relevance for the logarithm of the odds: above even odds the probability, below them more.
func shownAs(logit float64) float64 {
	if logit < 0 {
		return math.Exp(doubtful*logit) / 2
	}
	return 1 / (1 + math.Exp(-logit))
}

// lexicalBest returns the most of the question that a candidate answers by its words.
func (e *Evidence) lexicalBest() float64 {
	best := 0.0
	for _, r := range e.lexical {
		best = max(best, r)
	}
	return best
}

// onlyName returns 1 for a candidate that holds names of the question and no other word of it, nor one that stands for it.
func (e *Evidence) onlyName(i int) float64 {
	if len(e.q.names) == 0 || e.named(i) <= 0 || e.words[i].stands[bySame]+e.words[i].stands[byBroader] > 0 {
		return 0
	}
	for k, n := range e.counts(i) {
		if n > 0 && !slices.Contains(e.q.names, e.q.Terms[k]) {
			return 0
		}
	}
	return 1
}
