package fit

import (
	"math"
	"strings"
	"testing"
)

// someCases returns cases of three groups. The first feature tells the label, the second is noise that is the same in both labels,
// the third is always there. Every second case has a further row that says nothing.
func someCases() []Case {
	var all []Case
	for n := range 60 {
		c := Case{Group: string(rune('a' + n%3)), Label: n%4 == 0}
		row := []float64{0, float64(n % 5), 1}
		if c.Label != (n%20 == 7) { // one negative case in twenty looks positive
			row[0] = 1
		}
		c.Rows = append(c.Rows, row)
		if n%2 == 0 {
			c.Rows = append(c.Rows, []float64{0, 0, 0})
		}
		all = append(all, c)
	}
	return all
}

var begin = Model{Weights: []float64{1, 1, 1}, Threshold: 4}

// TestFitFindsWhatTells: the feature that tells the label gets the most weight, and the threshold stays.
func TestFitFindsWhatTells(t *testing.T) {
	m := Fit(someCases(), begin)
	if m.Threshold != begin.Threshold || m.Weights[0] < 5*math.Abs(m.Weights[1]) || m.Weights[0] < begin.Weights[0] {
		t.Errorf("Fit = %+v, want the most of it in the first feature, at the threshold 4", m)
	}
	for group, q := range Judge(someCases(), HeldOut(someCases(), begin)) {
		if q.Area < 0.95 || q.Positives != 5 || q.Negatives != 15 {
			t.Errorf("group %s is told apart by a fit that did not see it as %+v", group, q)
		}
	}
}

// TestFitLeavesTheGroupOut: nothing of a group is in the model that judges it.
func TestFitLeavesTheGroupOut(t *testing.T) {
	cases := someCases()
	before := HeldOut(cases, begin)["a"]
	for i := range cases {
		if cases[i].Group == "a" {
			cases[i].Label = !cases[i].Label
		}
	}
	after := HeldOut(cases, begin)["a"]
	for k := range before.Weights {
		if before.Weights[k] != after.Weights[k] {
			t.Errorf("the weights %v became %v with other labels in the group that is left out", before.Weights, after.Weights)
		}
	}
}

// TestAblate: the feature that tells the label is worth the most, and one that never differs is worth nothing.
func TestAblate(t *testing.T) {
	worth := Ablate([]string{"tells", "noise", "constant"}, someCases(), begin)
	if worth[0].Fitted < 0.2 || worth[0].InUse < 0.1 || math.Abs(worth[2].InUse) > 0.05 || worth[1].InUse >= 0 {
		t.Errorf("Ablate = %+v", worth)
	}
	var b strings.Builder
	ReportAblation(&b, []string{"tells", "noise", "constant"}, someCases(), begin)
	Report(&b, []string{"tells", "noise", "constant"}, someCases(), begin)
	if got := strings.Count(b.String(), "tells"); got != 2 {
		t.Errorf("the reports name the first feature %d times, want 2:\n%s", got, b.String())
	}
}

// TestScore: a case has the score of its best row, and none without rows; the area counts ties half.
func TestScore(t *testing.T) {
	m := Model{Weights: []float64{2, -1}, Threshold: 1}
	if s, row := m.Score(Case{Rows: [][]float64{{0, 1}, {1, 1}, {1, 2}}}); s != 1 || row != 1 {
		t.Errorf("Score = %v by row %d, want 1 by row 1", s, row)
	}
	if s, row := m.Score(Case{}); !math.IsInf(s, -1) || row != -1 {
		t.Errorf("Score of nothing = %v, %d", s, row)
	}
	if got := area([]float64{1, 2}, []float64{1, 0}); got != 0.875 {
		t.Errorf("area = %v, want 0.875", got)
	}
}
