package memory

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

// The sizes to which a candidate is cut in a question, and in the line of its choice, in characters.
const (
	shownContent = 600
	shownTitle   = 80
)

// decisionTitles maps a decision that is a word to the line that a person reads.
var decisionTitles = map[string]string{
	bothDecision:    "All of them hold",
	neitherDecision: "None of them holds",
	confirmDecision: "It is still true",
	string(Retire):  "It is no longer true: keep only its history",
	string(Archive): "Put it aside, into the archive",
	string(Erase):   "Erase it for good, with its history",
}

// sourceTitles says where something came from, for a person.
var sourceTitles = map[ctxmcp.SourceKind]string{
	ctxmcp.UserStatement: "said by the user", ctxmcp.Inference: "concluded by an agent", ctxmcp.ToolOutput: "from a tool",
	ctxmcp.Document: "from a document", ctxmcp.Web: "from the web", ctxmcp.System: "from the system",
}

// Asked returns the review as a question to a person, with its decisions as the choices.
func (i ReviewItem) Asked() ctxmcp.Question {
	q := ctxmcp.Question{Message: i.Question}
	for n, c := range i.Candidates {
		q.Message += fmt.Sprintf("\n\n%d. %s", n+1, c.described())
	}
	for _, d := range i.Decisions {
		title, known := decisionTitles[d]
		if n := slices.IndexFunc(i.Candidates, func(c ReviewCandidate) bool { return c.ID == d }); n >= 0 {
			title = fmt.Sprintf("%d. %s", n+1, ctxmcp.Shorten(cmp.Or(i.Candidates[n].Object.Content, d), shownTitle))
		} else if !known {
			title = d
		}
		q.Choices = append(q.Choices, ctxmcp.Choice{Value: d, Title: title})
	}
	return q
}

// described quotes a candidate, and says who said it and from when on it is said to hold: its words must not be taken for
// those of the question. A candidate that is no object has an id only.
func (c ReviewCandidate) described() string {
	o := c.Object
	if o.ObjectID == "" {
		return c.ID
	}
	source := sourceTitles[o.SourceKind]
	if o.Author != "" {
		source = "said by " + o.Author
	}
	return fmt.Sprintf("“%s” (%s, valid from %s)", ctxmcp.Shorten(o.Content, shownContent), source, o.ValidFrom.Format(time.DateOnly))
}

// Decided returns r as it stands once its review, which was the item, is settled.
func (r Remembered) Decided(item ReviewItem, done Settled) Remembered {
	others := func(d Displaced) bool {
		return slices.ContainsFunc(item.Candidates, func(c ReviewCandidate) bool { return c.ID == d.ObjectID })
	}
	before := r.Displaced
	r.Displaced = slices.DeleteFunc(slices.Clone(r.Displaced), others)
	r.Reason, r.Review = "the user was asked and decided: "+done.Effect, ""
	switch done.Decision {
	case r.ObjectID:
		r.Status = Superseded
		for _, c := range item.Candidates {
			if c.ID != r.ObjectID {
				r.Displaced = append(r.Displaced, Displaced{c.ID, c.Object.Content, ctxmcp.Overridden})
			}
		}
	case bothDecision:
		r.Status = Stored
	case neitherDecision:
		r.Status, r.Displaced = Rejected, before
	default:
		r.Status = Rejected
	}
	return r
}
