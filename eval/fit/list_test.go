package fit

import (
	"math"
	"testing"
)

// someLists returns questions of three Rows: the first two tell evidence from the rest, the third is the same for all.
func someLists() []List {
	var all []List
	for n := range 8 {
		q := List{Set: "s", Group: string(rune('a' + n)), Expected: 1}
		for i := range 5 {
			isEvidence := i == n%5
			second := float64(i%2) / 4
			if isEvidence {
				second = 1
			}
			q.Rows = append(q.Rows, []float64{0.5 + float64((i*n)%3)/10, second, 1})
			q.Answers = append(q.Answers, isEvidence)
		}
		all = append(all, q)
	}
	return all
}

// TestFitListsFindsWhatTells: a fit gives its weight to the feature that tells evidence from the rest, and none to one left out.
func TestFitListsFindsWhatTells(t *testing.T) {
	all, inUse := someLists(), []float64{1, 0.1, 0.1}
	fitted := FitLists(all, inUse)
	if fitted[1] < 10*math.Abs(fitted[2]) || fitted[1] < inUse[1] {
		t.Errorf("fit = %v, want the most of it in the second", fitted)
	}
	for _, q := range all {
		if got := scoreOf(q, fitted); got != (score{1, 1}) {
			t.Errorf("%s by the fit scores %v, want all", q.Group, got)
		}
	}
	if without := fitLists(all, inUse, nil, 1); without[1] != 0 {
		t.Errorf("a fit without the second feature gives it %v", without[1])
	}
}

// TestListScoreCountsMissingEvidence: evidence that is no candidate, or below the tenth, is not found.
func TestListScoreCountsMissingEvidence(t *testing.T) {
	q := List{Expected: 2}
	for i := range 12 {
		q.Rows, q.Answers = append(q.Rows, []float64{1 - float64(i)/20}), append(q.Answers, i == 1 || i == 11)
	}
	got := scoreOf(q, []float64{1})
	want := score{0.5, (1 / math.Log2(3)) / (1 + 1/math.Log2(3))}
	if got.recall != want.recall || math.Abs(got.ndcg-want.ndcg) > 1e-12 {
		t.Errorf("scoreOf = %v, want %v", got, want)
	}
}

// TestHeldOutListsSeesNothingOfItsGroup: questions are judged by a fit that saw none of their conversation, so that one whose labels
// contradict all others is lost.
func TestHeldOutListsSeesNothingOfItsGroup(t *testing.T) {
	all := someLists()
	odd := List{Set: "s", Group: "odd", Expected: 1,
		Rows: [][]float64{{1, 0, 0}, {1, 1, 0}}, Answers: []bool{true, false}}
	got := heldOutLists(append(all, odd), []float64{1, 0.1, 0.1}, groupOf, none)["s"].ndcg
	if want := (8 + 1/math.Log2(3)) / 9; math.Abs(got-want) > 1e-12 {
		t.Errorf("heldOut = %v, want %v: the odd one in second place and the others in the first", got, want)
	}
}
