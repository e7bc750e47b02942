package fit

import "math"

// Case is a labelled case with its rows of features: all of one length, in the order of the weights.
type Case struct {
	Group string // what is left out as a whole: a suite, a set, a person
	Label bool
	Rows  [][]float64
}

// Model is weights with the threshold from which a score says yes.
type Model struct {
	Weights   []float64
	Threshold float64
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
	return Model{lacking, m.Threshold}
}

// The bounds of a fit.
const (
	rounds = 6    // in each of which the best row of every case is chosen anew
	steps  = 60   // of gradient ascent in a round, by Adam (Kingma and Ba 2015)
	rate   = 0.05 // of a step
	shrink = 1e-3 // weight of the squares of the weights
	none   = -1   // leaves no feature out
)

// Fit returns the weights of the largest likelihood by logistic regression on the best row of each case, every group counting alike
// (for several rows: the maximum of a bag, as MI-SVM has it, Andrews and others 2003). It begins at the weights in use, and scales
// its own so that the threshold stays where it was.
func Fit(cases []Case, inUse Model) Model { return fitWithout(cases, inUse, none) }

func fitWithout(cases []Case, inUse Model, without int) Model {
	m := Model{append([]float64(nil), inUse.Weights...), inUse.Threshold}
	count := map[string]float64{}
	for _, c := range cases {
		count[c.Group]++
	}
	a := newAdam(len(m.Weights) + 1) // the threshold is the last
	for range rounds {
		if without >= 0 {
			m.Weights[without] = 0
		}
		chosen := bestRows(cases, m)
		for range steps {
			gradient := make([]float64, len(m.Weights)+1)
			for i, c := range cases {
				if chosen[i] != nil {
					addGradient(gradient, m, c, chosen[i], 1/count[c.Group]/float64(len(count)))
				}
			}
			a.step(m.Weights, &m.Threshold, gradient, without)
		}
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
	return Model{m.Weights, inUse.Threshold}
}

// adam keeps the moments of the gradient between steps.
type adam struct {
	mean, square []float64
	n            int
}

func newAdam(size int) *adam {
	return &adam{mean: make([]float64, size), square: make([]float64, size)}
}

// step moves the weights and the threshold up the gradient.
func (a *adam) step(weights []float64, threshold *float64, gradient []float64, without int) {
	a.n++
	for k, g := range gradient {
		value := threshold
		if k < len(weights) {
			value = &weights[k]
			g -= shrink * *value
		}
		if k == without {
			continue
		}
		a.mean[k] += 0.1 * (g - a.mean[k])
		a.square[k] += 0.01 * (g*g - a.square[k])
		m, s := a.mean[k]/(1-math.Pow(0.9, float64(a.n))), a.square[k]/(1-math.Pow(0.99, float64(a.n)))
		*value += rate * m / (math.Sqrt(s) + 1e-8)
	}
}
