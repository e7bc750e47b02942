package ranking

import "github.com/ctx-mcp/ctx-mcp"

// Meaning is the reading of one question by vectors.
type Meaning struct {
	near    []Near
	typical float64                       // similarity that says nothing
	share   map[ctxmcp.VersionKey]float64 // similarity of each of the nearest, from 0 for the last to 1 for the first
}

// fewNear is the number of memories from which half of their likeness to the question counts as typical.
const fewNear = 10

// Weigh reads the nearest versions, best first.
//
// A cosine by itself says little: unrelated texts have one of 0.1 by one model and of 0.7 by another. Its scale comes from the
// question itself: the last of the nearest, some hundreds where there are as many, is no answer. If there are few, the last
// may be one, and the typical similarity is taken to be nearer to 0.
func Weigh(near []Near) Meaning {
	m := Meaning{near: near, share: make(map[ctxmcp.VersionKey]float64, len(near))}
	if len(near) == 0 {
		return m
	}
	first, last := near[0].Similarity, near[len(near)-1].Similarity
	n := float64(len(near))
	m.typical = max(0, last) * n / (n + fewNear)
	for _, one := range near {
		if one.Similarity <= m.typical && first == last {
			continue // all of them are as unlike the question
		}
		m.share[ctxmcp.KeyOf(*one.Object)] = 1
		if first > last {
			m.share[ctxmcp.KeyOf(*one.Object)] = (one.Similarity - last) / (first - last)
		}
	}
	return m
}

// certainty returns how surely the best of the nearest answers, in [0, 1]: its similarity beyond what is typical, as a share
// of the most that there could be (the form of Cohen's kappa, 1960), squared. The square is measured: with it most of the
// questions that the default threshold lets pass are those that the store can answer, as docs/evaluation.md shows.
func (m Meaning) certainty() float64 {
	if len(m.near) == 0 || m.typical >= 1 {
		return 0
	}
	beyond := (m.near[0].Similarity - m.typical) / (1 - m.typical)
	return min(1, max(0, beyond)*max(0, beyond))
}

// Join adds to the candidates by words those by vector that are not among them, as far as their vectors say anything.
func (m Meaning) Join(candidates []Candidate) []Candidate {
	held := make(map[ctxmcp.VersionKey]bool, len(candidates))
	for _, c := range candidates {
		held[ctxmcp.KeyOf(*c.Object)] = true
	}
	for _, n := range m.near {
		if n.Similarity > m.typical && !held[ctxmcp.KeyOf(*n.Object)] {
			candidates = append(candidates, n.Candidate)
		}
	}
	return candidates
}
