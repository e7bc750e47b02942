package taint

import (
	"slices"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// sentenceTokens returns the words of each sentence of a text.
func sentenceTokens(text string) [][]token {
	var all [][]token
	for _, s := range sentencesOf(text, 0, len(text)) {
		all = append(all, tokensOf(text[s.start:s.end]))
	}
	return all
}

func requestedIn(sentences [][]token) effectSet {
	var effects effectSet
	for _, tokens := range sentences {
		effects |= requested(tokens)
	}
	return effects
}

// request holds the effects that one statement of the user asked for, and how many results were there when it was made.
type request struct {
	effects effectSet
	results int
}

// delegation matches a statement that tells the agent to do what a text says that is yet to be read.
var delegation = language.NewPattern(`(?i)\b%s\b[^.!?]{0,60}\b%s\b|\b(do|complete|finish|perform|execute|handle|fulfil|carry out) (them|these|those|it all|all of (it|them)|everything)\b`+
	`|\bas (the|its|his|her|their|my|this|that) [\w.'-]+ (says?|said|asks?|asked|describes?|tells?|told|specifies|instructs?)\b`,
	language.Delegation.Row("doing"), language.Delegation.Row("matter"))

// Hear takes in a statement of the user, and the entities that the caller declares with it.
func (p *Provenance) Hear(text string, entities ...string) {
	p.memo = memo{}
	plain := plainText(text)
	p.statements = append(p.statements, plain)
	p.entities = append(p.entities, entities...)
	tokens := sentenceTokens(text)
	p.userReadable = p.userReadable || !unreadable(text, slices.Concat(tokens...))
	p.requests = append(p.requests, request{requestedIn(tokens), len(p.sources)})
	for _, at := range instants.FindAllString(plain, -1) {
		p.userWords[at] = true
	}
	for _, t := range slices.Concat(tokens...) {
		p.userEffects |= effectsOf()[t.stem]
		if !stopWords.Has(t.word) && len(t.word) > 1 {
			p.userWords[t.stem] = true
		}
	}
	p.delegated = p.delegated || delegation.MatchString(text)
}

// Delegates reports whether the user told the agent to do what a text says that is yet to be read.
func (p *Provenance) Delegates() bool { return p.delegated }

// stated reports whether the user said the value.
func (p *Provenance) stated(plain string) bool {
	for _, s := range p.statements {
		if _, ok := holds(s, plain); ok {
			return true
		}
	}
	return false
}
