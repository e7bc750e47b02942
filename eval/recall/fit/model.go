package main

import (
	"cmp"
	"math"
	"slices"
)

// The bounds of a fit.
const (
	steps      = 120  // of gradient descent
	rate       = 0.05 // of a step, by Adam (Kingma and Ba 2015)
	shrink     = 1e-3 // weight of the squares of the weights
	contenders = 60   // candidates of a question, beside its evidence, that a fit looks at: those that the weights in use rank first
	sharpness  = 3.0  // of the softmax at the weights in use
)

// contending returns the question with its evidence and the best of its other candidates, by the weights.
func contending(q question, weights []float64) question {
	order := ranked(q, weights)
	kept, others := question{set: q.set, conversation: q.conversation, evidence: q.evidence}, 0
	for _, i := range order {
		if !q.answers[i] {
			if others++; others > contenders {
				continue
			}
		}
		kept.features, kept.answers = append(kept.features, q.features[i]), append(kept.answers, q.answers[i])
	}
	return kept
}

// fit returns the weights with which the evidence of the questions stands out most from their other candidates: those of the
// largest likelihood of a softmax over the scores (ListNet, Cao and others 2007), every set counting alike. A feature that is
// not in use has weight 0. The scale is that of the weights in use: their first weight stays.
func fit(questions []question, inUse []float64, without int) []float64 {
	w := make([]float64, len(inUse))
	for k := range w {
		w[k] = inUse[k] * sharpness
	}
	share := map[string]float64{}
	for _, q := range questions {
		share[q.set]++
	}
	mean, square := make([]float64, len(w)), make([]float64, len(w))
	for step := 1; step <= steps; step++ {
		if without >= 0 {
			w[without] = 0
		}
		gradient := make([]float64, len(w))
		for _, q := range questions {
			addGradient(gradient, q, w, 1/share[q.set])
		}
		for k := range w {
			g := gradient[k] - shrink*w[k]
			mean[k] += 0.1 * (g - mean[k])
			square[k] += 0.01 * (g*g - square[k])
			m, s := mean[k]/(1-math.Pow(0.9, float64(step))), square[k]/(1-math.Pow(0.99, float64(step)))
			w[k] += rate * m / (math.Sqrt(s) + 1e-8)
		}
	}
	if without >= 0 {
		w[without] = 0
	}
	return scaled(w, inUse)
}

// scaled returns the weights with the first as in use; order does not change with the scale.
func scaled(w, inUse []float64) []float64 {
	by := inUse[0] / w[0]
	if !(by > 0) || math.IsInf(by, 1) { // without the first feature, or against it
		by = 1 / sharpness
	}
	for k := range w {
		w[k] *= by
	}
	return w
}

// addGradient adds the gradient of the log likelihood that a draw by the softmax over the scores is evidence.
func addGradient(gradient []float64, q question, w []float64, share float64) {
	chance := make([]float64, len(q.features))
	best := math.Inf(-1)
	for i, f := range q.features {
		chance[i] = dot(w, f)
		best = max(best, chance[i])
	}
	all, right := 0.0, 0.0
	for i := range chance {
		chance[i] = math.Exp(chance[i] - best)
		all += chance[i]
		if q.answers[i] {
			right += chance[i]
		}
	}
	if right == 0 {
		return // too far behind to say anything
	}
	for i, f := range q.features {
		g := -chance[i] / all
		if q.answers[i] {
			g += chance[i] / right
		}
		for k, x := range f {
			gradient[k] += share * g * x
		}
	}
}

func dot(w, f []float64) float64 {
	sum := 0.0
	for k, x := range f {
		sum += w[k] * x
	}
	return sum
}

// ranked returns the numbers of the candidates, best first.
func ranked(q question, weights []float64) []int {
	score, order := make([]float64, len(q.features)), make([]int, len(q.features))
	for i, f := range q.features {
		score[i], order[i] = max(dot(weights, f), 0), i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(score[b], score[a]) })
	return order
}

// depth is how far down a ranking is scored.
const depth = 10

// score is how well a ranking finds the evidence of questions, on average over them.
type score struct{ recall, ndcg float64 }

// scoreOf returns recall@10 and nDCG@10 (binary gains) of one question.
func scoreOf(q question, weights []float64) score {
	found, gain, ideal := 0.0, 0.0, 0.0
	for place, i := range ranked(q, weights) {
		if place == depth {
			break
		}
		if q.answers[i] {
			found++
			gain += 1 / math.Log2(float64(place)+2)
		}
	}
	for place := range min(depth, q.evidence) {
		ideal += 1 / math.Log2(float64(place)+2)
	}
	return score{found / float64(q.evidence), gain / ideal}
}
