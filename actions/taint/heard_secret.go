package taint

import (
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/actions/effect"
)

// Words of a sentence that asks for a secret itself, as "show me the token of the deploy job", and not for something about it, as "why are the token
// counts high".
var (
	secretVerbs = strings.Fields("copy decrypt display fetch find get give look need open print read retrieve reveal show take tell use view what")
	besideThing = strings.Fields("about count how if many no number on that whether why")
	denying     = strings.Fields("don don't dont never not without")
	behindThing = strings.Fields("and as at by for from in into is of on or please stored that to under which with")
)

// noteTalkOfSecrets notes what the sentences of a statement say of secrets.
func (p *heard) noteTalkOfSecrets(text string) {
	for _, s := range sentencesOf(text, 0, len(text)) {
		tokens := tokensOf(text[s.start:s.end])
		if slices.ContainsFunc(tokens, isSecretWord) {
			p.ofSecrets = append(p.ofSecrets, plainText(text[s.start:s.end]))
			p.wantsSecret = p.wantsSecret || asksForSecret(tokens)
		}
	}
}

func isSecretWord(t token) bool { return !t.inName && effect.NamesSecret(t.word) }

// asksForSecret reports whether a verb of looking has a secret as its object, in the words of one sentence.
func asksForSecret(tokens []token) bool {
	const far = 6 // words from the verb on
	for i, t := range tokens {
		if !isSecretWord(t) || i+1 < len(tokens) && tokens[i+1].sign == ' ' && !slices.Contains(behindThing, tokens[i+1].word) {
			continue
		}
		for k := i - 1; k >= max(0, i-far) && tokens[k+1].sign == ' ' && !slices.Contains(besideThing, tokens[k].stem); k-- {
			if slices.Contains(secretVerbs, tokens[k].word) {
				return !slices.ContainsFunc(tokens[:k], func(t token) bool { return slices.Contains(denying, t.word) })
			}
		}
	}
	return false
}

// WantsSecret reports whether the user asked for a secret itself.
func (p *Provenance) WantsSecret() bool { return p.wantsSecret }

// NamedWithSecret reports whether the user named something in a sentence about secrets.
func (p *Provenance) NamedWithSecret(name string) bool {
	name = plainValue(name)
	return len(name) > 1 && slices.ContainsFunc(p.ofSecrets, func(sentence string) bool {
		_, is := holds(sentence, name)
		return is
	})
}
