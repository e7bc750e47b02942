package ranking

import "math"

// A later statement of the same thing counts for more than an earlier one, where the question asks how things stand.
// Two candidates are taken to state the same thing if both hold, in one stretch of their text, nearly as much of the
// question as any candidate does.
const (
	stretch = 30   // terms: about two sentences
	peerTo  = 0.85 // share of the best stretch that a peer holds
)

// findPeers fills later: for each candidate that answers the question as well as any, the share of the
// others like it that are older.
func (e *Evidence) findPeers() {
	e.later = make([]float64, len(e.own))
	if !e.q.asksState {
		return
	}
	spans, best := make([]float64, len(e.own)), 0.0
	for i, c := range e.found.Candidates {
		if e.q.side == userSide && c.Object.Author == "assistant" || e.texts[i] != nil && e.mine(i) < 0 {
			continue
		}
		spans[i] = e.span(c.Terms)
		best = math.Max(best, spans[i])
	}
	var peers []int
	for i, s := range spans {
		if best > 0 && s >= peerTo*best {
			peers = append(peers, i)
		}
	}
	for _, i := range peers {
		older := 0
		for _, j := range peers {
			if toldAt(e.found.Candidates[j].Object).Before(toldAt(e.found.Candidates[i].Object)) {
				older++
			}
		}
		e.later[i] = float64(older) / float64(max(1, len(peers)-1))
	}
}

// span returns the most weight of the question's terms that one stretch of a document holds.
func (e *Evidence) span(doc []string) float64 {
	held, sum, best := make([]int, len(e.bm25.idf)), 0.0, 0.0
	for i, t := range doc {
		if k, asked := e.bm25.number[t]; asked {
			if held[k]++; held[k] == 1 {
				sum += e.bm25.idf[k]
			}
		}
		if i >= stretch {
			if k, asked := e.bm25.number[doc[i-stretch]]; asked {
				if held[k]--; held[k] == 0 {
					sum -= e.bm25.idf[k]
				}
			}
		}
		best = math.Max(best, sum)
	}
	return best
}
