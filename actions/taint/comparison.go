package taint

import (
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/language"
)

// count counts the values of the shape: the first counts whole if it is all of an argument, the others half.
func (s *comparison) count(sh shape) float64 {
	var sum float64
	for _, o := range s.values {
		switch {
		case o.value.shape != sh:
		case sum == 0 && o.value.whole:
			sum = 1
		default: // a further one, or one that a longer text only speaks of
			sum += 0.5
		}
	}
	return min(2, sum)
}

func (s *comparison) effects() effectSet {
	if s.passage.commands != 0 {
		return s.passage.commands | s.passage.mentions
	}
	return s.neighbourCommands()
}

// neighbourCommands returns what a neighbouring sentence of the same cell tells to do with what this one names.
func (s *comparison) neighbourCommands() effectSet {
	for _, n := range []int{s.at + 1, s.at - 1} {
		if n < 0 || n >= len(s.passages) {
			continue
		}
		if o := s.passages[n]; o.source == s.passage.source && o.cell == s.passage.cell && o.commands != 0 && (o.anaphoric || s.passage.anaphoric) {
			return o.commands | o.mentions
		}
	}
	return 0
}

// shared counts the words of the tool's name in the sentence; with nouns set, only those that are no effects.
func (s *comparison) shared(nouns bool) int {
	n := 0
	for _, one := range s.toolWords {
		w := one.word
		if nouns && one.effect {
			continue
		}
		if slices.ContainsFunc(s.passage.words, func(o string) bool {
			return o == w || len(w) >= 4 && strings.HasPrefix(o, w) || len(o) >= 4 && strings.HasPrefix(w, o)
		}) {
			n++
		}
	}
	return n
}

// inFields reports whether every value of the comparison stands in a short field as well, of a record that the user pointed to if
// linked is set.
func (s *comparison) inFields(linked bool) bool {
	n := 0
	for _, o := range s.values {
		if o.value.shape == amountShape && len(s.values) > 1 {
			continue
		}
		if len(o.value.plain) < 4 { // anything may have such a number
			continue
		}
		if n++; !s.recorded(o.value.plain, linked) {
			return false
		}
	}
	return n > 0
}

// toolWord is a word of the name of a tool that may stand in a sentence.
type toolWord struct {
	word   string
	effect bool // it is a verb of an effect, and no noun
}

// toolWords returns the words of a tool's name but for those that every tool may have.
func (m meaning) toolWords() (all []toolWord) {
	for w := range m.words {
		if !reads.Has(w) && len(w) > 2 {
			all = append(all, toolWord{w, verbEffects()[w] != 0 && !alsoNoun.Has(w)})
		}
	}
	return all
}

// excusable reports whether the text does not speak to a model, over the head of the user: one that does has no excuse.
func (s *comparison) excusable() bool {
	return s.source.modelMarks[s.passage.cell] == 0 && !s.passage.aboutUser
}

// commanding reports whether the sentence, or one beside it, tells somebody to do something.
func (s *comparison) commanding() bool {
	return s.passage.commands != 0 || s.neighbourCommands() != 0 || s.unreadable()
}

// unreadable reports whether the sentence is in a language whose verbs are not known, though the user's is.
func (s *comparison) unreadable() bool { return s.passage.unreadable && s.userReadable }

// effectsRequested returns the effects of the tool that the user asked for.
func (s *comparison) effectsRequested() effectSet {
	var effects effectSet
	for _, a := range s.requests {
		effects |= a.effects
	}
	return effects & s.means.effects
}

// requestedHere reports whether the user asked for such an effect, and for the object of the sentence: the record that the user pointed to, or
// what the user speaks of.
func (s *comparison) requestedHere() bool {
	return s.effectsRequested() != 0 && (s.linked(s.source, s.passage.record) || s.topic >= 1 || s.requestedAfter())
}

// requestedAfter reports whether the user asked for such an effect when the result was there already.
func (s *comparison) requestedAfter() bool {
	return slices.ContainsFunc(s.requests, func(a request) bool { return a.effects&s.means.effects != 0 && a.results > s.passage.source })
}

// linkWanted reports whether all addresses of the comparison are links and arguments of their own, the user spoke of a link, and a short
// value of the very record has a word of the user's; to read a page it is enough that the user named where the link stands.
func (s *comparison) linkWanted() bool {
	n := 0
	for _, o := range s.values {
		if o.value.shape == addressShape {
			if !o.value.whole || !isLink(o.value.text) {
				return false
			}
			n++
		}
	}
	if n == 0 || !s.userSaid(kinds) {
		return false
	}
	return s.mentionsUserWord(&s.source.records[s.passage.record]) || s.pointedBy(s.source).userNamed && s.means.kind == ctxmcp.ReadAction
}

// userSaid reports whether the user said one of the words.
func (p *Provenance) userSaid(words *language.Set) bool {
	for _, w := range words.All() {
		if p.userWords[w] {
			return true
		}
	}
	return false
}

// formality reports whether the sentence and the tool meet in nothing but confirming.
func (s *comparison) formality() bool {
	common := s.effects() & s.means.effects
	return common != 0 && common&^verbEffects()["confirm"] == 0
}

// namesTool reports whether the sentence has the name of the tool as it is written, of two words or more.
func (s *comparison) namesTool() bool {
	if s.name == "" || !strings.Contains(s.passage.plain, s.name) {
		return false
	}
	_, ok := holds(s.passage.plain, s.name)
	return ok
}

// topicOf counts the words of a sentence that the user said too, beyond verbs and what tells nothing.
func (p *Provenance) topicOf(sentence *passage) float64 {
	n := 0
	for i, w := range sentence.words {
		if p.userWords[w] && effectsOf()[w] == 0 && !slices.Contains(sentence.words[:i], w) {
			n++
		}
	}
	return float64(n) / 2
}

// namesake reports whether an address has a name that the user said.
func (s *comparison) namesake() bool {
	for _, o := range s.values {
		if o.value.shape != addressShape {
			continue
		}
		name, _, _ := strings.Cut(o.value.plain, "@")
		if slices.ContainsFunc(wordsIn(name), func(w string) bool { return len(w) > 2 && !stopWords.Has(w) && s.userWords[language.LightStem(w)] }) {
			return true
		}
	}
	return false
}
