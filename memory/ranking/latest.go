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
		if e.q.side == userSide && c.Object.Author == "assistant" {
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
	held, sum, best := map[string]int{}, 0.0, 0.0
	for i, t := range doc {
		weight, asked := e.bm25.idf[t]
		if asked {
			if held[t]++; held[t] == 1 {
				sum += weight
			}
		}
		if i >= stretch {
			old := doc[i-stretch]
			if weight, asked := e.bm25.idf[old]; asked {
				if held[old]--; held[old] == 0 {
					sum -= weight
				}
			}
		}
		best = math.Max(best, sum)
	}
	return best
}
