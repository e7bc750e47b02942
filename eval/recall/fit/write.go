package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/memory/ranking"
)

// inUse returns the names of the weights in use, and their values.
func inUse() (names []string, weights []float64) {
	for _, w := range ranking.Weights() {
		names, weights = append(names, w.Name), append(weights, w.Value)
	}
	return names, weights
}

// writeWeights writes the fitted weights as the table of the ranking.
func writeWeights(path string, fitted []float64) error {
	var b strings.Builder
	b.WriteString("# The weights of the ranking: the name of a feature, its weight, and where the weight is from. make fit-recall compares them with a fit.\n")
	kinds := ""
	for k, w := range ranking.Weights() {
		row := fmt.Sprintf("%s\t%.2f\tfitted by make fit-recall\n", w.Name, fitted[k])
		if strings.HasPrefix(w.Name, "kind: ") {
			kinds += row
			continue
		}
		b.WriteString(row)
	}
	b.WriteString("kind\t1.0\tthe kinds have their own weights\n" + kinds)
	return os.WriteFile(path, []byte(b.String()), 0o644)
}
