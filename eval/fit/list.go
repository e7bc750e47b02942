package fit

import (
	"cmp"
	"math"
	"slices"
	"sync"
)

// List is a question with the candidates among which its answers are to stand first.
type List struct {
	Set      string // of the question: every set counts alike
	Group    string // left out as a whole: a conversation
	Rows     [][]float64
	Answers  []bool // of each row
	Expected int    // answers there are, among the rows or not
}

// The bounds of a fit to lists.
const (
	listSteps  = 120 // of gradient ascent
	contenders = 60  // candidates of a question, beside its answers, that a fit looks at: those that the weights in use rank first
	sharpness  = 3.0 // of the softmax at the weights in use
)

// contending returns the list with its answers and the best of its other candidates, by the weights.
func contending(l List, weights []float64) List {
	kept, others := List{Set: l.Set, Group: l.Group, Expected: l.Expected}, 0
	for _, i := range ranked(l, weights) {
		if !l.Answers[i] {
			if others++; others > contenders {
				continue
			}
		}
		kept.Rows, kept.Answers = append(kept.Rows, l.Rows[i]), append(kept.Answers, l.Answers[i])
	}
	return kept
}

// FitLists returns the weights with which the answers stand out most from the other candidates of their lists: those of the largest
// likelihood of a softmax over the scores (ListNet, Cao and others 2007), every set counting alike. The scale is that of the weights
// in use: their first weight stays.
func FitLists(lists []List, inUse []float64) []float64 {
	return fitLists(allContending(lists, inUse), inUse, nil, none)
}

// FitSome is FitLists of some of the weights: the others stay as they are in use.
func FitSome(lists []List, inUse []float64, free []bool) []float64 {
	return fitLists(allContending(lists, inUse), inUse, free, none)
}

// HeldOutLists returns for every group the weights that FitSome fits to the lists of all other groups.
func HeldOutLists(lists []List, inUse []float64, free []bool) map[string][]float64 {
	groups := groupsOf(lists, groupOf)
	fits := make([][]float64, len(groups))
	var wait sync.WaitGroup
	for i, group := range groups {
		wait.Go(func() {
			seen := slices.DeleteFunc(allContending(lists, inUse), func(l List) bool { return l.Group == group })
			fits[i] = fitLists(seen, inUse, free, none)
		})
	}
	wait.Wait()
	of := map[string][]float64{}
	for i, group := range groups {
		of[group] = fits[i]
	}
	return of
}

func allContending(lists []List, weights []float64) []List {
	all := make([]List, len(lists))
	for i, l := range lists {
		all[i] = contending(l, weights)
	}
	return all
}

func fitLists(lists []List, inUse []float64, free []bool, without int) []float64 {
	w := make([]float64, len(inUse))
	for k := range w {
		w[k] = inUse[k] * sharpness
	}
	share := map[string]float64{}
	for _, l := range lists {
		share[l.Set]++
	}
	a := newAdam(len(w))
	for range listSteps {
		if without >= 0 {
			w[without] = 0
		}
		gradient := make([]float64, len(w))
		for _, l := range lists {
			addListGradient(gradient, l, w, 1/share[l.Set])
		}
		before := slices.Clone(w)
		a.step(w, gradient, len(w), without)
		for k := range w {
			if free != nil && !free[k] {
				w[k] = before[k]
			}
		}
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

// addListGradient adds the gradient of the log likelihood that a draw by the softmax over the scores is an answer.
func addListGradient(gradient []float64, l List, w []float64, share float64) {
	chance := make([]float64, len(l.Rows))
	best := math.Inf(-1)
	for i, f := range l.Rows {
		chance[i] = dot(w, f)
		best = max(best, chance[i])
	}
	all, right := 0.0, 0.0
	for i := range chance {
		chance[i] = math.Exp(chance[i] - best)
		all += chance[i]
		if l.Answers[i] {
			right += chance[i]
		}
	}
	if right == 0 {
		return // too far behind to say anything
	}
	for i, f := range l.Rows {
		g := -chance[i] / all
		if l.Answers[i] {
			g += chance[i] / right
		}
		for k, x := range f {
			gradient[k] += share * g * x
		}
	}
}

// ranked returns the numbers of the candidates, best first.
func ranked(l List, weights []float64) []int {
	score, order := make([]float64, len(l.Rows)), make([]int, len(l.Rows))
	for i, f := range l.Rows {
		score[i], order[i] = dot(weights, f), i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(score[b], score[a]) })
	return order
}

// depth is how far down a ranking is scored.
const depth = 10

// score is how well a ranking finds the answers of lists, on average over them.
type score struct{ recall, ndcg float64 }

// scoreOf returns recall@10 and nDCG@10 (binary gains) of one list.
func scoreOf(l List, weights []float64) score {
	found, gain, ideal := 0.0, 0.0, 0.0
	for place, i := range ranked(l, weights) {
		if place == depth {
			break
		}
		if l.Answers[i] {
			found++
			gain += 1 / math.Log2(float64(place)+2)
		}
	}
	for place := range min(depth, l.Expected) {
		ideal += 1 / math.Log2(float64(place)+2)
	}
	return score{found / float64(l.Expected), gain / ideal}
}
