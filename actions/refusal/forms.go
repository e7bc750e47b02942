package refusal

import (
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// none reads the words behind "no": the noun of an act, and its objects.
func (r *reader) none(c []word) {
	at := slices.IndexFunc(c, func(w word) bool { return len(nounKinds()[w.lower]) > 0 })
	if at < 0 || at > 2 {
		return
	}
	body, tail := cut(c[at+1:])
	if len(tail) > 0 && conditionals.Has(tail[0].lower) && !saysSelf(tail) {
		return
	}
	kinds := nounKinds()[c[at].lower]
	objects, _ := r.objects(body, kinds)
	r.refuse(Refusal{kinds: kinds, objects: objects})
}

// asksFirst reads that the user is to be asked before an act: "ask me before you send anything", "but ask me first".
func (r *reader) asksFirst(c []word) bool {
	asker := slices.IndexFunc(c, func(w word) bool { return askers.Has(w.lower) })
	before := slices.IndexFunc(c, func(w word) bool { return befores.Has(w.lower) || w.lower == "until" })
	if asker < 0 || asker > 3 || before < asker || !saysSelf(c[asker:before+1]) && c[before].lower != "first" {
		return false
	}
	if !slices.ContainsFunc(c[:before+1], func(w word) bool { return w.lower == "me" || w.lower == "my" || w.lower == "us" || w.lower == "first" }) {
		return false
	}
	rest := c[before+1:]
	for len(rest) > 0 && (articles.Has(rest[0].lower) || openers.Has(rest[0].lower) && rest[0].lower != "do" || rest[0].lower == "before") {
		rest = rest[1:]
	}
	if len(rest) == 0 {
		r.refuse(Refusal{kinds: r.last.kinds, waits: true})
		return true
	}
	n := len(r.refusals)
	r.act(rest, nil)
	for i := range r.refusals[n:] {
		r.refusals[n+i].waits = true
	}
	return true
}

// leaves reads that a thing is to be left as it is: "leave main alone", "keep the logs", "hands off the lexer", "the database is off-limits".
func (r *reader) leaves(c []word) bool {
	index := func(is func(string) bool) int { return slices.IndexFunc(c, func(w word) bool { return is(w.lower) }) }
	alone, taboo, stay := index(alones.Has), index(taboos.Has), index(stays.Has)
	begin, end, kinds := 0, len(c), []string{allKinds}
	switch first := c[0].lower; {
	case leaves.Has(first) && alone > 0:
		begin, end = 1, alone
	case stay > 0 && max(alone, taboo) > stay: // "production stays as it is"
		end = stay
	case first == "hands" && len(c) > 2 && c[1].lower == "off":
		begin = 2
	case len(c) > 3 && (first == "stay" || first == "keep") && (c[1].lower == "away" || c[1].lower == "out") && (c[2].lower == "from" || c[2].lower == "of"):
		begin = 3
	case first == "keep" && len(c) > 2 && (articles.Has(c[1].lower) || anys.Has(c[1].lower)) && c[1].lower != "it" && c[1].lower != "me" && c[1].lower != "in" && c[1].lower != "up":
		begin, kinds = 1, []string{deleteKind}
	default:
		return false
	}
	body, _ := cut(c[begin:end])
	objects, general := r.objects(body, kinds)
	if len(objects) > 0 {
		r.refuse(Refusal{kinds: kinds, objects: objects})
	}
	return len(objects) > 0 || general
}

// mine reads that the user will do something: "I will push it myself".
func (r *reader) mine(c []word) bool {
	at := slices.IndexFunc(c, func(w word) bool { return myselves.Has(w.lower) })
	if at < 0 {
		return false
	}
	verb := slices.IndexFunc(c[:at], func(w word) bool { return len(kindsOf(w)) > 0 })
	if verb < 0 || !slices.ContainsFunc(c[:verb+1], func(w word) bool {
		return speakers.Has(w.lower)
	}) {
		return false
	}
	r.act(c[verb:at], nil)
	return true
}

// looksOnly reads that nothing is to be changed: "just look", "read-only please".
func (r *reader) looksOnly(c []word) bool {
	only := slices.IndexFunc(c, func(w word) bool { return onlys.Has(w.lower) })
	switch {
	case slices.ContainsFunc(c[:min(2, len(c))], func(w word) bool { return w.lower == "read-only" || w.lower == "readonly" }) && len(c) <= 3:
	case only >= 0 && only+1 < len(c) && lookings.Has(baseOf(c[only+1].lower)) && only < 2, len(c) == 2 && only == 1 && lookings.Has(baseOf(c[0].lower)):
		if i := slices.IndexFunc(c, func(w word) bool { return w.lower == "and" }); i >= 0 && i+1 < len(c) && len(kindsOf(c[i+1])) > 0 {
			return false
		}
	default:
		return false
	}
	r.refuse(Refusal{kinds: []string{allKinds}})
	r.note(c[only+1:])
	return true
}

// onlyStops reports whether a clause says to stop, and nothing else: "stop", "please stop it now".
func onlyStops(c []word) bool {
	return c[0].lower != "and" && slices.ContainsFunc(c, func(w word) bool { return stops.Has(w.lower) }) && !slices.ContainsFunc(c, func(w word) bool {
		return !stops.Has(w.lower) && !articles.Has(w.lower) && !openers.Has(w.lower) && !anys.Has(w.lower) && !adverbs.Has(w.lower)
	})
}

// butNot reads an exception to the order before: "but release-2", behind "delete everything".
func (r *reader) butNot(whole, c []word) bool {
	if whole[0].lower != "but" || len(r.last.kinds) == 0 || slices.ContainsFunc(c, func(w word) bool { return len(kindsOf(w)) > 0 || lookings.Has(baseOf(w.lower)) }) {
		return false
	}
	if !slices.ContainsFunc(r.last.words, func(w word) bool { return anys.Has(w.lower) }) {
		return false
	}
	objects, _ := r.objects(c, r.last.kinds)
	if len(objects) > 0 {
		r.refuse(Refusal{kinds: r.last.kinds, objects: objects})
	}
	return true
}

// order reads a clause that asks for something, with its exceptions and limits.
func (r *reader) order(c []word) {
	r.asked = c
	if at := slices.IndexFunc(c, func(w word) bool { return w.lower == "without" }); at >= 0 && at+1 < len(c) && !describes(c, at) {
		r.order(c[:at])
		r.without(c[at+1:])
		return
	}
	if at := slices.IndexFunc(c, func(w word) bool { return nothings.Has(w.lower) }); at > 0 && len(kindsOf(c[at-1])) > 0 {
		r.asked = nil
		r.act(append([]word{c[at-1]}, c[at+1:]...), nil)
		return
	}
	if len(c) > 0 {
		r.limits(c)
		r.note(c)
	}
	if at := slices.IndexFunc(c, func(w word) bool { return excepts.Has(w.lower) && w.lower != "but" && w.lower != "not" }); at > 0 {
		if objects, _ := r.objects(withoutLead(c[at+1:]), r.last.kinds); len(objects) > 0 {
			r.refuse(Refusal{kinds: r.last.kinds, objects: objects})
		}
	}
}

// describes reports whether "without" at a place of a clause says which things are meant, and refuses nothing: they are the subject of a verb that stands
// behind, as in "members without an order can come off the list".
func describes(c []word, at int) bool {
	if at == 0 || joints.Has(c[at-1].lower) || openers.Has(c[0].lower) && !articles.Has(c[0].lower) || len(kindsOf(c[0])) > 0 || slices.ContainsFunc(c[:at], func(w word) bool { return finite(w.lower) }) {
		return false
	}
	verb := slices.IndexFunc(c[at+1:], func(w word) bool { return finite(w.lower) }) + at + 1
	return verb > at+1 && !slices.ContainsFunc(c[at+1:verb], func(w word) bool { return joints.Has(w.lower) || pronouns.Has(w.lower) })
}

// finite reports whether a word is a verb that has a subject before it in a statement.
func finite(w string) bool { return language.CommandWords.Row("auxiliary").Has(w) || w == "may" }

// withoutLead leaves out words such as "for" and "what" before an exception.
func withoutLead(c []word) []word {
	for len(c) > 0 && (articles.Has(c[0].lower) || endings.Has(c[0].lower)) {
		c = c[1:]
	}
	return c
}

// without reads the words behind "without": "adding dependencies", "changes", "my okay".
func (r *reader) without(c []word) {
	switch {
	case strings.HasSuffix(c[0].lower, "ing") && !harmless.Has(baseOf(c[0].lower)):
		r.act(c, nil)
	case saysSelf(c[:min(2, len(c))]):
		r.refuse(Refusal{kinds: r.last.kinds, waits: true})
	default:
		r.none(c)
	}
}

// limits reads that an act is asked for of certain things only: "deploy to staging only", "only edit README.md", "as a dry run".
func (r *reader) limits(c []word) {
	verb := slices.IndexFunc(c, func(w word) bool { return len(kindsOf(w)) > 0 })
	if verb < 0 || verb > 2 {
		return
	}
	kinds := append([]string{baseOf(c[verb].lower)}, kindsOf(c[verb])...)
	if at := slices.IndexFunc(c, func(w word) bool { return w.lower == "dry-run" }); at > verb {
		objects, _ := r.objects(c[verb+1:at], kinds)
		r.refuse(Refusal{kinds: kinds, objects: objects, dry: true})
		return
	}
	at := slices.IndexFunc(c, func(w word) bool { return onlys.Has(w.lower) && w.lower != "just" && w.lower != "merely" })
	if at < 0 {
		return
	}
	limited := c[verb+1:]
	switch {
	case at+1 < len(c) && endings.Has(c[at+1].lower):
		return // "only when the tests pass"
	case at > verb && at+1 < len(c):
		limited = c[at+1:]
	case at > verb:
		limited = c[verb+1 : at]
		if p := lastIndex(limited, func(w word) bool { return slices.Contains([]string{"to", "in", "on", "from", "with"}, w.lower) }); p >= 0 {
			limited = limited[p+1:]
		}
	}
	body, tail := cut(limited)
	if len(tail) > 0 && conditionals.Has(tail[0].lower) {
		return
	}
	if objects, _ := r.objects(body, kinds); len(objects) > 0 {
		r.refuse(Refusal{kinds: kinds, objects: objects, only: true})
	}
}

func lastIndex(c []word, is func(word) bool) int {
	for i := len(c) - 1; i >= 0; i-- {
		if is(c[i]) {
			return i
		}
	}
	return -1
}

// note takes down the request of a clause.
func (r *reader) note(c []word) {
	a := ask{words: c, pronoun: isPronoun(c), goes: len(c) > 0 && (goes.Has(c[0].lower) || c[0].lower == "go-ahead")}
	for i, w := range c {
		if !begins(c, i) || len(kindsOf(w)) == 0 && (i > 0 || len(c) < 2) {
			continue
		}
		if next := i + 1; next < len(c) && (c[next].lower == "me" || c[next].lower == "us") {
			continue
		}
		a.kinds = append(a.kinds, baseOf(w.lower))
		a.kinds = append(a.kinds, kindsOf(w)...)
	}
	a.objects, _ = r.objects(c[min(1, len(c)):], a.kinds)
	r.last = a
	if len(a.kinds) > 0 || a.goes {
		r.asks = append(r.asks, a)
	}
}

// begins reports whether a verb of an order may stand at a place of a clause.
func begins(c []word, i int) bool {
	return i == 0 || joints.Has(c[i-1].lower)
}
