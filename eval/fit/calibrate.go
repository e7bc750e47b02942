package fit

import "math"

// Outcome is the outcome of a guess: the signs that were seen, whether it was right, and how much it counts. A Group is
// left out as a whole.
type Outcome struct {
	Group  string
	Signs  []float64
	Right  bool
	Counts float64
}

// calm is the weight of the squares of the weights, for each outcome.
const calm = 3e-3

// Calibrate returns the weights of the signs by which the sum is the logarithm of the odds that a guess is right: those of the largest
// likelihood (logistic regression).
func Calibrate(outcomes []Outcome) []float64 {
	all := 0.0
	for _, o := range outcomes {
		all += o.Counts
	}
	return Logistic(outcomes, calm*all, 0)
}

// Odds returns the probability that the weights give a guess with the signs.
func Odds(w, signs []float64) float64 { return 1 / (1 + math.Exp(-dot(w, signs))) }

// CalibrateHeldOut returns for every group the weights of the outcomes of all other groups.
func CalibrateHeldOut(outcomes []Outcome) map[string][]float64 {
	of := map[string][]float64{}
	for _, o := range outcomes {
		if of[o.Group] != nil {
			continue
		}
		var seen []Outcome
		for _, other := range outcomes {
			if other.Group != o.Group {
				seen = append(seen, other)
			}
		}
		of[o.Group] = Calibrate(seen)
	}
	return of
}
