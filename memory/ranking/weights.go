package ranking

import (
	_ "embed" // for weights.tsv
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
	table "github.com/ctx-mcp/ctx-mcp/weights"
)

//go:embed weights.tsv
var weightRows string

// The names of the rows behind those of the features: the kinds of answers.
const (
	kindRow     = "kind: "
	relatedKind = "related" // other words for the thing that advice is asked on
)

// weights are those of the rows of Weights in use, in their order.
var weights = table.MustInOrder(weightRows, rowNames())

// rowNames returns the names of the rows of weights.tsv: the features, and then the kinds of answers.
func rowNames() []string {
	var names []string
	for _, f := range features {
		names = append(names, f.name)
	}
	for _, f := range toldFeatures {
		names = append(names, f.name)
	}
	for _, i := range intents {
		names = append(names, kindRow+i.name)
	}
	return append(names, kindRow+relatedKind)
}

// Weight is a weight of the ranking, by its name. Told says that turns of conversations have no such feature, and
// that it can be fitted: the outcomes of a memory cannot, where each question is asked once.
type Weight struct {
	Name  string
	Value float64
	Told  bool
}

// Weights returns the weights in use: those of the features, and then those of the kinds of answers.
func Weights() []Weight {
	var all []Weight
	for k, name := range rowNames() {
		all = append(all, Weight{Name: name, Value: weights[k], Told: ofTold(k) && name != experienceRow})
	}
	return all
}

// experienceRow is the row of what came of a memory before.
const experienceRow = "experience"

// ExperienceWeight returns the most that what came of a memory before adds to its score.
func ExperienceWeight() float64 { return weights[slices.Index(rowNames(), experienceRow)] }

// ofTold reports whether the row with the number is of statements told by themselves.
func ofTold(k int) bool {
	kind := k - len(features) - len(toldFeatures)
	return k >= len(features) && kind < 0 || kind >= 0 && kind < len(intents) && intents[kind].told
}

// Len returns the number of candidates.
func (e *Evidence) Len() int { return len(e.own) }

// Object returns the candidate with the number.
func (e *Evidence) Object(i int) ctxmcp.ContextObject { return *e.found.Candidates[i].Object }

// Features returns the values of the features of the candidate with the number, in the order of Weights: the sum of their
// products with the weights is its score.
func (e *Evidence) Features(i int) []float64 {
	values := make([]float64, len(weights))
	for k, f := range features {
		values[k] = f.value(e, i)
	}
	for k, f := range toldFeatures {
		if e.texts[i] != nil {
			values[len(features)+k] = f.value(e, i)
		}
	}
	e.kinds(i, func(k int) { values[len(features)+len(toldFeatures)+k] = 1 })
	return values
}
