package main

import (
	"math"
	"testing"
)

// someQuestions returns questions of three features: the first two tell evidence from the rest, the third is the same for all.
func someQuestions() []question {
	var all []question
	for n := range 8 {
		q := question{set: "s", conversation: string(rune('a' + n)), evidence: 1}
		for i := range 5 {
			isEvidence := i == n%5
			second := float64(i%2) / 4
			if isEvidence {
				second = 1
			}
			q.features = append(q.features, []float64{0.5 + float64((i*n)%3)/10, second, 1})
			q.answers = append(q.answers, isEvidence)
		}
		all = append(all, q)
	}
	return all
}

// TestFitFindsWhatTells: a fit gives its weight to the feature that tells evidence from the rest, and none to one left out.
func TestFitFindsWhatTells(t *testing.T) {
	all, inUse := someQuestions(), []float64{1, 0.1, 0.1}
	fitted := fit(all, inUse, none)
	if fitted[1] < 10*math.Abs(fitted[2]) || fitted[1] < inUse[1] {
		t.Errorf("fit = %v, want the most of it in the second", fitted)
	}
	for _, q := range all {
		if got := scoreOf(q, fitted); got != (score{1, 1}) {
			t.Errorf("%s by the fit scores %v, want all", q.conversation, got)
		}
	}
	if without := fit(all, inUse, 1); without[1] != 0 {
		t.Errorf("a fit without the second feature gives it %v", without[1])
	}
}

// TestScoreCountsMissingEvidence: evidence that is no candidate, or below the tenth, is not found.
func TestScoreCountsMissingEvidence(t *testing.T) {
	q := question{evidence: 2}
	for i := range 12 {
		q.features, q.answers = append(q.features, []float64{1 - float64(i)/20}), append(q.answers, i == 1 || i == 11)
	}
	got := scoreOf(q, []float64{1})
	want := score{0.5, (1 / math.Log2(3)) / (1 + 1/math.Log2(3))}
	if got.recall != want.recall || math.Abs(got.ndcg-want.ndcg) > 1e-12 {
		t.Errorf("scoreOf = %v, want %v", got, want)
	}
}

// TestHeldOutSeesNothingOfItsGroup: questions are judged by a fit that saw none of their conversation, so that one whose labels
// contradict all others is lost.
func TestHeldOutSeesNothingOfItsGroup(t *testing.T) {
	all := someQuestions()
	odd := question{set: "s", conversation: "odd", evidence: 1,
		features: [][]float64{{1, 0, 0}, {1, 1, 0}}, answers: []bool{true, false}}
	got := heldOut(append(all, odd), conversationOf, none)["s"].ndcg
	if want := (8 + 1/math.Log2(3)) / 9; math.Abs(got-want) > 1e-12 {
		t.Errorf("heldOut = %v, want %v: the odd one in second place and the others in the first", got, want)
	}
}
