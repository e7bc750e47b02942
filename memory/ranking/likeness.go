package ranking

import (
	"math"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/language"
	"github.com/ctx-mcp/ctx-mcp/language/lexicon"
	"github.com/ctx-mcp/ctx-mcp/memory/change"
)

// statementLength is the longest candidate, in terms, that is read as a statement: words near those of a question stand in any
// longer text by chance.
const statementLength = 80

// commonShare is the share of its weight that a word of every day loses: in a small store "take" is as rare as "bookkeeping".
const commonShare = 0.75

// ways are the ways in which another word stands for one of the question, by what they tell.
const (
	bySame    = iota // the same meaning
	byBroader        // one is more general
	byLoose          // of one field
	ways
)

// wayOf maps the channels of the lexicon.
var wayOf = map[lexicon.Channel]int{
	lexicon.Same: bySame, lexicon.Software: bySame, lexicon.Synonym: bySame,
	lexicon.Ancestor: byBroader, lexicon.Gloss: byLoose, lexicon.Related: byLoose, lexicon.Antonym: byLoose,
}

// likeness reads candidates by the words of a question, and by words near them.
type likeness struct {
	terms  []string  // of the question
	weight []float64 // of each: its rarity here and in English
	sum    float64
	words  []*lexicon.Word // of the terms; nil for one that is no word of the text
	topics *lexicon.Topics // of the words; nil until one is asked for
	near   map[string]nearness
	best   []float64 // of the candidate that is read, by way and term; its memory serves the next one
	topic  []float64 // likewise, by term
}

// nearness holds how near a word is to those of the question: the ways in which it stands for them, and how near it is to each by its topic,
// nil for one that belongs to none.
type nearness struct {
	ties   []tie
	topics []float64
}

// tie is a way in which a word stands for the term with the number.
type tie struct {
	term, way int
	weight    float64
}

// newLikeness weighs the terms of a question.
func newLikeness(q Question, r BM25) *likeness {
	l := &likeness{terms: q.Terms, weight: make([]float64, len(q.Terms)), words: make([]*lexicon.Word, len(q.Terms)), near: map[string]nearness{}}
	for _, form := range language.Words(q.Text) {
		for _, t := range language.Query(form) {
			if k, asked := r.number[t]; asked && l.words[k] == nil {
				l.words[k] = lexicon.Look(form)
			}
		}
	}
	for k, w := range l.words {
		l.weight[k] = r.idf[k]
		if w != nil {
			l.weight[k] *= 1 - commonShare*w.Commonness()
		}
		l.sum += l.weight[k]
	}
	return l
}

// nearness returns how near a word is to those of the question.
func (l *likeness) nearness(form string) nearness {
	if form[0] >= '0' && form[0] <= '9' || language.StopWords.Has(form) {
		return nearness{}
	}
	known, read := l.near[form]
	if !read {
		word := lexicon.Look(form)
		known = nearness{l.ties(word), l.about(word)}
		l.near[form] = known
	}
	return known
}

// ties returns the ways in which a word stands for terms of the question.
func (l *likeness) ties(word *lexicon.Word) (all []tie) {
	for k, w := range l.words {
		if w != nil && isClipped(w, word) {
			all = append(all, tie{k, bySame, clipped})
		}
		if w == nil || !word.Known() {
			continue
		}
		if channel, weight := w.Likeness(word); channel != lexicon.None {
			all = append(all, tie{k, wayOf[channel], weight})
		}
	}
	return all
}

// clipped is how surely the beginning of a word, which is none by itself, stands for it: "physio" for "physiotherapy".
const clipped = 0.7

// isClipped reports whether one of the words is the beginning of the other and is no word of English by itself.
func isClipped(a, b *lexicon.Word) bool {
	short, long := a, b
	if len(short.Form()) > len(long.Form()) {
		short, long = b, a
	}
	return !short.Known() && long.Known() && len(short.Form()) >= 3 && len(long.Form()) >= len(short.Form())+3 && strings.HasPrefix(long.Form(), short.Form())
}

// ofAnyTopic is the commonness from which a word belongs to no topic, and topicScale what makes 1 of the nearness of two words of one topic.
const (
	ofAnyTopic = 0.9
	topicScale = 2
)

// about returns how near a word is to each term of the question by what both are about.
func (l *likeness) about(word *lexicon.Word) []float64 {
	if !word.Known() || word.Commonness() >= ofAnyTopic {
		return nil
	}
	if l.topics == nil {
		topical := make([]*lexicon.Word, len(l.words))
		for k, w := range l.words {
			if w != nil && w.Commonness() < ofAnyTopic {
				topical[k] = w
			}
		}
		l.topics = lexicon.NewTopics(topical)
	}
	all := l.topics.Nearness(word)
	for k, n := range all {
		all[k] = math.Min(1, topicScale*n)
	}
	return all
}

// lexical holds the parts of a question that a candidate has, as shares of its weight.
type lexical struct {
	held   float64       // by the very words
	stands [ways]float64 // by others, of words that it does not hold
	topic  float64       // by words of the same topic, of words that it does not hold
	best   float64       // of one word, by the best of the ways
	rarest float64       // weight of the heaviest word that it holds
}

// read reads a candidate, which holds each term so often.
func (l *likeness) read(c Candidate, counts []float64) lexical {
	var r lexical
	if l.sum == 0 {
		return r
	}
	missing := false
	for k, n := range counts {
		if n > 0 {
			r.held += l.weight[k] / l.sum
			r.rarest = max(r.rarest, l.weight[k]/l.sum)
		} else {
			missing = true
		}
	}
	if !missing || len(c.Terms) > statementLength {
		return r
	}
	best, topic := cleared(&l.best, ways*len(counts)), cleared(&l.topic, len(counts))
	for _, form := range c.statement().words() {
		near := l.nearness(form)
		for k, n := range near.topics {
			topic[k] = max(topic[k], n)
		}
		for _, t := range near.ties {
			if at := t.way*len(counts) + t.term; counts[t.term] == 0 {
				best[at] = max(best[at], t.weight)
			}
		}
	}
	for k, t := range l.terms {
		if counts[k] == 0 && c.lends(t) {
			best[bySame*len(counts)+k] = max(best[bySame*len(counts)+k], lent)
		}
		share, nearest := l.weight[k]/l.sum, 0.0
		if counts[k] == 0 {
			r.topic += share * topic[k]
		}
		for way := range ways {
			r.stands[way] += share * best[way*len(counts)+k]
			nearest = max(nearest, best[way*len(counts)+k])
		}
		r.best = max(r.best, share*nearest)
	}
	return r
}

// lent is the likeness of a statement to a word that it is found by for its matter alone.
const lent = 0.7

// lends reports whether a matter in which the candidate changed something has the term.
func (c Candidate) lends(term string) bool {
	return slices.ContainsFunc(c.Object.Matters, func(m string) bool { return slices.Contains(change.MatterTerms(m), term) })
}

// isLent reports whether the candidate is found by the term because of a matter alone, and not by its words.
func (c Candidate) isLent(term string) bool {
	return c.lends(term) && !slices.ContainsFunc(c.statement().words(), func(w string) bool { return slices.Contains(language.Terms(w), term) })
}

// cleared returns n zeros in the memory that is kept for them.
func cleared(kept *[]float64, n int) []float64 {
	if len(*kept) != n {
		*kept = make([]float64, n)
	}
	clear(*kept)
	return *kept
}

// spoken returns the texts of an object that say what it is about.
func spoken(o *ctxmcp.ContextObject) []string {
	texts := []string{o.Content}
	for _, text := range []string{o.Claim.Predicate, o.WhyItMatters} {
		if text != "" {
			texts = append(texts, text)
		}
	}
	return texts
}

// missed returns the square of the share of the question that nothing here stands for.
func (r lexical) missed() float64 {
	rest := max(0, 1-r.held-r.stands[bySame]-r.stands[byBroader])
	return rest * rest
}
