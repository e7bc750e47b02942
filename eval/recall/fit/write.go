package main

import (
	"path/filepath"

	"github.com/ctx-mcp/ctx-mcp/eval/fit"
	"github.com/ctx-mcp/ctx-mcp/memory/ranking"
)

// inUse returns the names of the weights in use, and their values.
func inUse() (names []string, weights []float64) { return split(ranking.Weights()) }

// signsInUse returns the names of the signs of relevance, and their weights.
func signsInUse() (names []string, weights []float64) { return split(ranking.Signs()) }

func split(all []ranking.Weight) (names []string, weights []float64) {
	for _, w := range all {
		names, weights = append(names, w.Name), append(weights, w.Value)
	}
	return names, weights
}

// writeWeights writes the fitted weights as the table of the ranking, and those of the signs of relevance, if any were fitted, beside it.
func writeWeights(path string, fitted, signs []float64) error {
	names, _ := inUse()
	err := fit.WriteTable(path,
		"The weights of the ranking: the name of a feature, its weight, and where the weight is from. make fit-recall compares them with a fit.",
		fit.Rows(target, names, fitted))
	if err != nil || signs == nil {
		return err
	}
	names, _ = signsInUse()
	return fit.WriteTable(filepath.Join(filepath.Dir(path), "relevance.tsv"),
		"The weights of the relevance of the first place: the name of a sign, its weight, and where the weight is from. make fit-recall fits them.",
		fit.Rows(target, names, signs))
}

// target is the target of make that runs the program.
const target = "fit-recall"
