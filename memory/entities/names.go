package entities

import "strings"

// names finds spans of words with capitals.
func names(t *text) []span {
	var found []span
	for i := 0; i < len(t.words); i++ {
		if !t.begins(i) {
			continue
		}
		j, inner := t.spanFrom(i)
		s := span{start: t.words[i].start, end: t.words[j-1].end, form: Proper, kind: t.kindOf(i, j)}
		if organizations.Has(t.words[j-1].folded) && strings.HasPrefix(t.raw[s.end:], ".") && len(t.words[j-1].folded) < 5 {
			s.end++
		}
		var named bool
		if s.tentative, named = t.doubt(i, j); named {
			found = append(append(found, s), inner...)
		}
		i = j - 1
	}
	return found
}

// begins reports whether a name may begin with word i.
func (t *text) begins(i int) bool {
	w := t.words[i]
	if !w.capital || calendar.Has(w.folded) {
		return false
	}
	if bare, _, _ := strings.Cut(w.folded, "-"); w.upper && (acronyms.Has(bare) || t.shouting && !given.Has(w.folded)) {
		return false
	}
	if titles.Has(w.folded) && w.folded != "the" {
		return i+1 < len(t.words) && t.words[i+1].capital && strings.Trim(t.gap(w, t.words[i+1]), ". ") == ""
	}
	if given.Has(w.folded) && i+1 < len(t.words) && t.particles(i+1) > 0 {
		return true // Jan de Boer
	}
	if !plain.Has(w.folded) {
		next := i + 1
		leads := strings.HasSuffix(w.folded, "ing") || strings.HasSuffix(w.folded, "ed") || strings.HasSuffix(w.folded, "ly")
		return !(w.opens && leads && !given.Has(w.folded) && next < len(t.words) && given.Has(t.words[next].folded)) // "Pinging Sam"
	}
	// A usual word is part of a name only inside a sentence, before another word with a capital.
	return !w.opens && !t.german && i+1 < len(t.words) && t.words[i+1].capital && t.gap(w, t.words[i+1]) == " " && !calendar.Has(t.words[i+1].folded) &&
		!t.words[i+1].upper
}

// spanFrom returns the end of the name that begins with word i, and the short names that are quoted in it.
func (t *text) spanFrom(i int) (end int, inner []span) {
	j := i + 1
	for j < len(t.words) {
		gap, next := t.gap(t.words[j-1], t.words[j]), t.words[j]
		initial := t.words[j-1].end-t.words[j-1].start == 1 || titles.Has(t.words[j-1].folded)
		switch {
		case t.quotes(j):
			inner = append(inner, span{start: next.start, end: next.end, form: Proper, kind: Person, inner: true})
			j += 2
		case gap == "." && t.letter(j-1) && t.letter(j): // S.A.
			j++
		case gap != " " && !(gap == ". " && initial):
			return j, inner
		case next.capital && !calendar.Has(next.folded) && !(next.upper && (acronyms.Has(next.folded) && !software.Has(next.folded) || t.shouting)):
			j++
		case particles.Has(next.folded) && t.particles(j) > 0 && !(next.folded == "of" && given.Has(t.words[i].folded)):
			j += t.particles(j)
		default:
			return j, inner
		}
	}
	return j, inner
}

// letter reports whether word j is one capital.
func (t *text) letter(j int) bool { return t.words[j].capital && t.words[j].end-t.words[j].start == 1 }

// quotes reports whether word j is a short name between quotation marks, with the rest of the name behind it.
func (t *text) quotes(j int) bool {
	if j+1 >= len(t.words) || !t.words[j].capital || !t.words[j+1].capital {
		return false
	}
	before, after := t.gap(t.words[j-1], t.words[j]), t.gap(t.words[j], t.words[j+1])
	return before == ` "` && after == `" ` || before == " “" && after == "” "
}

// particles returns the number of words from j on that are particles before another word of the name, 0 if no such word comes.
func (t *text) particles(j int) int {
	for k := j; k < len(t.words) && k < j+3 && t.gap(t.words[k-1], t.words[k]) == " "; k++ {
		if !particles.Has(t.words[k].folded) {
			if t.words[k].capital && !calendar.Has(t.words[k].folded) {
				return k - j
			}
			return 0
		}
	}
	return 0
}

// kindOf guesses the kind of thing that the name from word i to before j is of.
func (t *text) kindOf(i, j int) Kind {
	first := t.words[i]
	switch {
	case software.Has(t.words[j-1].folded) && j-i > 1:
		return System
	case organizations.Has(t.words[j-1].folded) && j-i > 1, t.isCompany(i, j):
		return Organization
	case titles.Has(first.folded) && first.folded != "the", given.Has(first.folded), j-i > 1 && first.end-first.start == 1, ofFamily(first.folded):
		return Person
	case j < len(t.words) && t.gap(t.words[j-1], t.words[j]) == " " && human.Has(t.words[j].folded):
		return Person
	}
	for k := i + 1; k < j-1; k++ {
		if particles.Has(t.words[k].folded) && t.words[k].folded != "of" {
			return Person
		}
	}
	return Unknown
}

// isCompany reports whether the words from i to before j end with a form of company.
func (t *text) isCompany(i, j int) bool {
	if companies()[t.words[j-1].folded] == "" && !t.letter(j-1) {
		return false
	}
	_, form := company(strings.Fields(nameKey(t.raw[t.words[i].start:t.words[j-1].end])))
	return form != ""
}

// ofFamily reports whether a word is a family name by its form.
func ofFamily(folded string) bool {
	return strings.HasPrefix(folded, "o'") || strings.HasPrefix(folded, "o’") || strings.HasPrefix(folded, "mc") && len(folded) > 4
}

// doubt reports whether the name from word i to before j counts only if it is known, and whether it is a name at all.
func (t *text) doubt(i, j int) (tentative, named bool) {
	first := t.words[i]
	if j-i > 1 {
		return t.german && t.kindOf(i, j) == Unknown, true
	}
	switch {
	case first.end-first.start == 1, plain.Has(first.folded):
		return false, false
	case given.Has(first.folded), ofFamily(first.folded), first.upper && !first.opens:
		return false, true
	case t.german:
		return true, true
	case first.opens:
		return !t.elsewhere(i) && !t.introduced(i), true
	}
	return false, true
}

// introduced reports whether the words after word i explain it: "Nova is our assistant".
func (t *text) introduced(i int) bool {
	return i+2 < len(t.words) && t.words[i+1].folded == "is" && determiners.Has(t.words[i+2].folded)
}

// elsewhere reports whether word i stands with its capital inside a sentence too.
func (t *text) elsewhere(i int) bool {
	for k, w := range t.words {
		if k != i && !w.opens && w.capital && w.folded == t.words[i].folded {
			return true
		}
	}
	return false
}
