package reduce

import (
	_ "embed" // for weights.tsv
	"math"
	"slices"

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

// The rows of weights.tsv are those of the names, then those of the lines, then those of the statements.
const (
	nameRow      = "name: "
	lineRow      = "line: "
	statementRow = "statement: "
)

var (
	weights     = table.MustParse(weightRows, rowNames())
	nameWeights = weightsOf(nameFeatureNames())
	lineWeights = weightsOf(lineFeatureNames())

	statementWeights = weightsOf(statementFeatureNames())
)

func nameFeatureNames() []string {
	return rowsOf(nameRow, nameFeatures, func(f nameFeature) string { return f.Name })
}

func lineFeatureNames() []string {
	return rowsOf(lineRow, lineFeatures, func(f lineFeature) string { return f.Name })
}

func statementFeatureNames() []string {
	return rowsOf(statementRow, statementFeatures, func(f statementFeature) string { return f.Name })
}

func rowsOf[F any](prefix string, features []F, nameOf func(F) string) (rows []string) {
	for _, f := range features {
		rows = append(rows, prefix+nameOf(f))
	}
	return rows
}

func rowNames() []string {
	return slices.Concat(nameFeatureNames(), lineFeatureNames(), statementFeatureNames())
}

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
