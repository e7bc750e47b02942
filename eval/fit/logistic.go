package fit

import "math"

// The bounds of Newton's method: steps, the longest of one weight, and the one that is short enough to end.
const (
	newtonSteps = 25
	longestStep = 2
	shortStep   = 1e-6
)

// Logistic returns the weights of the signs of largest likelihood by logistic regression, by iteratively reweighted least squares. The
// squares of the weights count shrink; those of the first unshrunk weights, such as a bias, do not.
func Logistic(outcomes []Outcome, shrink float64, unshrunk int) []float64 {
	if len(outcomes) == 0 {
		return nil
	}
	w := make([]float64, len(outcomes[0].Signs))
	for range newtonSteps {
		moved := 0.0
		for k, step := range solve(curvature(outcomes, w, shrink, unshrunk)) {
			w[k] += max(-longestStep, min(longestStep, step))
			moved = max(moved, math.Abs(step))
		}
		if moved < shortStep {
			break
		}
	}
	return w
}

// curvature returns the negated second derivatives of the likelihood, and the first ones.
func curvature(outcomes []Outcome, w []float64, shrink float64, unshrunk int) (hessian [][]float64, gradient []float64) {
	hessian, gradient = make([][]float64, len(w)), make([]float64, len(w))
	for k := range hessian {
		hessian[k] = make([]float64, len(w))
		if k >= unshrunk {
			hessian[k][k], gradient[k] = shrink, -shrink*w[k]
		}
	}
	for _, o := range outcomes {
		p, y := Odds(w, o.Signs), 0.0
		if o.Right {
			y = 1
		}
		for k, v := range o.Signs {
			if v == 0 {
				continue
			}
			gradient[k] += o.Counts * (y - p) * v
			for l, u := range o.Signs {
				hessian[k][l] += o.Counts * p * (1 - p) * v * u
			}
		}
	}
	return hessian, gradient
}

// solve returns x with a·x = b, by Gaussian elimination with pivoting. It changes both.
func solve(a [][]float64, b []float64) []float64 {
	n := len(b)
	for col := range n {
		best := col
		for row := col + 1; row < n; row++ {
			if math.Abs(a[row][col]) > math.Abs(a[best][col]) {
				best = row
			}
		}
		a[col], a[best], b[col], b[best] = a[best], a[col], b[best], b[col]
		if math.Abs(a[col][col]) < 1e-12 {
			continue
		}
		for row := col + 1; row < n; row++ {
			by := a[row][col] / a[col][col]
			for k := col; k < n; k++ {
				a[row][k] -= by * a[col][k]
			}
			b[row] -= by * b[col]
		}
	}
	x := make([]float64, n)
	for row := n - 1; row >= 0; row-- {
		sum := b[row]
		for k := row + 1; k < n; k++ {
			sum -= a[row][k] * x[k]
		}
		if math.Abs(a[row][row]) >= 1e-12 {
			x[row] = sum / a[row][row]
		}
	}
	return x
}
