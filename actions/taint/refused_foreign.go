package taint

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// untouched is the verb of a refusal of whatever is done to its objects: "leave main alone".
const untouched = "*"

// tongue is a language in which refusals are read, by the rows of its list.
type tongue struct {
	rows  map[string][]string
	verbs []string // rows of verbs
}

// tonguesOf returns the languages of language.ForeignRefusals.
var tonguesOf = sync.OnceValue(func() (all []tongue) {
	idle := strings.Fields("not nothing closing but harmless and stop alone idle")
	for _, table := range language.ForeignRefusals {
		t := tongue{rows: map[string][]string{}}
		for _, r := range table.Rows() {
			t.rows[r.Head] = r.Words
			if !slices.Contains(idle, r.Head) {
				t.verbs = append(t.verbs, r.Head)
			}
		}
		all = append(all, t)
	}
	return all
})

// refuseForeign takes in the refusals of a statement in another language than English, and the verbs of its orders. An order without a refusal lifts an earlier one.
func (p *heard) refuseForeign(text string) {
	text = strings.ToLower(folded(text))
	var now []refusal
	asked, perhaps := map[string]bool{}, map[string]bool{}
	for _, t := range tonguesOf() {
		refused, wanted := t.refusals(text)
		now = append(now, refused...)
		if len(refused) > 0 {
			maps.Copy(asked, wanted)
		} else {
			maps.Copy(perhaps, wanted)
		}
	}
	for _, r := range now { // a refusal in one language may look like an order in another
		delete(perhaps, r.verb)
	}
	maps.Copy(asked, perhaps)
	maps.Copy(p.userDoing, asked)
	p.refused = slices.DeleteFunc(p.refused, func(r refusal) bool { return asked[r.verb] || r.verb == "" && len(asked) > 0 })
	p.refused = append(p.refused, now...)
}

// mayBeForeign reports whether a statement has no word of English grammar, but for those that other languages write the same.
func mayBeForeign(tokens []token) bool {
	return !slices.ContainsFunc(tokens, func(t token) bool { return t.word != "no" && language.IsEnglishGrammar(t.word) })
}

// refusals returns the refusals of a text, and the stems of the English verbs of its requests.
func (t tongue) refusals(text string) (now []refusal, asked map[string]bool) {
	asked = map[string]bool{}
	var before []string // verbs of the clause before
	for clause := range t.clauses(text) {
		verbs, at := t.verbsIn(clause)
		switch {
		case t.stops(clause):
			now = append(now, refusal{})
		case t.leavesAlone(clause):
			now = append(now, refusal{verb: untouched, objects: t.objects(clause)})
		case !t.has(clause, "not") && !t.has(clause, "nothing"):
			for _, v := range verbs {
				asked[language.LightStem(v)] = true
			}
			if len(verbs) > 0 {
				before = verbs
			}
		case t.has(clause, "but") || t.has(clause, "harmless") || strings.HasSuffix(clause[len(clause)-1], "?"):
		case len(verbs) == 0 && len(t.objects(clause)) > 0:
			now = append(now, refusalsOf(before, t.objects(clause))...)
		case t.refuses(clause, at):
			if slices.Contains(verbs, "change") {
				if t.has(clause, "nothing") {
					now = append(now, refusal{})
				}
				continue // "do not change the amount" belongs to the request
			}
			now = append(now, refusalsOf(verbs, t.objects(clause))...)
		}
	}
	return slices.DeleteFunc(now, func(r refusal) bool { return len(r.objects) == 0 && asked[r.verb] }), asked
}

func refusalsOf(verbs, objects []string) (all []refusal) {
	for _, v := range verbs {
		all = append(all, refusal{language.LightStem(v), objects})
	}
	return all
}

// clauses yields the words of each clause, a question with its sign at the last word. A script without spaces has one word a clause.
func (t tongue) clauses(text string) func(func([]string) bool) {
	return func(yield func([]string) bool) {
		var clause []string
		give := func() bool {
			is := clause
			clause = nil
			return len(is) == 0 || yield(is)
		}
		for w := range strings.FieldsSeq(clauseSigns.Replace(text)) {
			word := strings.Trim(w, "\"'“”„«»()¿¡`")
			ends := strings.TrimRight(word, ".,;:!")
			if slices.Contains(t.rows["and"], ends) && !give() {
				return
			}
			if ends != "" {
				clause = append(clause, ends)
			}
			if (ends != word || strings.HasSuffix(word, "?")) && !give() {
				return
			}
		}
		give()
	}
}

// clauseSigns puts the signs of full width in the form of others.
var clauseSigns = strings.NewReplacer("，", ", ", "。", ". ", "、", ", ", "！", "! ", "？", "? ", "；", "; ", "：", ": ", "’", "' ", "'", "' ")

// holdsWord reports whether a word is the entry of a list. One of a script without spaces has it as a part.
func holdsWord(word, entry string) bool {
	if first := []rune(entry); len(first) > 0 && unbroken(first[0]) {
		return strings.Contains(word, entry)
	}
	if stem, is := strings.CutSuffix(entry, "*"); is {
		return strings.HasPrefix(word, stem)
	}
	return strings.TrimSuffix(word, "?") == entry
}

func (t tongue) isOf(word, row string) bool {
	return slices.ContainsFunc(t.rows[row], func(e string) bool { return holdsWord(word, e) })
}

func (t tongue) has(clause []string, row string) bool {
	return slices.ContainsFunc(clause, func(w string) bool { return t.isOf(w, row) })
}

// verbsIn returns the rows of the verbs in a clause, and where the first stands.
func (t tongue) verbsIn(clause []string) (all []string, at int) {
	at = -1
	for i, w := range clause {
		for _, v := range t.verbs {
			if t.isOf(w, v) {
				all = append(all, v)
				if at < 0 {
					at = i
				}
			}
		}
	}
	return all, at
}

// besideVerb is the distance, in words, within which a word that refuses belongs to a verb: "no lo borres", "supprime-le pas".
const besideVerb = 2

// refuses reports whether the clause refuses its verb: by a word beside it, or at the end of the clause ("lösche main nicht"). "Delete the branch that
// is not merged" refuses nothing.
func (t tongue) refuses(clause []string, verb int) bool {
	if verb < 0 {
		return false
	}
	for i, w := range clause {
		if (t.isOf(w, "not") || t.isOf(w, "nothing")) && (i >= verb-besideVerb && i <= verb+besideVerb || i == len(clause)-1 && t.isOf(w, "closing")) {
			return true
		}
	}
	return false
}

// stops reports whether a clause says to stop, and nothing else.
func (t tongue) stops(clause []string) bool {
	said := strings.Join(slices.DeleteFunc(slices.Clone(clause), func(w string) bool { return t.isOf(w, "idle") && !t.isOf(w, "stop") }), " ")
	return slices.ContainsFunc(t.rows["stop"], func(e string) bool {
		if first := []rune(e); unbroken(first[0]) {
			return strings.HasPrefix(said, e) && len(said) <= len(e)+len("ください")
		}
		return said == e
	})
}

// leavesAlone reports whether a clause has the words of a phrase for leaving something alone, in order, and something of its own.
func (t tongue) leavesAlone(clause []string) bool {
	if len(t.objects(clause)) == 0 {
		return false
	}
	return slices.ContainsFunc(t.rows["alone"], func(phrase string) bool {
		rest := clause
		for w := range strings.FieldsSeq(phrase) {
			at := slices.IndexFunc(rest, func(one string) bool { return holdsWord(one, w) })
			if at < 0 {
				return false
			}
			if first := []rune(w); !unbroken(first[0]) {
				rest = rest[at+1:]
			}
		}
		return true
	})
}

// objects returns the words of a clause that name something by their own: codes, names of files and branches.
func (t tongue) objects(clause []string) (all []string) {
	for _, w := range clause {
		for part := range strings.FieldsFuncSeq(w, func(r rune) bool { return unbroken(r) || strings.ContainsRune("\"'?", r) }) {
			if IsCode(part) || strings.ContainsAny(part, "/._-") || isPlainName(part) && !isLatin(t) {
				all = append(all, part)
			}
		}
	}
	return append(all, t.branches(clause)...)
}

// branches returns the words of a clause that name a branch or a stage in all languages.
func (t tongue) branches(clause []string) (all []string) {
	for _, w := range clause {
		if language.CommonNames.Has(strings.TrimSuffix(w, "?")) {
			all = append(all, w)
		}
	}
	return all
}

func isPlainName(w string) bool {
	return len(w) > 1 && !strings.ContainsFunc(w, func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// isLatin reports whether the words of a language are of the letters that names have.
func isLatin(t tongue) bool {
	first := []rune(t.rows["delete"][0])
	return unicode.Is(unicode.Latin, first[0])
}
