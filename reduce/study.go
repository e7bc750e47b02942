package reduce

import (
	"encoding/json"
	"slices"

	"github.com/ctx-mcp/ctx-mcp/conversation"
	table "github.com/ctx-mcp/ctx-mcp/weights"
)

// Study is a conversation as the choice of a digest sees it: the part that would be moved out, with the features of every name
// and line. Programs that fit the weights read it.
type Study struct{ c *corpus }

// Observed is a name or a line with the values of its features, in the order of the weights.
type Observed struct {
	Text     string
	Kept     bool // it stands in what stays: no digest needs it
	Features []float64
}

// NewStudy reads a conversation of which the message behind the system prompt and the last messages stay. The texts are taken as
// they are: redact them before.
func NewStudy(f conversation.Format, messages []json.RawMessage, last int) (*Study, error) {
	all, err := conversation.Decode(f, messages)
	if err != nil {
		return nil, err
	}
	head, tail := Zones{First: 1, Last: last}.split(all)
	same := func(text string) string { return text }
	tools := (&job{all: all}).toolsByCall()
	return &Study{newCorpus(func() bool { return false }, segments(all[head:tail], head+1, tools, same), segments(all[:head], 1, nil, same), segments(all[tail:], 1, nil, same))}, nil
}

// Names returns the names of what would be moved out.
func (s *Study) Names() []Observed {
	all := make([]Observed, len(s.c.names))
	for i := range s.c.names {
		n := &s.c.names[i]
		all[i] = Observed{n.text, n.kept, make([]float64, len(nameFeatures))}
		for k := range nameFeatures {
			all[i].Features[k] = nameFeatures[k].of(s.c, n)
		}
	}
	return all
}

// Lines returns the lines of what would be moved out.
func (s *Study) Lines() []Observed {
	all := make([]Observed, len(s.c.lines))
	for i := range s.c.lines {
		l := &s.c.lines[i]
		all[i] = Observed{l.text, s.c.kept[l.text], make([]float64, len(lineFeatures))}
		for k := range lineFeatures {
			all[i].Features[k] = lineFeatures[k].of(s.c, l)
		}
	}
	return all
}

// Statements returns the sentences that the agent and the user said.
func (s *Study) Statements() (all []Observed) {
	for i := range s.c.lines {
		l, st := &s.c.lines[i], s.c.speech.of[int32(i)]
		if st == nil {
			continue
		}
		o := Observed{l.text, s.c.kept[l.text], make([]float64, len(statementFeatures))}
		for k := range statementFeatures {
			o.Features[k] = statementFeatures[k].of(s.c, l, st)
		}
		all = append(all, o)
	}
	return all
}

// NameWeights returns the weights of the features of names, in their order.
func NameWeights() []table.Row { return inUse(nameFeatureNames()) }

// LineWeights returns the weights of the features of lines, in their order.
func LineWeights() []table.Row { return inUse(lineFeatureNames()) }

// StatementWeights returns the weights of the features of statements, in their order.
func StatementWeights() []table.Row { return inUse(statementFeatureNames()) }

func inUse(names []string) (rows []table.Row) {
	all, err := table.Rows(weightRows)
	if err != nil {
		panic(err) // weights has read it
	}
	for _, name := range names {
		rows = append(rows, all[slices.IndexFunc(all, func(r table.Row) bool { return r.Name == name })])
	}
	return rows
}
