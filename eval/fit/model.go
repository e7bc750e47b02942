package fit

import (
	"math"
	"slices"
)

// Case is a labelled case with its rows of features: all of one length, in the order of the weights.
type Case struct {
	Group string // left out as a whole: a suite, a set, a person
	Label bool
	Rows  [][]float64
	// Times says how many cases this one stands for, where only a sample of the negative ones is given; 0: one.
	Times float64
}

func (c Case) times() float64 {
	if c.Times == 0 {
		return 1
	}
	return c.Times
}

// Model is weights with the threshold from which a score says yes.
type Model struct {
	Weights   []float64
	Threshold float64
	// Calibrated: the sum less the threshold is the logarithm of the odds, and is used as such. A fit then keeps the threshold and
	// scales nothing; one of the features is always 1.
	Calibrated bool
}

// Score returns the highest sum of a row's features times the weights, and the number of that row: -Inf and -1 for a case without
// rows.
func (m Model) Score(c Case) (score float64, row int) {
	score, row = math.Inf(-1), -1
	for i, features := range c.Rows {
		if s := dot(m.Weights, features); s > score {
			score, row = s, i
		}
	}
	return score, row
}

func dot(weights, features []float64) (sum float64) {
	for k, x := range features {
		if x != 0 {
			sum += weights[k] * x
		}
	}
	return sum
}

// Without returns the model with the weight of a feature at 0.
func (m Model) Without(feature int) Model {
	lacking := append([]float64(nil), m.Weights...)
	lacking[feature] = 0
	return Model{lacking, m.Threshold, m.Calibrated}
}

// The bounds of a fit.
const (
	rounds = 6  // in each of which the best row of every case is chosen anew
	steps  = 60 // of gradient ascent in a round
	none   = -1 // leaves no feature out
)

// Fit returns the weights of the largest likelihood by logistic regression on the best row of each case, every group counting alike
// (for several rows: the maximum of a bag, as MI-SVM has it, Andrews and others 2003). It begins at the weights in use, and scales
// its own so that the threshold stays where it was.
func Fit(cases []Case, inUse Model) Model { return fitWithout(cases, inUse, none) }

func fitWithout(cases []Case, inUse Model, without int) Model {
	m := inUse
	count := map[string]float64{}
	for _, c := range cases {
		count[c.Group] += c.times()
	}
	params := append(slices.Clone(inUse.Weights), inUse.Threshold)
	m.Weights = params[:len(inUse.Weights)]
	a := newAdam(len(params))
	for range rounds {
		if without >= 0 {
			m.Weights[without] = 0
		}
		chosen := bestRows(cases, m)
		for range steps {
			gradient := make([]float64, len(params))
			for i, c := range cases {
				if chosen[i] != nil {
					addGradient(gradient, m, c, chosen[i], c.times()/count[c.Group]/float64(len(count)))
				}
			}
			if m.Calibrated {
				gradient[len(m.Weights)] = 0
			}
			a.step(params, gradient, len(m.Weights), without)
			m.Threshold = params[len(m.Weights)]
		}
	}
	if m.Calibrated {
		m.Threshold = inUse.Threshold
		return m
	}
	return m.scaledTo(inUse)
}

// bestRows returns the row of each case that scores highest, nil for a case without rows.
func bestRows(cases []Case, m Model) [][]float64 {
	chosen := make([][]float64, len(cases))
	for i, c := range cases {
		if _, row := m.Score(c); row >= 0 {
			chosen[i] = c.Rows[row]
		}
	}
	return chosen
}

// addGradient adds the gradient of the log likelihood of one case.
func addGradient(gradient []float64, m Model, c Case, row []float64, share float64) {
	target := 0.0
	if c.Label {
		target = 1
	}
	off := share * (target - 1/(1+math.Exp(m.Threshold-dot(m.Weights, row))))
	for k, x := range row {
		gradient[k] += off * x
	}
	gradient[len(row)] -= off
}

// scaledTo returns the model with the threshold of another: the order of scores does not change with the scale. A model whose
// threshold is not above 0 stays as it is.
func (m Model) scaledTo(inUse Model) Model {
	by := inUse.Threshold / m.Threshold
	if !(by > 0) || math.IsInf(by, 1) {
		return m
	}
	for k := range m.Weights {
		m.Weights[k] *= by
	}
	return Model{Weights: m.Weights, Threshold: inUse.Threshold}
}
