package fit

import "math"

// The bounds of a step of gradient ascent.
const (
	rate   = 0.05 // of a step
	shrink = 1e-3 // weight of the squares of the weights
)

// adam keeps the moments of a gradient between steps (Adam, Kingma and Ba 2015).
type adam struct {
	mean, square []float64
	n            int
}

func newAdam(size int) *adam {
	return &adam{mean: make([]float64, size), square: make([]float64, size)}
}

// step moves the parameters up the gradient, but for the feature that is left out. Weights are drawn to 0, as many as features; a
// parameter behind them, such as a threshold, is not.
func (a *adam) step(params, gradient []float64, features, without int) {
	a.n++
	for k, g := range gradient {
		if k == without {
			continue
		}
		if k < features {
			g -= shrink * params[k]
		}
		a.mean[k] += 0.1 * (g - a.mean[k])
		a.square[k] += 0.01 * (g*g - a.square[k])
		m, s := a.mean[k]/(1-math.Pow(0.9, float64(a.n))), a.square[k]/(1-math.Pow(0.99, float64(a.n)))
		params[k] += rate * m / (math.Sqrt(s) + 1e-8)
	}
}
