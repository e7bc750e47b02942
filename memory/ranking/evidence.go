package ranking

import (
	"math"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
)

// feature is one reason to rank a candidate higher.
type feature struct {
	name   string
	weight float64
	doc    string
	value  func(*Evidence, int) float64 // of the candidate with the number
}

// features is the ranking: a weighted sum. Scores of BM25 are divided by the best of the question, so that the weights
// mean the same in a small store and in a large one. Sums of normalised scores rank better than reciprocal rank fusion,
// which throws away how sure each score is; neighbours are added as scores, because as further text of a candidate they
// drown long turns. The weights are round: figures for them are in docs/evaluation.md.
var features = [...]feature{
	{"own", 1.0, "BM25 of the memory itself", func(e *Evidence, i int) float64 { return e.own[i] }},
	{"previous", 0.3, "BM25 of what was said just before in the session", func(e *Evidence, i int) float64 { return e.near(i, -1) }},
	{"next", 0.15, "BM25 of what was said just after", func(e *Evidence, i int) float64 { return e.near(i, 1) }},
	{"before", 0.15, "BM25 of what was said two before", func(e *Evidence, i int) float64 { return e.near(i, -2) }},
	{"session", 0.65, "BM25 of the whole session", func(e *Evidence, i int) float64 { return e.session[e.key[i]] }},
	{"peak", 0.45, "best BM25 in the session", func(e *Evidence, i int) float64 { return e.peak[e.key[i]] }},
	{"coverage", 0.65, "share of the question's weight found here and two around", (*Evidence).coverage},
	{"author", 1.0, "said by whom the question asks about", (*Evidence).author},
	{"date", 0.8, "said when the question says", func(e *Evidence, i int) float64 { return e.q.dates.agreement(toldAt(e.found.Candidates[i].Object)) }},
	{"kind", 1.0, "is of the kind that the question asks for, as intents says", (*Evidence).kind},
	{"question", -0.12, "a question itself, and no answer", (*Evidence).isQuestion},
	{"opening", 0.45, "opens a session, where people say what they are about", (*Evidence).opens},
	{"later", 1.0, "a later statement of the same thing, where the question asks how things stand", func(e *Evidence, i int) float64 { return e.later[i] }},
	{"ending", -3.0, "tells only of an end, where the question asks for what is", (*Evidence).ending},
	{"length", 0.3, "says more", (*Evidence).length},
	{"meaning", 0.4, "similarity of the vector", func(e *Evidence, i int) float64 { return e.meant.share[ctxmcp.KeyOf(e.found.Candidates[i].Object)] }},
	{"session's meaning", 0.4, "best similarity in the session", func(e *Evidence, i int) float64 { return e.gist[e.key[i]] }},
}

// Evidence holds the features of the candidates of one question.
type Evidence struct {
	q       Question
	found   Found
	bm25    BM25
	own     []float64          // BM25, divided by the best
	has     []map[string]bool  // terms of the question that a candidate holds
	key     []string           // its session; its own object id where there is none
	at      map[Place]int      // number of the candidate at a place of a session
	session map[string]float64 // BM25 of a session, divided by the best
	peak    map[string]float64 // best own of a session
	longest float64            // log length of the longest candidate
	lexical []float64          // relevance by words, in [0, 1]
	meant   Meaning
	gist    map[string]float64 // best share of a session in meant
	later   []float64          // share of the equally good statements that are older; see findPeers
}

// Gather computes the features of what was found for a question, which was read Among it.
func Gather(q Question, found Found, meant Meaning) *Evidence {
	n := len(found.Candidates)
	e := &Evidence{
		q: q, found: found, bm25: NewBM25(q.Terms, found), own: make([]float64, n), has: make([]map[string]bool, n),
		key: make([]string, n), at: make(map[Place]int, n), peak: map[string]float64{}, lexical: make([]float64, n), longest: 1,
		meant: meant, gist: map[string]float64{},
	}
	best := 0.0
	for i, c := range found.Candidates {
		e.own[i] = e.bm25.Score(c.Terms)
		e.lexical[i] = e.bm25.relevance(e.own[i])
		best = max(best, e.own[i])
		e.longest = max(e.longest, math.Log1p(float64(len(c.Terms))))
		e.key[i] = SessionKey(c.Object)
		if e.key[i] == "" {
			e.key[i] = c.Object.ObjectID
		} else {
			e.at[Place{e.key[i], c.Position}] = i
		}
		e.has[i] = map[string]bool{}
		for _, t := range c.Terms {
			if _, asked := e.bm25.idf[t]; asked {
				e.has[i][t] = true
			}
		}
	}
	for i := range e.own {
		if best > 0 {
			e.own[i] /= best
		}
		e.peak[e.key[i]] = max(e.peak[e.key[i]], e.own[i])
	}
	e.session = e.sessions()
	for i, c := range found.Candidates {
		e.gist[e.key[i]] = max(e.gist[e.key[i]], meant.share[ctxmcp.KeyOf(c.Object)])
	}
	e.findPeers()
	return e
}

// sessions ranks whole sessions by BM25 over what their candidates hold. A memory outside a session is one by itself.
func (e *Evidence) sessions() map[string]float64 {
	docs := map[string][]string{} // session -> terms of the question that its candidates hold
	frequency := map[string]int{}
	for i, c := range e.found.Candidates {
		for _, t := range c.Terms {
			if e.has[i][t] {
				docs[e.key[i]] = append(docs[e.key[i]], t)
			}
		}
	}
	for _, doc := range docs {
		seen := map[string]bool{}
		for _, t := range doc {
			if !seen[t] {
				seen[t] = true
				frequency[t]++
			}
		}
	}
	rank := NewBM25(e.q.Terms, Found{
		Documents: max(len(e.found.Sessions), len(docs)), Length: e.found.Length, Frequency: frequency,
	})
	scores, best := map[string]float64{}, 0.0
	for key, doc := range docs {
		scores[key] = rank.scoreOf(doc, max(len(doc), e.found.Sessions[key]))
		best = max(best, scores[key])
	}
	for key := range scores {
		scores[key] /= best
	}
	return scores
}

// near returns the own score of the candidate that stands away places from i in its session, 0 if that is none.
func (e *Evidence) near(i, away int) float64 {
	if j, ok := e.neighbour(i, away); ok {
		return e.own[j]
	}
	return 0
}

func (e *Evidence) neighbour(i, away int) (int, bool) {
	j, ok := e.at[Place{e.key[i], e.found.Candidates[i].Position + away}]
	return j, ok
}

func (e *Evidence) coverage(i int) float64 {
	if e.bm25.ideal <= 0 {
		return 0
	}
	sum := 0.0
	for _, t := range e.q.Terms {
		holds := e.has[i][t]
		for away := -2; away <= 2 && !holds; away++ {
			if j, ok := e.neighbour(i, away); ok && e.has[j][t] {
				holds = true
			}
		}
		if holds {
			sum += e.bm25.idf[t]
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

// kind returns the weight of the intents of the question that the candidate answers.
func (e *Evidence) kind(i int) float64 {
	sum := 0.0
	for _, in := range e.q.intents {
		if in.shows.MatchString(e.found.Candidates[i].Object.Content) {
			sum += in.weight
		}
	}
	if len(e.q.related) > 0 && slices.ContainsFunc(e.found.Candidates[i].Terms, func(t string) bool { return e.q.related[t] }) {
		sum += relatedWeight
	}
	return sum
}

func (e *Evidence) isQuestion(i int) float64 {
	if strings.HasSuffix(strings.TrimSpace(e.found.Candidates[i].Object.Content), "?") {
		return 1
	}
	return 0
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

// totals returns the weighted sum of the features for every candidate, 0 at the least, and the best of them.
func (e *Evidence) totals() (totals []float64, best float64) {
	totals = make([]float64, len(e.own))
	for i := range totals {
		for _, f := range features {
			totals[i] += f.weight * f.value(e, i)
		}
		totals[i] = max(totals[i], 0)
		best = max(best, totals[i])
	}
	return totals, best
}

// certainty returns how much of the question the best candidate answers by its words, or how surely by its vector, in [0, 1]:
// what keeps a question that nothing answers from having relevant memories all the same.
func (e *Evidence) certainty() float64 {
	best := e.meant.certainty()
	for i := range e.lexical {
		best = max(best, e.lexical[i])
	}
	return best
}
