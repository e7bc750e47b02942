package entities

// known finds the names in the vocabularies of systems and places, the longest first.
func known(t *text) []span {
	var found []span
	for i := 0; i < len(t.words); i++ {
		if !listed()[beginning(t.words[i].folded)] {
			continue
		}
		for n := min(3, len(t.words)-i); n > 0; n-- {
			s, ok := t.inVocabulary(i, i+n)
			if ok {
				found = append(found, s)
				i += n - 1
				break
			}
		}
	}
	return found
}

// inVocabulary reports whether the words from i to before j are a system or a place. A place that other names surround is
// part of one: "Paris Hilton", "the Chicago office".
func (t *text) inVocabulary(i, j int) (span, bool) {
	first, last := t.words[i], t.words[j-1]
	s := span{start: first.start, end: last.end, form: Proper, kind: System}
	for k := i; k+1 < j; k++ {
		if gap := t.gap(t.words[k], t.words[k+1]); gap != " " && gap != "." {
			return s, false
		}
	}
	name := t.raw[s.start:s.end]
	if e, isSystem := systems()[joined(name)]; isSystem && (!e.capital || first.capital) {
		opensCommon := e.capital && first.opens && j == i+1 && !t.followedByVerb(j)
		return s, !opensCommon && !t.shouting && (j == len(t.words) || !t.joins(j) || !e.capital)
	}
	s.kind = Place
	key := nameKey(name)
	inName := j < len(t.words) && t.joins(j) || i > 0 && t.words[i-1].capital && !t.words[i-1].opens && t.gap(t.words[i-1], first) == " "
	return s, places.Has(key) && first.capital && !inName && !(given.Has(key) && j == i+1 && first.opens)
}

// joins reports whether word j carries a name on: it has a capital and stands right behind the word before, or it is the
// head of a phrase.
func (t *text) joins(j int) bool {
	if t.gap(t.words[j-1], t.words[j]) != " " {
		return false
	}
	w := t.words[j]
	_, head := headKinds[w.folded]
	return head && w.folded != "service" && w.folded != "cluster" || w.capital && !w.upper && !calendar.Has(w.folded)
}

// followedByVerb reports whether word j is a verb by which something is or does something.
func (t *text) followedByVerb(j int) bool { return j < len(t.words) && verbs.Has(t.words[j].folded) }

// headKinds are the heads of phrases, by the kind of thing that they name.
var headKinds = map[string]Kind{
	"team": Team, "squad": Team, "department": Team, "repo": Repository, "repository": Repository, "office": Place,
	"service": System, "project": Project, "cluster": System,
}

// phrases finds names by their heads.
func phrases(t *text) []span {
	var found []span
	for j, w := range t.words {
		kind, isHead := headKinds[w.folded]
		switch {
		case !isHead || t.shouting || t.german:
		case w.folded == "project" || w.folded == "team" && w.capital:
			if s, ok := t.headFirst(j, kind); ok {
				found = append(found, s)
				continue
			}
			fallthrough
		default:
			if s, ok := t.headLast(j, kind); ok {
				found = append(found, s)
			}
		}
	}
	return found
}

// headFirst reads "Project Nova": with a small letter only the words behind it are the name.
func (t *text) headFirst(j int, kind Kind) (span, bool) {
	end := j
	for end+1 < len(t.words) && end < j+2 && t.gap(t.words[end], t.words[end+1]) == " " && t.words[end+1].capital && !calendar.Has(t.words[end+1].folded) {
		end++
	}
	if end == j {
		return span{}, false
	}
	first := j
	if !t.words[j].capital {
		first = j + 1
	}
	return span{start: t.words[first].start, end: t.words[end].end, form: Proper, kind: kind}, true
}

// headLast reads "the prompt repo" and "Data Science team".
func (t *text) headLast(j int, kind Kind) (span, bool) {
	i := j
	for i > 0 && j-i < 3 && t.gap(t.words[i-1], t.words[i]) == " " && t.words[i-1].capital && !calendar.Has(t.words[i-1].folded) &&
		(!t.words[i-1].opens || !plain.Has(t.words[i-1].folded)) {
		i--
	}
	if i == j && kind != Project && t.words[j].folded != "cluster" && t.words[j].folded != "department" {
		for i > 0 && j-i < 2 && t.gap(t.words[i-1], t.words[i]) == " " && !common.Has(t.words[i-1].folded) && !t.words[i-1].capital {
			i--
		}
		if i == 0 || i == j || !determiners.Has(t.words[i-1].folded) {
			return span{}, false
		}
	}
	if i < j && determiners.Has(t.words[i].folded) {
		i++
	}
	if i == j {
		return span{}, false
	}
	return span{start: t.words[i].start, end: t.words[j].end, form: Proper, kind: kind}, true
}

// holders finds the roles.
func holders(t *text) []span {
	var found []span
	for i := range t.words {
		if i == 0 || t.shouting || !determiners.Has(t.words[i-1].folded) && t.words[i-1].folded != "as" {
			continue
		}
		for n := min(4, len(t.words)-i); n > 0; n-- {
			if roles.Has(t.key(i, i+n)) {
				if next := i + n; n == 1 && next < len(t.words) && t.words[next].folded == "of" {
					break // the CEO of another company
				}
				found = append(found, span{start: t.words[i].start, end: t.words[i+n-1].end, form: Proper, kind: Role})
				break
			}
		}
	}
	return found
}
