package refusal

import (
	"slices"
	"strings"
)

// Refusal is one thing that the user said not to do.
type Refusal struct {
	Said    string     // the sentence that says so
	kinds   []string   // of acts, and stems of verbs; allKinds: whatever changes something
	objects [][]string // words of what it is about, each list one thing; none: whatever it is
	only    bool       // it is about everything but the objects
	dry     bool       // it is about acts that are not tried out only
	waits   bool       // for a word of the user
	ends    bool       // it takes back what was asked for before
	excused []string   // kinds that it is not about any more
}

// ask is the request of a clause.
type ask struct {
	kinds   []string
	objects [][]string
	words   []word // of the clause, behind its verb
	goes    bool   // "go ahead"
	pronoun bool   // its object is a word for something said before
}

// reader reads the sentences of one statement.
type reader struct {
	refusals []Refusal
	asks     []ask
	last     ask // of the clause before
	on       bool
	said     string
	tells    bool   // it has somebody told something
	produces bool   // it has something put down
	asked    []word // of the clause, where another part of it refuses something
}

// read returns the refusals and the requests in the sentences of a statement, and the sentences without the words that refuse.
func read(sentences []sentence) ([]Refusal, []ask, string) {
	var r reader
	var wanted strings.Builder
	for _, s := range sentences {
		r.said, r.on = s.text, false
		kept, refused := "", len(r.refusals)
		for i, c := range s.clauses {
			if i > 0 && conditionals.Has(s.clauses[i-1][0].lower) {
				kept += textOf(c)
				continue // "if it is late, do not send it"
			}
			before := len(r.refusals)
			r.asked = nil
			if r.clause(c); len(r.refusals) > before {
				c = r.asked
			}
			kept += textOf(c)
		}
		if len(r.refusals) == refused {
			kept = s.text
		}
		wanted.WriteString(kept + "\n")
	}
	for i := range r.refusals {
		one := &r.refusals[i]
		if !slices.Contains(one.kinds, allKinds) || len(one.objects) > 0 {
			continue
		}
		if r.tells {
			one.excused = append(one.excused, sendKind)
		}
		if r.produces {
			one.excused = append(one.excused, newDocument)
		}
	}
	return r.refusals, r.asks, wanted.String()
}

// textOf returns words as they are written, with a space behind.
func textOf(c []word) string {
	var b strings.Builder
	for _, w := range c {
		b.WriteString(w.text + w.ends + " ")
	}
	return b.String()
}

// refuse takes in a refusal.
func (r *reader) refuse(one Refusal) {
	one.Said = r.said
	if len(one.kinds) > 0 {
		r.refusals = append(r.refusals, one)
	}
}

// clause reads one clause.
func (r *reader) clause(c []word) {
	r.tells = r.tells || slices.ContainsFunc(c, func(w word) bool { return w.lower == "know" || slices.Contains(kindsOf(w), sendKind) })
	r.produces = r.produces || slices.ContainsFunc(c, func(w word) bool { return producing.Has(w.lower) })
	rest, prefix := opened(c)
	if len(rest) == 0 {
		return
	}
	on := r.on
	r.on = false
	switch {
	case nots.Has(rest[0].lower):
		r.not(rest, prefix, len(c) > len(rest) && modal(c[len(c)-len(rest)-1]))
	case rest[0].lower == "no":
		r.none(rest[1:])
	case on && listed(rest):
		r.not(append([]word{{lower: "dont"}}, rest...), nil, true)
	case onlyStops(c):
		r.refuse(Refusal{kinds: []string{allKinds}, ends: true})
	case r.asksFirst(rest), r.leaves(rest), r.mine(rest), r.looksOnly(rest), r.butNot(c, rest):
	default:
		r.order(rest)
	}
}

// modal reports whether a word before "not" makes the words behind it a refusal.
func modal(w word) bool {
	return modals.Has(w.lower)
}

// listed reports whether a clause goes on with a list of verbs: "do not commit, push or deploy".
func listed(c []word) bool {
	i := 0
	if c[0].lower == "or" || c[0].lower == "nor" {
		i = 1
	}
	return i < len(c) && len(kindsOf(c[i])) > 0 && (i == 1 || slices.ContainsFunc(c, func(w word) bool { return w.lower == "or" }) || len(c) == 1)
}

// opened returns a clause without its opening words, and the place that it begins with: "in production do not …".
func opened(c []word) (rest, prefix []word) {
	rest = c
	for len(rest) > 0 && (openers.Has(rest[0].lower) || len(rest) > 1 && onlys.Has(rest[0].lower) && nots.Has(rest[1].lower)) {
		rest = rest[1:]
	}
	if len(c) > len(rest) && withins.Has(c[len(c)-len(rest)-1].lower) || len(rest) > 0 && (withins.Has(rest[0].lower) || rest[0].lower == "with") {
		if at := slices.IndexFunc(rest, func(w word) bool { return nots.Has(w.lower) }); at > 0 && at < 5 {
			return rest[at:], rest[:at]
		}
	}
	return rest, nil
}

// kindsOf returns the kinds of acts of a verb, none for a word that is no such verb.
func kindsOf(w word) []string { return verbKinds()[baseOf(w.lower)] }

// not reads a clause that begins with a word that refuses.
func (r *reader) not(c, prefix []word, sure bool) {
	bare := c[0].lower == "not" && !sure
	c = c[1:]
	for len(c) > 0 && adverbs.Has(c[0].lower) && len(kindsOf(c[0])) == 0 {
		if bare && len(r.last.kinds) > 0 && (c[0].lower == "to" || c[0].lower == "in" || c[0].lower == "from") {
			break // "deploy to staging, not to production"
		}
		c = c[1:]
	}
	if len(c) == 0 || harmless.Has(baseOf(c[0].lower)) {
		return
	}
	kinds := kindsOf(c[0])
	if bare && len(kinds) == 0 || bare && articles.Has(c[0].lower) {
		if objects, _ := r.objects(c, r.last.kinds); len(objects) > 0 {
			r.refuse(Refusal{kinds: r.last.kinds, objects: objects})
		}
		return
	}
	r.act(c, prefix)
}

// act reads a verb that is refused, and the words behind it.
func (r *reader) act(c, prefix []word) {
	kinds := append([]string{baseOf(c[0].lower)}, kindsOf(c[0])...)
	i := 1
	for i+1 < len(c) && slices.Contains([]string{"or", "nor", "and"}, c[i].lower) && len(kindsOf(c[i+1])) > 0 {
		kinds = append(kinds, kindsOf(c[i+1])...)
		i += 2
	}
	body, tail := cut(c[i:])
	if len(tail) > 0 && (conditionals.Has(tail[0].lower) && !saysSelf(tail) || tail[0].lower == "than") || len(tail) > 0 && (tail[0].lower == "else" || tail[0].lower == "other" || tail[0].lower == "otherwise") {
		return // nobody can tell how far it goes
	}
	for _, w := range body {
		if more := nounKinds()[w.lower]; len(more) > 0 && light(c[0]) {
			kinds = append(slices.DeleteFunc(kinds, func(k string) bool { return k == allKinds }), more...)
		}
	}
	one := Refusal{kinds: kinds, waits: saysSelf(tail)}
	var only bool
	one.objects, only = r.objects(append(slices.Clone(prefix), body...), kinds)
	if only {
		one.kinds = slices.DeleteFunc(one.kinds, func(k string) bool { return k == allKinds })
		one.kinds = append(one.kinds, editKind, deleteKind)
	}
	switch all := slices.Contains(one.kinds, allKinds); {
	case len(one.objects) > 0 || only || len(body) == 0 || saysWhatever(body):
	case all:
		if one.objects = r.meant(true); len(one.objects) == 0 {
			return // "do not change it", and nobody can tell what
		}
	case isPronoun(body):
		one.objects = r.meant(sharesKind(kinds, []string{runKind, editKind, deleteKind}))
	}
	if len(tail) > 0 && excepts.Has(tail[0].lower) {
		if objects, _ := r.objects(tail[1:], kinds); len(objects) > 0 {
			one.only, one.objects = true, objects
		}
	}
	r.on = len(body) == 0
	r.refuse(one)
}

// light reports whether a verb says no more than that its object is made: "do not make any commits".
func light(w word) bool {
	return lights.Has(w.lower)
}

// cut parts words before the first that ends what they are about.
func cut(c []word) (body, tail []word) {
	at := slices.IndexFunc(c, func(w word) bool { return endings.Has(w.lower) || excepts.Has(w.lower) })
	if at < 0 {
		return c, nil
	}
	return c[:at], c[at:]
}

func saysSelf(c []word) bool {
	return slices.ContainsFunc(c, func(w word) bool { return selves.Has(w.lower) })
}

func isPronoun(body []word) bool {
	return slices.ContainsFunc(body, func(w word) bool {
		return pronouns.Has(w.lower)
	})
}

// saysWhatever reports whether words mean everything: "anything at all".
func saysWhatever(body []word) bool {
	return slices.ContainsFunc(body, func(w word) bool {
		return whatevers.Has(w.lower)
	})
}

// objects returns the things that words are about; general reports whether there are only words such as "the files".
func (r *reader) objects(c []word, kinds []string) (all [][]string, general bool) {
	var one, vague []string
	end := func() {
		if len(one) == 0 && len(vague) > 0 {
			general = true
		}
		if len(one) > 0 {
			all = append(all, one)
		}
		one, vague = nil, nil
	}
	for _, w := range c {
		switch {
		case w.lower == "and" || w.lower == "or" || w.lower == "nor":
			end()
		case endings.Has(w.lower):
			end()
			return all, general && len(all) == 0
		case isNamed(w.text):
			one = append(one, fullName(w.text))
		case articles.Has(w.lower) || anys.Has(w.lower) || adverbs.Has(w.lower) || onlys.Has(w.lower) || nothings.Has(w.lower):
		case generals.Has(w.lower):
			vague = append(vague, w.lower)
		case sharesKind(nounKinds()[w.lower], kinds):
		default:
			one = append(one, thingOf(w.lower))
		}
	}
	end()
	return all, general && len(all) == 0
}

func sharesKind(a, b []string) bool {
	return slices.ContainsFunc(a, func(k string) bool { return slices.Contains(b, k) })
}

// meant returns the things that a word such as "it" stands for. With loosely, each word of the clause before may be one.
func (r *reader) meant(loosely bool) (all [][]string) {
	if !loosely {
		return nil
	}
	for _, object := range r.last.objects {
		for _, w := range object {
			if isNamed(w) {
				return [][]string{{w}}
			}
		}
	}
	for _, object := range r.last.objects[:min(1, len(r.last.objects))] {
		all = append(all, object[:1])
	}
	return all
}
