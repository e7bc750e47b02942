package main

import (
	"math"
	"slices"

	"github.com/ctx-mcp/ctx-mcp/tokens"
)

const (
	pull    = 1e-3 // how strongly weights are held to one factor on the o200k count
	usual   = 500  // tokens of a text
	hint    = 0.06 // the weight of a text that nobody measured
	sweeps  = 300  // of coordinate descent: the weights do not move any more
	rounds  = 8    // of reweighting, for counts that err
	outlier = 0.1  // the relative error from which a sample of such counts weighs less
)

// solve returns the weights, none below 0, of least squared relative error, pulled towards one factor on the o200k
// count: where there is nothing to learn from, that factor holds.
func solve(samples []sample, robust bool) []float64 {
	samples = slices.Clip(samples)
	trust := slices.Repeat([]float64{1}, len(samples))
	base := factor(samples)
	for k := range tokens.Kinds {
		samples, trust = append(samples, alone(samples, base, k)), append(trust, hint)
	}
	weights := descend(samples, trust, base)
	for range rounds {
		if !robust {
			break
		}
		for i, s := range samples[:len(samples)-tokens.Kinds] {
			e := math.Abs(dot(weights, s.features)/s.tokens - 1)
			trust[i] = 1 / max(1, e/outlier)
			if e > 3*outlier {
				trust[i] = 0
			}
		}
		weights = descend(samples, trust, base)
	}
	return weights
}

// alone returns a sample that nobody measured: a text of one kind of pieces, as they are on average, which has the tokens
// that the factor gives it. It weighs little against any text that was measured: it keeps a kind that only stands
// among others from counting nothing.
func alone(samples []sample, base []float64, kind int) sample {
	features := make([]float64, len(base))
	width := len(base) / (tokens.Kinds + 1)
	for _, s := range samples {
		for j := kind * width; j < (kind+1)*width; j++ {
			features[j] += s.features[j]
		}
	}
	scale := usual / max(1, dot(base, features))
	for j := range features {
		features[j] *= scale
	}
	return sample{features: features, tokens: dot(base, features)}
}

// factor returns weights that are one factor, the median's, on the o200k count.
func factor(samples []sample) []float64 {
	var ratios []float64
	for _, s := range samples {
		ratios = append(ratios, s.tokens/s.o200k)
	}
	base := tokens.OnO200k(quantile(ratios, 0.5))
	return flat(*base)
}

// descend minimises by one weight after the other.
func descend(samples []sample, trust, base []float64) []float64 {
	n := len(base)
	products, targets := make([][]float64, n), make([]float64, n)
	for j := range products {
		products[j] = make([]float64, n)
	}
	for i, s := range samples {
		w := trust[i] / ((s.tokens + 15) * (s.tokens + 15))
		for j, x := range s.features {
			if x == 0 {
				continue
			}
			targets[j] += w * x * s.tokens
			for k, y := range s.features {
				products[j][k] += w * x * y
			}
		}
	}
	weights := slices.Clone(base)
	for range sweeps {
		for j := range weights {
			own := products[j][j]
			rest := targets[j] - dot(products[j], weights) + own*weights[j]
			held := pull*own + 1e-6
			weights[j] = max(0, (rest+held*base[j])/(own+held))
		}
	}
	return weights
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

func quantile(values []float64, q float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[min(len(sorted)-1, int(q*float64(len(sorted))))]
}
