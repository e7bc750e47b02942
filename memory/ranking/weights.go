package ranking

import (
	_ "embed" // for weights.tsv
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
	table "github.com/ctx-mcp/ctx-mcp/weights"
)

//go:embed weights.tsv
var weightRows string

// The names of rows that are no features of their own: the parts of the feature kind.
const (
	kindRow     = "kind: "
	relatedKind = "related" // other words for the thing that advice is asked on
)

// weights holds the weight of each row of weights.tsv, one for every feature and every kind, by its name, and featureWeights those of the features, in their order.
var (
	weights        = table.MustParse(weightRows, rowNames())
	featureWeights = func() (all [len(features)]float64) {
		for i, f := range features {
			all[i] = weights[f.name]
		}
		return all
	}()
)

func rowNames() []string {
	var names []string
	for _, f := range features {
		names = append(names, f.name)
	}
	for _, i := range intents {
		names = append(names, kindRow+i.name)
	}
	return append(names, kindRow+relatedKind)
}

// Weight is a weight of the ranking, by its name.
type Weight struct {
	Name  string
	Value float64
}

// Weights returns the weights in use, in the order of Features: those of the features but for the kind, and those of the kinds.
func Weights() []Weight {
	var all []Weight
	for _, name := range rowNames() {
		if name != kindFeature {
			all = append(all, Weight{name, weights[name] * scaleOf(name)})
		}
	}
	return all
}

// kindFeature is the feature whose value is the sum of the weights of its kinds.
const kindFeature = "kind"

func scaleOf(name string) float64 {
	if strings.HasPrefix(name, kindRow) {
		return weights[kindFeature]
	}
	return 1
}

// Len returns the number of candidates.
func (e *Evidence) Len() int { return len(e.own) }

// Object returns the candidate with the number.
func (e *Evidence) Object(i int) ctxmcp.ContextObject { return e.found.Candidates[i].Object }

// Features returns the values of the features of the candidate with the number, in the order of Weights: the sum of their
// products with the weights is its score, before it is cut off at 0.
func (e *Evidence) Features(i int) []float64 {
	answers := map[string]bool{}
	for _, name := range e.kinds(i) {
		answers[name] = true
	}
	var values []float64
	for _, f := range features {
		if f.name != kindFeature {
			values = append(values, f.value(e, i))
		}
	}
	for _, name := range rowNames()[len(features):] {
		value := 0.0
		if answers[strings.TrimPrefix(name, kindRow)] {
			value = 1
		}
		values = append(values, value)
	}
	return values
}
