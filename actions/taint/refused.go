package taint

import (
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/language"
)

var (
	refuseNot      = language.Refusals.Row("not")
	refuseBefore   = language.Refusals.Row("before")
	refuseWithout  = language.Refusals.Row("without")
	refuseHarmless = language.Refusals.Row("harmless")
	refuseAny      = language.Refusals.Row("any")
	refuseBut      = language.Refusals.Row("but")
	refuseIdle     = language.Refusals.Row("idle")
	refuseStop     = language.Refusals.Row("stop")
	refuseLeave    = language.Refusals.Row("leave")
	refuseAlone    = language.Refusals.Row("alone")
	refuseChanging = language.Refusals.Row("changing").By(language.LightStem)
)

// refusal is what a clause of the user says not to do.
type refusal struct {
	verb    string   // its stem; empty: whatever changes something
	objects []string // words of what it is not to be done to; none: anything
}

// refusalsIn returns what a clause refuses, and how many of its tokens come before that, -1 if it refuses nothing. on says that the clause before
// refused a verb alone, which this one goes on with: "do not commit and push".
func refusalsIn(clause []token, on bool) (all []refusal, before int) {
	before, verb := refusing(clause)
	if on && before < 0 && len(clause) > 1 && clause[0].word == "and" && isVerb(clause[1]) {
		before, verb = 0, 1
	}
	if before < 0 || verb >= len(clause) || refuseHarmless.Has(clause[verb].word) {
		return nil, -1
	}
	if clause[before].word == "not" && (before == 0 || clause[before-1].word != "do") && !isVerb(clause[verb]) {
		return nil, -1 // "not the tests"
	}
	all = []refusal{{verb: clause[verb].stem}}
	for i, t := range clause[verb+1:] {
		last := &all[len(all)-1]
		switch {
		case refuseBut.Has(t.word):
			return nil, -1 // nobody can tell how far it goes
		case isVerb(t) && (clause[verb+i].word == "or" || clause[verb+i].word == "nor"):
			all = append(all, refusal{verb: t.stem})
		case !refuseAny.Has(t.word) && !stopWords.Has(t.word) && !generic.Has(t.stem):
			last.objects = append(last.objects, t.word)
		}
	}
	objects := all[len(all)-1].objects
	for i := range all {
		all[i].objects = objects
		if refuseChanging.Has(all[i].verb) {
			all[i].verb = ""
		}
	}
	// "don't change the amount" belongs to the request
	return slices.DeleteFunc(all, func(r refusal) bool { return r.verb == "" && len(r.objects) > 0 }), before
}

// isVerb reports whether a word asks for an effect.
func isVerb(t token) bool {
	return verbEffects()[t.stem] != 0 || requestStems()[t.stem] || refuseChanging.Has(t.stem)
}

// refusing returns where a clause begins to refuse, -1 for nowhere, and where the verb stands that it refuses.
func refusing(clause []token) (at, verb int) {
	for i, t := range clause {
		switch {
		case refuseNot.Has(t.word):
			verb = i + 1
			for verb < len(clause) && (adverbs.Has(clause[verb].word) || clause[verb].word == "ever") {
				verb++
			}
			return i, verb
		case !refuseBefore.Has(t.word):
			return withoutDoing(clause, i)
		}
	}
	return -1, len(clause)
}

// withoutDoing looks for "without" and a verb with -ing, from a token of a clause on.
func withoutDoing(clause []token, from int) (at, verb int) {
	for i := from; i+1 < len(clause); i++ {
		if refuseWithout.Has(clause[i].word) && strings.HasSuffix(clause[i+1].word, "ing") {
			return i, i + 1
		}
	}
	return -1, len(clause)
}

// onlyReads reports whether a clause says that nothing is to be changed at all: "read only, please".
func onlyReads(clause []token) bool {
	said := ""
	for _, t := range clause {
		if !refuseIdle.Has(t.word) {
			return false
		}
		said += t.word + " "
	}
	return strings.Contains(said, "read only ") || strings.Contains(said, "readonly ") || strings.Contains(said, "dry run ") || strings.HasPrefix(said, "no changes ")
}

// onlyStops reports whether a clause says to stop, and nothing else: "stop", "please stop it now".
func onlyStops(clause []token) bool {
	stops := 0
	for _, t := range clause {
		switch {
		case refuseStop.Has(t.word):
			stops++
		case !refuseIdle.Has(t.word) && !refuseAny.Has(t.word):
			return false
		}
	}
	return stops > 0
}

// leftAlone returns the words of a thing that a clause says to leave alone: "leave main alone", "keep the old bucket untouched".
func leftAlone(clause []token) (objects []string) {
	end := slices.IndexFunc(clause, func(t token) bool { return refuseAlone.Has(t.word) })
	begin := slices.IndexFunc(clause, func(t token) bool { return refuseLeave.Has(t.word) })
	if begin < 0 || end < begin {
		return nil
	}
	for _, t := range clause[begin+1 : end] {
		if !refuseAny.Has(t.word) && !stopWords.Has(t.word) && !generic.Has(t.stem) {
			objects = append(objects, t.word)
		}
	}
	return objects
}

// refuse takes in what the sentences of a statement refuse, and returns them without the words that do. What they ask for lifts what was refused before.
func (p *heard) refuse(sentences [][]token) [][]token {
	var kept [][]token
	var now []refusal
	for _, tokens := range sentences {
		var left []token
		on := false
		for len(tokens) > 0 {
			n := clauseEnd(tokens)
			clause := tokens[:n]
			tokens = tokens[n:]
			if onlyReads(clause) || onlyStops(clause) {
				now, clause = append(now, refusal{}), nil
			} else if objects := leftAlone(clause); len(objects) > 0 {
				now, clause = append(now, refusal{verb: untouched, objects: objects}), nil
			} else if all, before := refusalsIn(clause, on); before >= 0 {
				now, clause = append(now, all...), clause[:before]
				on = len(all) > 0 && len(all[0].objects) == 0
			} else {
				on = false
			}
			left = append(left, clause...)
		}
		kept = append(kept, left)
	}
	asked := doingIn(kept)
	p.refused = slices.DeleteFunc(p.refused, func(r refusal) bool { return asked[r.verb] || r.verb == "" && asksChange(asked) })
	for _, r := range now {
		if len(r.objects) > 0 || r.verb == "" || !asked[r.verb] {
			p.refused = append(p.refused, r)
		}
	}
	return kept
}

// doingIn returns the stems of what sentences ask for, beyond to look.
func doingIn(sentences [][]token) map[string]bool {
	all := map[string]bool{}
	for _, sentence := range sentences {
		asks := false
		for tokens := doing(sentence); len(tokens) > 0; {
			n := clauseEnd(tokens)
			asks = asksIn(tokens[:n]) || asks && tokens[0].word == "and"
			for _, t := range tokens[:n] {
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

// Refused reports whether the user said not to do what an effect does: by one of the words of its class, which are stems, or by a word of its name,
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
