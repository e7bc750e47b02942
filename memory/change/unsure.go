package change

import "slices"

// The shares of words from which two statements of one matter may say the same thing of one subject.
const (
	ofOneSubject = 0.999 // of the words before the verb
	ofOneFrame   = 0.3   // of all words but for values, where both are of one person
)

// manyHeld are matters of which a person may have several things at a time, though one mostly changes the other.
var manyHeld = []string{
	"allergy", "catering", "gym", "guests", "illness", "kids", "languages", "medication", "membership", "money", "pet", "repair", "tickets", "travel",
}

// besides are rows of words that speak against a competition: the newer statement stands beside the older, is no statement of how things
// are, or speaks of another time.
const besides = cueBeside | cueUnreal | cueTelling | cueFormer | cueOpen

// Competes reports whether two statements hardly hold both, though the words do not say that one takes the place of the other: each states
// something else of one subject, in a matter of which one thing holds at a time (language.Matters). Whether the newer one is how
// things stand now is for a person to say.
//
// The rules of Compare hold: both are of one author, and the newer one stands no lower. What was only inferred competes with nothing.
func Competes(older, newer *Reading, weigh Words) bool {
	return Weigh(older, weigh).Competes(Weigh(newer, weigh))
}

// Competes is the function of that name for statements that are weighed already, by the same words.
func (w *Weighed) Competes(newer *Weighed) bool {
	older := w.Reading
	switch {
	case !Comparable(older, newer.Reading), older.guessed(), newer.guessed(), !older.bare, !newer.bare, older.denials != newer.denials:
		return false
	case (older.cue | newer.cue).has(besides), older.cue.has(cueOver), newer.future.told:
		return false
	}
	p := pairOf(w, newer)
	if p.owners(false) > 0 || p.otherLabel() || p.endsAnother() || p.beginsBeside() || p.otherSort() > 0 || p.otherOf() || p.otherNamed() {
		return false
	}
	return p.oneMatter() && p.oneSubject() && (p.saysElse() || p.turnsRound())
}

// oneMatter reports whether both speak of one matter of which one thing holds, and one of them of nothing else.
func (p *pair) oneMatter() bool {
	several := func(m string) bool { return slices.Contains(manyHeld, m) }
	return sameShare(p.older.matters, p.newer.matters) == 1 && !slices.ContainsFunc(p.older.matters, several) && !slices.ContainsFunc(p.newer.matters, several)
}

// oneSubject reports whether both are of one thing: the words before the verb are the same, or the rest is where both are of one person.
func (p *pair) oneSubject() bool {
	if len(p.older.subject) > 0 && p.subject >= ofOneSubject {
		return true
	}
	return p.owners(true) > 0 && p.frame >= ofOneFrame
}

// turnsRound reports whether each prefers what the other sets it against: "tea over coffee", "coffee over tea".
func (p *pair) turnsRound() bool {
	older, newer := p.older.rejected, p.newer.rejected
	return len(older) > 0 && len(newer) > 0 && !slices.Equal(older, newer) && within(weighed(older, p.older.weigh), p.newer.of.terms) == 1 && within(weighed(newer, p.older.weigh), p.older.of.terms) == 1
}

var articles = []string{"a", "an", "the"}

// saysElse reports whether each says something that the other does not, and in the same role: behind the same word. "With Ansible" and "on
// Tuesdays" say two things.
func (p *pair) saysElse() bool {
	older, has := p.older.before(p.newer.Reading)
	newer, too := p.newer.before(p.older.Reading)
	return has && too && older == newer
}

// before returns the word before the first one of the statement that the other does not hold, without articles and the like, and
// whether there is one.
func (r *Reading) before(other *Reading) (word string, found bool) {
	for _, t := range r.tokens {
		switch {
		case t.term != "" && !slices.Contains(other.terms, t.term):
			return word, true
		case t.term != "" || !slices.Contains(articles, t.lower):
			word = t.lower
		}
	}
	return "", false
}
