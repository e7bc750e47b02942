package ranking

import (
	"math"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
)

// Evidence holds the features of the candidates of one question.
type Evidence struct {
	weights map[string]float64 // of weights.tsv
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

// Gather computes the features of the candidates for a question, which was read Among them.
func Gather(q Question, found Found, meant Meaning) *Evidence {
	n := len(found.Candidates)
	e := &Evidence{
		weights: weights, q: q, found: found, bm25: NewBM25(q.Terms, found), own: make([]float64, n), has: make([]map[string]bool, n),
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

// sessions ranks whole sessions by BM25 over the terms of their candidates. A memory outside a session is one by itself.
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
	for _, name := range e.kinds(i) {
		sum += e.weights[kindRow+name]
	}
	return sum
}

// kinds returns the names of the intents of the question that the candidate answers.
func (e *Evidence) kinds(i int) []string {
	var names []string
	for _, in := range e.q.intents {
		if in.shows.MatchString(e.found.Candidates[i].Object.Content) {
			names = append(names, in.name)
		}
	}
	if len(e.q.related) > 0 && slices.ContainsFunc(e.found.Candidates[i].Terms, func(t string) bool { return e.q.related[t] }) {
		names = append(names, relatedKind)
	}
	return names
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
		for k, f := range features {
			totals[i] += featureWeights[k] * f.value(e, i)
		}
		totals[i] = max(totals[i], 0)
		best = max(best, totals[i])
	}
	return totals, best
}

// certainty returns how much of the question the best candidate answers by its words, or how surely by its vector, in [0, 1]:
// a question that nothing answers has no relevant memories.
func (e *Evidence) certainty() float64 {
	best := e.meant.certainty()
	for i := range e.lexical {
		best = max(best, e.lexical[i])
	}
	return best
}
