package fit

import (
	"math"
	"testing"
)

// TestLogisticFindsTheOdds: with a bias alone the weight is the logarithm of the odds, weighted by Counts; a sign has the
// difference between those with and without it, and a penalty draws it to nought but leaves the bias.
func TestLogisticFindsTheOdds(t *testing.T) {
	outcomes := []Outcome{
		{Signs: []float64{1, 0}, Right: true, Counts: 1}, {Signs: []float64{1, 0}, Counts: 3},
		{Signs: []float64{1, 1}, Right: true, Counts: 8}, {Signs: []float64{1, 1}, Counts: 2},
	}
	for _, c := range []struct {
		shrink float64
		want   []float64
	}{
		{0, []float64{math.Log(1.0 / 3), math.Log(4) - math.Log(1.0/3)}},
		{1e9, []float64{math.Log(9.0 / 5), 0}},
	} {
		got := Logistic(outcomes, c.shrink, 1)
		for k := range got {
			if math.Abs(got[k]-c.want[k]) > 1e-4 {
				t.Errorf("shrunk by %v the weights are %v, want %v", c.shrink, got, c.want)
				break
			}
		}
	}
	if got := Logistic(nil, 1, 1); got != nil {
		t.Errorf("of nothing the weights are %v", got)
	}
}
