package taint

import (
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
)

// worth counts the values of the shape: the first counts whole if it is all of an argument, the others half.
func (s suspect) worth(sh shape) float64 {
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

func (s suspect) deeds() deedSet {
	if s.passage.told != 0 {
		return s.passage.told | s.passage.named
	}
	return s.besideCommand()
}

// besideCommand returns what a neighbouring sentence of the same cell tells to do with what this one names.
func (s suspect) besideCommand() deedSet {
	for _, n := range []int{s.at + 1, s.at - 1} {
		if n < 0 || n >= len(s.passages) {
			continue
		}
		if o := s.passages[n]; o.source == s.passage.source && o.cell == s.passage.cell && o.told != 0 && (o.points || s.passage.points) {
			return o.told | o.named
		}
	}
	return 0
}

// shared counts the words of the tool's name in the sentence; with nouns set, only those that are no deeds.
func (s suspect) shared(nouns bool) int {
	n := 0
	for w := range s.means.words {
		if reads[w] || len(w) < 3 || nouns && verbDeeds[w] != 0 && !alsoNoun[w] {
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

// inFields reports whether every value of the suspect stands in a short field as well, of a record that the user pointed to if
// linked is set.
func (s suspect) inFields(linked bool) bool {
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

// honest reports whether the text does not speak to a model, over the head of the user: one that does has no excuse.
func (s suspect) honest() bool { return s.source.marks[s.passage.cell] == 0 && !s.passage.aboutUser }

// tells reports whether the sentence, or one beside it, tells somebody to do something.
func (s suspect) tells() bool { return s.passage.told != 0 || s.besideCommand() != 0 || s.unread() }

// unread reports whether the sentence is in a language whose verbs are not known, though the user's is.
func (s suspect) unread() bool { return s.passage.unread && s.heardAny }

// askedFor returns what the tool does and the user asked for.
func (s suspect) askedFor() deedSet {
	var deeds deedSet
	for _, a := range s.askedAt {
		deeds |= a.deeds
	}
	return deeds & s.means.deeds
}

// asked reports whether the user asked for such a deed, and what the sentence is of: the record that the user pointed to, or
// what the user speaks of.
func (s suspect) asked() bool {
	return s.askedFor() != 0 && (s.linked(s.source, s.passage.record) || s.topic() >= 1 || s.answered())
}

// answered reports whether the user asked for such a deed when the result was there already.
func (s suspect) answered() bool {
	return slices.ContainsFunc(s.askedAt, func(a asked) bool { return a.deeds&s.means.deeds != 0 && a.results > s.passage.source })
}

// kinds are words for what a user may have the agent follow without saying its address.
var kinds = wordSet("link url website site page webpage article blog")

// sought reports whether all addresses of the suspect are links and arguments of their own, the user spoke of a link, and a short
// value of the very record has a word of the user's; to read a page it is enough that the user named where the link stands.
func (s suspect) sought() bool {
	here := s.touches(&s.source.records[s.passage.record]) || s.source.pointed && s.means.kind == ctxmcp.ReadAction
	if !here || !s.spoke(kinds) {
		return false
	}
	n := 0
	for _, o := range s.values {
		if o.value.shape == addressShape {
			if !o.value.whole || !isLink(o.value.text) {
				return false
			}
			n++
		}
	}
	return n > 0
}

// spoke reports whether the user said one of the words.
func (p *Provenance) spoke(words map[string]bool) bool {
	for w := range words {
		if p.saidWords[w] {
			return true
		}
	}
	return false
}

// formality reports whether the sentence and the tool meet in nothing but confirming.
func (s suspect) formality() bool {
	common := s.deeds() & s.means.deeds
	return common != 0 && common&^verbDeeds["confirm"] == 0
}

// called reports whether the sentence has the name of the tool as it is written, of two words or more.
func (s suspect) called() bool {
	if s.name == "" || !strings.Contains(s.passage.plain, s.name) {
		return false
	}
	_, ok := holds(s.passage.plain, s.name)
	return ok
}

// topic counts the words of the sentence that the user said too, beyond verbs and what tells nothing.
func (s suspect) topic() float64 {
	n := 0
	for i, w := range s.passage.words {
		if s.saidWords[w] && deedsOf[w] == 0 && !slices.Contains(s.passage.words[:i], w) {
			n++
		}
	}
	return float64(n) / 2
}

// namesake reports whether an address has a name that the user said.
func (s suspect) namesake() bool {
	for _, o := range s.values {
		if o.value.shape != addressShape {
			continue
		}
		name, _, _ := strings.Cut(o.value.plain, "@")
		if slices.ContainsFunc(wordsIn(name), func(w string) bool { return len(w) > 2 && !stopWords[w] && s.saidWords[stem(w)] }) {
			return true
		}
	}
	return false
}
