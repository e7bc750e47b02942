package language

import (
	"regexp/syntax"
	"slices"
	"unicode"
)

// required is a necessary condition for a match of an expression in a text of ASCII alone: the text holds one of some sequences of signs. Most
// patterns match few texts, and to look for the sequences takes a small part of the time of the expression.
type required struct {
	grams [1 << (3 * signBits) / 64]uint64 // the first three signs of a sequence, as a set
	rest  map[uint16][]string              // from those to the whole sequences
}

// The signs that characters are read as. Cases of a letter are one sign, and so are all digits, and all that is no part of a word.
const (
	gapSign   = 0 // also what lies before and behind a text
	digitSign = 27
	lineSign  = 28
	edgeSign  = 31 // a place between a word and a gap, in a sequence that is not put together yet; of no width

	signBits = 5
)

// Bounds of a condition: one that says more is not worth its room, or its time.
const (
	mostSequences = 2000
	mostSigns     = 24 // of a sequence
	mostOfClass   = 6  // signs that a class of characters stands for
)

var signs = func() (table [128]byte) {
	for c := range table {
		table[c] = signOf(rune(c))
	}
	return table
}()

func signOf(ascii rune) byte {
	switch {
	case 'a' <= ascii && ascii <= 'z':
		return byte(ascii-'a') + 1
	case 'A' <= ascii && ascii <= 'Z':
		return byte(ascii-'A') + 1
	case '0' <= ascii && ascii <= '9':
		return digitSign
	case ascii == '_':
		return lineSign
	default:
		return gapSign
	}
}

// requiredOf returns the condition of an expression, or nil if it has none that is worth a look.
func requiredOf(expression string) *required {
	parsed, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return nil
	}
	f := formOf(parsed.Simplify())
	sequences, known := f.needs()
	if !known {
		return nil
	}
	r := &required{rest: map[uint16][]string{}}
	for _, s := range sequences {
		if s = settled(s); len(s) < 3 {
			return nil
		}
		g := gram(s[0], s[1], s[2])
		r.grams[g/64] |= 1 << (g % 64)
		if !slices.Contains(r.rest[g], s) {
			r.rest[g] = append(r.rest[g], s)
		}
	}
	return r
}

func gram(a, b, c byte) uint16 { return uint16(a)<<(2*signBits) | uint16(b)<<signBits | uint16(c) }

// meets reports whether a text may hold a match. It is false only where there is none.
func (r *required) meets(text string) bool {
	var a, b byte // of the two signs before; in front of the text is a gap
	for i := range len(text) + 1 {
		c := byte(gapSign)
		if i < len(text) {
			if text[i] >= 0x80 {
				return true
			}
			c = signs[text[i]]
		}
		if g := gram(a, b, c); r.grams[g/64]>>(g%64)&1 != 0 && r.holdsAt(text, i-2, g) {
			return true
		}
		a, b = b, c
	}
	return false
}

// holdsAt reports whether one of the sequences that begin with some signs stands at a place of the text, which may hold other than ASCII behind it.
func (r *required) holdsAt(text string, at int, begin uint16) bool {
	for _, s := range r.rest[begin] {
		n := 3
		for n < len(s) {
			i, sign := at+n, byte(gapSign)
			if i < len(text) {
				if text[i] >= 0x80 {
					return true
				}
				sign = signs[text[i]]
			} else if i > len(text) {
				break
			}
			if sign != s[n] {
				break
			}
			n++
		}
		if n == len(s) {
			return true
		}
	}
	return false
}

// form is the signs of the matches of a part of an expression, in texts of ASCII.
type form struct {
	exact []string // all that it matches; nothing, if it matches no ASCII
	whole bool     // exact is known
	inner []string // of which every match holds one
	holds bool     // inner is known
}

var anything = form{}

func exactly(sequences ...string) form { return form{exact: sequences, whole: true} }

// needs returns sequences of which every match holds one.
func (f form) needs() (sequences []string, known bool) {
	if f.holds && (!f.whole || worth(f.inner) > worth(f.exact)) {
		return f.inner, true
	}
	return f.exact, f.whole
}

// worth is the length of the shortest sequence as it is looked for: the longer, the fewer texts hold it by chance. Of no sequence it is the most.
func worth(sequences []string) int {
	shortest := mostSigns
	for _, s := range sequences {
		shortest = min(shortest, len(settled(s)))
	}
	return shortest
}

func formOf(e *syntax.Regexp) form {
	switch e.Op {
	case syntax.OpNoMatch:
		return exactly()
	case syntax.OpEmptyMatch, syntax.OpNoWordBoundary:
		return exactly("")
	case syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText, syntax.OpWordBoundary:
		return exactly(string([]byte{edgeSign}))
	case syntax.OpLiteral:
		return literalForm(e)
	case syntax.OpCharClass:
		return classForm(e.Rune)
	case syntax.OpCapture:
		return formOf(e.Sub[0])
	case syntax.OpPlus:
		sequences, known := formOf(e.Sub[0]).needs()
		return form{inner: sequences, holds: known}
	case syntax.OpQuest:
		return eitherForm([]form{exactly(""), formOf(e.Sub[0])})
	case syntax.OpAlternate:
		return eitherForm(formsOf(e.Sub))
	case syntax.OpConcat:
		return inTurnForm(formsOf(e.Sub))
	default:
		return anything
	}
}

func formsOf(all []*syntax.Regexp) []form {
	forms := make([]form, len(all))
	for i, e := range all {
		forms[i] = formOf(e)
	}
	return forms
}

func literalForm(e *syntax.Regexp) form {
	var sequence []byte
	for _, r := range e.Rune {
		ascii, some := r, r < 0x80
		if e.Flags&syntax.FoldCase != 0 {
			for f := unicode.SimpleFold(r); f != r && !some; f = unicode.SimpleFold(f) {
				ascii, some = f, f < 0x80
			}
		}
		if !some {
			return exactly()
		}
		sequence = append(sequence, signOf(ascii))
	}
	return exactly(string(sequence))
}

// classForm is the form of a class of characters, given by its ranges.
func classForm(ranges []rune) form {
	var sequences []string
	for i := 0; i < len(ranges); i += 2 {
		for r := ranges[i]; r <= min(ranges[i+1], 0x7f); r++ {
			if s := string([]byte{signOf(r)}); !slices.Contains(sequences, s) {
				sequences = append(sequences, s)
			}
		}
	}
	if len(sequences) > mostOfClass {
		return anything
	}
	return exactly(sequences...)
}

func eitherForm(forms []form) form {
	f := form{whole: true, holds: true}
	for _, one := range forms {
		f.whole = f.whole && one.whole
		f.exact = append(f.exact, one.exact...)
		sequences, known := one.needs()
		f.holds = f.holds && known
		f.inner = append(f.inner, sequences...)
	}
	f.whole, f.holds = f.whole && len(f.exact) <= mostSequences, f.holds && len(f.inner) <= mostSequences
	return f
}

// inTurnForm is the form of parts that follow each other.
func inTurnForm(forms []form) form {
	run := exactly("") // of what follows each other and is known whole
	best, all := form{}, true
	take := func(sequences []string) {
		if !best.holds || worth(sequences) > worth(best.inner) {
			best.inner, best.holds = sequences, true
		}
	}
	for _, f := range forms {
		longer, fits := joined(run, f)
		if fits {
			run = longer
			continue
		}
		take(run.exact)
		all = false
		if f.whole {
			run = f
			continue
		}
		if f.holds {
			take(f.inner)
		}
		run = exactly("")
	}
	if all {
		return run
	}
	take(run.exact)
	return best
}

// joined returns the form of one after the other, if both are known whole and no more than the bounds.
func joined(a, b form) (form, bool) {
	if !a.whole || !b.whole || len(a.exact)*len(b.exact) > mostSequences {
		return form{}, false
	}
	both := exactly()
	for _, x := range a.exact {
		for _, y := range b.exact {
			if len(x)+len(y) > mostSigns {
				return form{}, false
			}
			both.exact = append(both.exact, x+y)
		}
	}
	return both, true
}

// settled returns a sequence as it stands in a text: an edge beside a word is a gap where nothing is known of the other side, and says nothing elsewhere.
func settled(sequence string) string {
	s := make([]byte, 0, len(sequence))
	edge := false
	for i := range len(sequence) {
		switch c := sequence[i]; {
		case c == edgeSign:
			edge = true
		default:
			if edge && len(s) == 0 && c != gapSign {
				s = append(s, gapSign)
			}
			s, edge = append(s, c), false
		}
	}
	if edge && len(s) > 0 && s[len(s)-1] != gapSign {
		s = append(s, gapSign)
	}
	return string(s)
}
