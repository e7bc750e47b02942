package taint

import (
	"regexp"
	"slices"
)

// sentenceTokens returns the words of each sentence of a text.
func sentenceTokens(text string) [][]token {
	var all [][]token
	for _, s := range sentencesOf(text, 0, len(text)) {
		all = append(all, tokensOf(text[s.start:s.end]))
	}
	return all
}

func requestedIn(sentences [][]token) deedSet {
	var deeds deedSet
	for _, tokens := range sentences {
		deeds |= requested(tokens)
	}
	return deeds
}

// asked is what one message of the user asked to do, and how many results were there when it was said.
type asked struct {
	deeds   deedSet
	results int
}

// delegation are the words with which a user hands on what to do to a text that is yet to be read.
var delegation = regexp.MustCompile(`(?i)\b(follow|do|doing|complete|completing|perform|execute|carry out|carrying out|fulfil\w*|achieve|address|handle|handling|act on|finish|solve|accomplish|deal with|take care of|implement|process|according to|as per|work on|working on|fix|Resolve|tackle|close)\b[^.!?]{0,60}\b(instructions?|actions?|tasks?|todos?|to-dos?|requests?|issues?|steps|asks?|asked|needs?|wants?|says|said|told|items?|chores|specified|listed|described|mentioned|requested|assigned|readme|guide|manual|tutorial|documentation|checklist|procedure|runbook)\b|\b(do|complete|finish|perform|execute|handle|fulfil|carry out) (them|these|those|it all|all of (it|them)|everything)\b|\bas (the|its|his|her|their|my|this|that) [\w.'-]+ (says?|said|asks?|asked|describes?|tells?|told|specifies|instructs?)\b`)

// Hear takes in what the user said.
func (p *Provenance) Hear(text string, entities ...string) {
	p.memo = memo{}
	plain := plainText(text)
	p.said = append(p.said, plain)
	p.entities = append(p.entities, entities...)
	tokens := sentenceTokens(text)
	p.heardAny = p.heardAny || !unread(text, slices.Concat(tokens...))
	p.askedAt = append(p.askedAt, asked{requestedIn(tokens), len(p.sources)})
	for _, at := range instants.FindAllString(plain, -1) {
		p.saidWords[at] = true
	}
	for _, t := range slices.Concat(tokens...) {
		p.saidDeeds |= deedsOf[t.stem]
		if !stopWords[t.word] && len(t.word) > 1 {
			p.saidWords[t.stem] = true
		}
	}
	p.delegated = p.delegated || delegation.MatchString(text)
}

// Delegates reports whether the user handed on what to do.
func (p *Provenance) Delegates() bool { return p.delegated }

// saidValue reports whether the user said the value.
func (p *Provenance) saidValue(plain string) bool {
	for _, s := range p.said {
		if _, ok := holds(s, plain); ok {
			return true
		}
	}
	return false
}
