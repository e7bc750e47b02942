package reduce

import (
	_ "embed" // for weights.tsv
	"math"

	table "github.com/ctx-mcp/ctx-mcp/weights"
)

// The worth of a name or a line is the chance that what the agent does later uses it: a logistic model over the features of two
// tables. Their weights stand in weights.tsv. No feature knows a word of any session.
//
//go:embed weights.tsv
var weightRows string

// nameFeature is a property of a name.
type nameFeature struct {
	Name string
	Doc  string
	of   func(c *corpus, n *nameInfo) float64
}

// lineFeature is a property of a line.
type lineFeature struct {
	Name string
	Doc  string
	of   func(c *corpus, l *line) float64
}

// The rows of weights.tsv are those of the names, and then those of the lines.
const (
	nameRow = "name: "
	lineRow = "line: "
)

var (
	weights     = table.MustParse(weightRows, rowNames())
	nameWeights = weightsOf(nameFeatureNames())
	lineWeights = weightsOf(lineFeatureNames())
)

func nameFeatureNames() (rows []string) {
	for i := range nameFeatures {
		rows = append(rows, nameRow+nameFeatures[i].Name)
	}
	return rows
}

func lineFeatureNames() (rows []string) {
	for i := range lineFeatures {
		rows = append(rows, lineRow+lineFeatures[i].Name)
	}
	return rows
}

func rowNames() []string { return append(nameFeatureNames(), lineFeatureNames()...) }

func weightsOf(rows []string) (values []float64) {
	for _, row := range rows {
		values = append(values, weights[row])
	}
	return values
}

func (c *corpus) worthOfName(n *nameInfo) float64 {
	sum := 0.0
	for i := range nameFeatures {
		sum += nameWeights[i] * nameFeatures[i].of(c, n)
	}
	return logistic(sum)
}

func (c *corpus) worthOfLine(l *line) float64 {
	sum := 0.0
	for i := range lineFeatures {
		sum += lineWeights[i] * lineFeatures[i].of(c, l)
	}
	return logistic(sum)
}

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

func is(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func logOf(n int) float64 { return math.Log1p(float64(n)) }

// age returns how far back a segment is, 0 for the last one and 1 for the first.
func (c *corpus) age(seg int) float64 {
	if len(c.segs) < 2 {
		return 0
	}
	return float64(len(c.segs)-1-seg) / float64(len(c.segs)-1)
}

// heatOf returns the mean heat of the lines of a segment.
func (c *corpus) heatOf(seg int) float64 {
	return c.infos[seg].heat / float64(max(c.infos[seg].lines, 1))
}
