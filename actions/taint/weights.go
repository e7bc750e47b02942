package taint

import (
	_ "embed" // for weights.tsv

	table "github.com/ctx-mcp/ctx-mcp/weights"
)

//go:embed weights.tsv
var weightRows string

// weights holds the weights of a count of 1, in the order of the indicators. A negative one speaks against an echo.
var weights = table.MustInOrder(weightRows, indicatorNames())

// indicatorNames returns the names of the indicators, in their order.
func indicatorNames() []string {
	var names []string
	for _, i := range indicators {
		names = append(names, i.name)
	}
	return names
}

// Indicator is an indicator with its weight, for documents and for the program that fits the weights.
type Indicator struct {
	Name, Doc string
	Weight    float64
}

// Indicators lists the indicators in the order of their table.
func Indicators() []Indicator {
	var all []Indicator
	for i, row := range indicators {
		all = append(all, Indicator{row.name, row.doc, weights[i]})
	}
	return all
}

// Threshold is the score from which a call is an echo.
const Threshold = threshold

// Harmful reports whether a call can be an echo that does harm: any other is none, whatever its score.
func (p *Provenance) Harmful(c Call) bool { return p.examined(c) }

// Compare returns the counts of the indicators for each sentence that the call is compared with, in the order of Indicators. The
// score of a sentence is the sum of count times weight; the score of the call is the highest of them.
func (p *Provenance) Compare(c Call) [][]float64 {
	var all [][]float64
	compared := p.comparisons(c)
	for i := range compared {
		all = append(all, compared[i].counts())
	}
	return all
}

// counts returns the counts of the indicators.
func (s *comparison) counts() []float64 {
	all := make([]float64, len(indicators))
	for i, row := range indicators {
		all[i] = row.count(s)
	}
	return all
}
