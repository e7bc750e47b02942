package main

import "math"

// The bounds of a fit.
const (
	rounds = 25  // of Newton's method
	shrink = 0.5 // weight of the squares of the weights
)

func probability(w, x []float64) float64 {
	sum := 0.0
	for k, v := range x {
		sum += w[k] * v
	}
	return 1 / (1 + math.Exp(-sum))
}

// fit returns the weights of the largest likelihood by logistic regression with a penalty on their squares, by iteratively
// reweighted least squares. The first feature is the bias, which has no penalty.
func fit(examples []example) []float64 {
	n := len(examples[0].features)
	w := make([]float64, n)
	for range rounds {
		gradient, hessian := make([]float64, n), make([][]float64, n)
		for k := range hessian {
			hessian[k] = make([]float64, n)
			if k > 0 {
				hessian[k][k], gradient[k] = shrink, -shrink*w[k]
			}
		}
		for _, e := range examples {
			p, y := probability(w, e.features), 0.0
			if e.changes {
				y = 1
			}
			for k, v := range e.features {
				if v == 0 {
					continue
				}
				gradient[k] += e.weight * (y - p) * v
				for l, u := range e.features {
					hessian[k][l] += e.weight * p * (1 - p) * v * u
				}
			}
		}
		moved := 0.0
		for k, step := range solve(hessian, gradient) {
			w[k] += max(-2, min(2, step))
			moved = max(moved, math.Abs(step))
		}
		if moved < 1e-6 {
			break
		}
	}
	return w
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
