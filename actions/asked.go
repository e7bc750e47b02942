package actions

import (
	"fmt"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
)

// The sizes to which parameters and a quoted sentence are cut in a question to a person, in characters.
const (
	shownParameters = 600
	shownQuote      = 300
)

// Question returns what a person has to decide, with all that led to it, in one text.
func (p Pending) Question() string {
	var b strings.Builder
	fmt.Fprintf(&b, "May the agent do %s.%s? %s (%s by %s).", p.Tool, p.Operation, p.Why, p.Verdict, p.Rule)
	for _, f := range p.Findings {
		fmt.Fprintf(&b, " %s: %s.", f.Signal, strings.TrimSuffix(f.Why, "."))
		for _, e := range f.Evidence {
			if e.Quote != "" {
				fmt.Fprintf(&b, " From %s: “%s”.", e.Source, ctxmcp.Shorten(e.Quote, shownQuote))
			}
		}
	}
	for _, id := range p.After {
		fmt.Fprintf(&b, " It depends on the action %s, which waits too.", id)
	}
	return b.String()
}

// Asked returns the same as a question with its choices.
func (p Pending) Asked() ctxmcp.Question {
	return ctxmcp.Question{
		Message: fmt.Sprintf("%s\n\nThe request: “%s”\n\nThe arguments: %s", p.Question(), ctxmcp.Shorten(p.Request, shownQuote),
			ctxmcp.Shorten(string(p.Parameters), shownParameters)),
		Choices: []ctxmcp.Choice{{Value: string(Approve), Title: "Yes, do it"}, {Value: string(Refuse), Title: "No"}},
	}
}
