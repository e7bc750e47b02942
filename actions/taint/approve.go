package taint

import (
	"context"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions/effect"
	"github.com/ctx-mcp/ctx-mcp/language"
)

// place is a cell of a source.
type place = [2]int

// Approve takes what a person approved as said from then on: the codes and addresses of the calls, and the texts that the evidence quotes,
// which are texts that the user handed on to. A step of a text that was approved says nothing against the next one.
func (p *Provenance) Approve(calls []Call, evidence []ctxmcp.Evidence) {
	p.memo = &memo{}
	for _, c := range calls {
		p.approveDeeds(c)
		for _, v := range valuesOf(c) {
			if v.shape == idShape || v.shape == addressShape {
				p.approved[v.plain] = true
			}
		}
	}
	for _, e := range evidence {
		for n := range p.passages {
			pass := p.passages[n]
			if p.sources[pass.source].action == e.Source && pass.start == e.Span.Start && pass.end == e.Span.End {
				at := place{pass.source, pass.cell}
				p.approvedTexts[at] = true
				delete(p.followed, at)
			}
		}
	}
}

// approveDeeds takes note of the effects of a call that a person approved: the same on the same objects is no question again.
func (p *Provenance) approveDeeds(c Call) {
	all, err := effect.Of(context.Background(), effect.Call{Tool: c.Tool, Operation: c.Operation, Parameters: c.Parameters})
	if err != nil {
		panic(err) // it has no end
	}
	for _, e := range all {
		p.approvedDeeds[deed(e)] = true
	}
}

// ApprovedDeed reports whether a person approved an effect of the same name on the same objects.
func (p *Provenance) ApprovedDeed(e effect.Effect) bool { return p.approvedDeeds[deed(e)] }

// deed names an effect and its objects.
func deed(e effect.Effect) string {
	words := []string{e.Shown}
	for _, v := range e.Deciding {
		words = append(words, string(v.Role), v.Text)
	}
	return strings.Join(words, "\x00")
}

// approvedText reports whether a person approved what the text around a passage says.
func (p *Provenance) approvedText(n int) bool {
	return p.approvedTexts[place{p.passages[n].source, p.passages[n].cell}]
}

// assent matches a statement that says yes to a question, and nothing else.
var assent = language.NewPattern(`(?i)^\W*(?:(?:yes|yep|yeah|sure|ok|okay|fine|agreed|approved|confirmed|go ahead|do it|please do|go on|proceed|that is fine|that's fine|looks good|ja|gerne|mach das|oui|d'accord|vas-y|sí|si|vale|adelante|claro|sim|pode|tak|zgoda|да|давай|好的?|可以|是的|はい|お願いします|네)\b?[\s,.!。！]*){1,4}(?:please|thanks|thank you|bitte|danke|merci|gracias)?\W*$`)

// Assents reports whether a statement of the user says yes to what was asked, and nothing else.
func Assents(text string) bool { return len(text) < 80 && assent.MatchString(strings.TrimSpace(text)) }

// withoutApproved returns the sentences of which nobody approved the text.
func (p *Provenance) withoutApproved(sentences []int) []int {
	return slices.DeleteFunc(sentences, p.approvedText)
}
