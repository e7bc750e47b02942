package taint

import (
	"slices"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// refusal is the reading of a clause by which the user, in another language than English, refuses a deed. Package refusal reads English.
type refusal struct {
	verb    string   // its stem; empty: whatever changes something
	objects []string // words of what it is not to be done to; none: anything
}

// lift ends the refusals of another language that a request takes back. asked are the stems of the things that it asks for.
func (p *heard) lift(asked map[string]bool) {
	p.refused = slices.DeleteFunc(p.refused, func(r refusal) bool { return asked[r.verb] || r.verb == "" && asksChange(asked) })
}

// doingIn returns the stems of what sentences ask for, beyond to look.
func doingIn(sentences [][]token) map[string]bool {
	all := map[string]bool{}
	for _, sentence := range sentences {
		asks := false
		for tokens := doing(sentence); len(tokens) > 0; {
			n := clauseEnd(tokens)
			asks = asksIn(tokens[:n]) || asks && tokens[0].word == "and"
			for _, t := range entered(tokens[:n]) {
				if asks || !things()[t.stem] {
					all[t.stem] = true
				}
			}
			tokens = tokens[n:]
		}
	}
	return all
}

// asksChange reports whether some of the stems ask for an effect.
func asksChange(asked map[string]bool) bool {
	for stem := range asked {
		if verbEffects()[stem] != 0 {
			return true
		}
	}
	return false
}

// Refused reports whether the user, in another language than English, refused an effect: by one of the words of its class, which are stems, or by a word of its name,
// and of no object but those that it is about. words may be nil.
func (p *Provenance) Refused(words *language.Set, name, objects []string) bool {
	return slices.ContainsFunc(p.refused, func(r refusal) bool {
		if r.verb == "" {
			return true
		}
		if r.verb == untouched {
			return isAbout(r.objects, name, objects)
		}
		inName := slices.ContainsFunc(name, func(w string) bool { return language.LightStem(w) == r.verb })
		if !inName && (words == nil || !words.Has(r.verb) || slices.ContainsFunc(words.All(), func(w string) bool { return p.userDoing[w] })) {
			return false
		}
		return len(r.objects) == 0 || isAbout(r.objects, name, objects)
	})
}

// isAbout reports whether the name of an effect, or one of its objects, has one of the words that were refused.
func isAbout(refused, name, objects []string) bool {
	return slices.ContainsFunc(refused, func(o string) bool {
		return slices.ContainsFunc(name, func(w string) bool { return w == o }) ||
			slices.ContainsFunc(objects, func(given string) bool { _, ok := holds(plainText(given), o); return ok })
	})
}
