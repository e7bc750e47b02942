package ranking

import (
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/language"
	"github.com/ctx-mcp/ctx-mcp/language/wordvec"
	"github.com/ctx-mcp/ctx-mcp/memory/change"
)

// Evidence holds the features of the candidates of one question.
type Evidence struct {
	q       Question
	found   Found
	bm25    BM25
	tf      []float64     // how often each candidate holds each term of the question
	own     []float64     // BM25, divided by the best
	session []int         // number of the session of each candidate
	of      []session     // by number
	at      map[Place]int // number of the candidate at a place of a session
	longest float64       // log length of the longest candidate
	lexical []float64     // relevance by words, in [0, 1]
	meant   Meaning
	words   []lexical        // by words near those of the question
	asked   wordvec.Sum      // of the words of the question
	worded  bool             // a candidate holds all words of the question
	vague   bool             // none holds half of it, in these or other words
	times   []time.Time      // of all candidates, in order; see recent
	texts   []*statement     // nil for a turn of a conversation
	related []float64        // by relations that the question asks about; see relate
	former  map[int][]former // what candidates have taken the place of; see readFormer
	numbers map[string]int   // of the candidates; see byID
	terms   [][]string       // that carry meaning, of the candidates that were compared; see meaningful

	// By other candidates that say how things stand now; see lineUp.
	successors                    [][]successor
	likely                        []successor // memory for those of one candidate
	replaced, inherited, replaces []float64
	weigh                         change.Words      // weights of terms by their rarity here
	lined                         []*change.Weighed // the candidates that were lined up
	senses                        map[int]meanings  // of the candidates that were compared; see alike
	rivals                        []float64         // weights of rivalries

	later []float64 // share of the equally good statements that are older; see findPeers
}

// Gather computes the features of the candidates for a question, which was read Among them.
func Gather(q Question, found Found, meant Meaning) *Evidence {
	n := len(found.Candidates)
	e := &Evidence{
		q: q, found: found, bm25: NewBM25(q.Terms, found), tf: make([]float64, n*len(q.Terms)), own: make([]float64, n),
		session: make([]int, n), lexical: make([]float64, n), longest: 1, meant: meant, asked: wordvec.Of(language.Words(q.Text)), rivals: rivalWeights,
	}
	e.readSessions()
	best := 0.0
	for i := range found.Candidates {
		c := &found.Candidates[i]
		e.tally(i)
		e.own[i] = e.bm25.scoreOf(e.counts(i), len(c.Terms))
		e.lexical[i] = e.bm25.relevance(e.own[i])
		best = max(best, e.own[i])
		e.longest = max(e.longest, math.Log1p(float64(len(c.Terms))))
	}
	for i := range e.own {
		if best > 0 {
			e.own[i] /= best
		}
		of := &e.of[e.session[i]]
		of.peak = max(of.peak, e.own[i])
		of.gist = max(of.gist, meant.share[ctxmcp.KeyOf(*found.Candidates[i].Object)])
	}
	e.rankSessions()
	like := newLikeness(q, e.bm25)
	e.words, e.texts = make([]lexical, n), make([]*statement, n)
	for i, c := range found.Candidates {
		if !isTurn(c) {
			e.words[i], e.texts[i] = like.read(c, e.counts(i)), c.statement()
			e.worded = e.worded || e.words[i].held > allHeld
		}
	}
	e.vague = !slices.ContainsFunc(e.words, func(w lexical) bool { return w.fit() >= plainly })
	e.readFormer(like)
	e.relate()
	e.lineUp()
	e.succeed()
	e.findPeers()
	return e
}

// Without returns the evidence of the same question where the objects that the function names were never told: for programs that fit what
// to say where there is no answer.
func (e *Evidence) Without(untold func(ctxmcp.ContextObject) bool) *Evidence {
	f := e.found
	f.Candidates, f.Frequency = nil, maps.Clone(e.found.Frequency)
	for _, c := range e.found.Candidates {
		if !untold(*c.Object) {
			f.Candidates = append(f.Candidates, c)
			continue
		}
		f.Documents, f.Length = f.Documents-1, f.Length-len(c.Terms)
		for _, t := range e.q.Terms {
			if slices.Contains(c.Terms, t) {
				f.Frequency[t]--
			}
		}
	}
	return Gather(e.q, f, e.meant)
}

func (e *Evidence) told(i int) time.Time { return toldAt(e.found.Candidates[i].Object) }

// isTurn reports whether a candidate is a turn of a conversation: it has an author and a place among others.
func isTurn(c Candidate) bool { return c.Object.Author != "" && c.Position > 0 }

// IsStatement reports whether the candidate was told by itself, and is no turn of a conversation.
func (c Candidate) IsStatement() bool { return !isTurn(c) }

// tally counts how often the candidate holds each term of the question, where it names somebody or something by its words alone: a matter in common says nothing of that.
func (e *Evidence) tally(i int) {
	c, counts := e.found.Candidates[i], e.counts(i)
	e.bm25.tally(counts, c.Terms)
	for k, n := range counts {
		if n > 0 && len(e.q.names) > 0 && c.isLent(e.q.Terms[k]) {
			counts[k] = 0
		}
	}
}

// counts returns how often the candidate holds each term of the question.
func (e *Evidence) counts(i int) []float64 {
	n := len(e.q.Terms)
	return e.tf[i*n : (i+1)*n]
}

// near returns the own score of the candidate that stands away places from i in its session, 0 if that is none.
func (e *Evidence) near(i, away int) float64 {
	if j, ok := e.neighbour(i, away); ok {
		return e.own[j]
	}
	return 0
}

func (e *Evidence) neighbour(i, away int) (int, bool) {
	if len(e.at) == 0 {
		return 0, false
	}
	j, ok := e.at[Place{e.of[e.session[i]].key, e.found.Candidates[i].Position + away}]
	return j, ok
}

func (e *Evidence) coverage(i int) float64 {
	if e.bm25.ideal <= 0 {
		return 0
	}
	var around [5]int
	n := 0
	for away := -2; away <= 2; away++ {
		if j, ok := e.neighbour(i, away); ok || away == 0 {
			if away == 0 {
				j = i
			}
			around[n], n = j, n+1
		}
	}
	sum := 0.0
	for k := range e.q.Terms {
		for _, j := range around[:n] {
			if e.counts(j)[k] > 0 {
				sum += e.bm25.idf[k]
				break
			}
		}
	}
	return sum / e.bm25.ideal
}

func (e *Evidence) author(i int) float64 {
	author := e.found.Candidates[i].Object.Author
	switch {
	case len(e.q.authors) > 0:
		for _, a := range e.q.authors {
			if a == author {
				return 1 / float64(len(e.q.authors))
			}
		}
		return 0
	case e.q.side == assistantSide && author == "assistant", e.q.side == noSide && author == "user":
		return 0.5
	case e.q.side == userSide && author == "user":
		return 1
	default:
		return 0
	}
}

// kinds calls yield with the number of each kind of answer that the question asks for and the candidate is: of intents, or
// the one behind them, which is related.
func (e *Evidence) kinds(i int, yield func(int)) {
	for _, k := range e.q.intents {
		if e.texts[i] == nil && !intents[k].told && intents[k].shows.MatchString(e.found.Candidates[i].Object.Content) || e.texts[i] != nil && e.texts[i].shows(k) {
			yield(k)
		}
	}
	if len(e.q.related) > 0 && slices.ContainsFunc(e.found.Candidates[i].Terms, func(t string) bool { return e.q.related[t] }) {
		yield(len(intents))
	}
}

// unanswered reports, as 1, that the question asks for a value and the candidate has none.
func (e *Evidence) unanswered(i int) float64 {
	asks, shows := false, false
	for _, k := range e.q.intents {
		asks = asks || intents[k].told
	}
	if asks {
		e.kinds(i, func(k int) { shows = shows || k < len(intents) && intents[k].told })
	}
	if asks && !shows && !e.keyed(i) || e.otherTool(i) {
		return 1
	}
	return 0
}

// manyKeys is the number of words from which a candidate that holds them all is meant by them, whatever a word such as "date" asks for elsewhere.
const manyKeys = 3

// keyed reports whether the question is so many words that the candidate holds, and it holds them all.
func (e *Evidence) keyed(i int) bool {
	return len(e.q.Terms) >= manyKeys && e.texts[i] != nil && e.words[i].held > allHeld
}

func (e *Evidence) isQuestion(i int) float64 {
	if strings.HasSuffix(strings.TrimSpace(e.found.Candidates[i].Object.Content), "?") {
		return 1
	}
	return 0
}

// sense returns how like the candidate is to the question in meaning, in [0, 1]: 0 for one that is too long to be a statement or tells of
// another tool than was asked for, and 0 for all where one of them holds every word of the question.
func (e *Evidence) sense(i int) float64 {
	if e.worded || e.texts[i] == nil || len(e.found.Candidates[i].Terms) > statementLength || e.otherTool(i) {
		return 0
	}
	return max(0, e.asked.Likeness(e.texts[i].sense()))
}

func (e *Evidence) ending(i int) float64 {
	if e.q.asksPresent && e.found.Candidates[i].Object.Ending {
		return 1
	}
	return 0
}

func (e *Evidence) opens(i int) float64 {
	if e.found.Candidates[i].Position == 1 {
		return 1
	}
	return 0
}

func (e *Evidence) length(i int) float64 {
	return math.Log1p(float64(len(e.found.Candidates[i].Terms))) / e.longest
}

// totals returns the sum of the features for every candidate, weighted as the rows of Weights, and the best of them.
func (e *Evidence) totals(weights []float64) (totals []float64, best float64) {
	totals = make([]float64, len(e.own))
	for i := range totals {
		for k := range features {
			if weights[k] != 0 {
				totals[i] += weights[k] * features[k].value(e, i)
			}
		}
		for k := range toldFeatures {
			if e.texts[i] != nil {
				totals[i] += weights[len(features)+k] * toldFeatures[k].value(e, i)
			}
		}
		e.kinds(i, func(k int) { totals[i] += weights[len(features)+len(toldFeatures)+k] })
	}
	e.bring(totals)
	e.precede(totals)
	for _, total := range totals {
		best = max(best, total)
	}
	return totals, best
}

// ofWords is what a turn of a conversation has from holding all words of a question.
const ofWords = 2.75

// bring makes the totals of statements comparable with those of turns of conversations, which have other features: the best of either differ
// as the shares of the question that they hold do.
func (e *Evidence) bring(totals []float64) {
	turn, statement := -1, -1
	for i, total := range totals {
		switch {
		case e.texts[i] == nil && (turn < 0 || total > totals[turn]):
			turn = i
		case e.texts[i] != nil && (statement < 0 || total > totals[statement]):
			statement = i
		}
	}
	if turn < 0 || statement < 0 {
		return
	}
	by := totals[turn] - totals[statement] + ofWords*(max(e.lexical[statement], e.fit(statement))-e.lexical[turn])
	for i := range totals {
		if e.texts[i] != nil {
			totals[i] += by
		}
	}
}
