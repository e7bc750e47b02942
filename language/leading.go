package language

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// leading finds the places of a long text at which a match of an expression may begin, by the words that every match begins with, and tries the
// expression there alone. An expression that goes over the whole text takes some fifty times as long for each byte.
type leading struct {
	words map[[2]byte][]string // in lower case, by their first two bytes
	pairs [1 << 16 / 64]uint64 // those two bytes, as a set
	first *regexp.Regexp       // matches at the beginning of a text
	later *regexp.Regexp       // matches behind the first character of a text, which a condition on what stands before may look at
	reach int                  // bytes that a match may have at most
}

const (
	longText      = 128 // bytes from which on a text is searched by leading words
	mostLeading   = 200 // words
	mostOfLeading = 12  // bytes of one
	mostTried     = 8   // times the bytes of a text that tries at its places may look at; from then on the whole is searched in one pass
	endless       = 1 << 30
)

// opening is a beginning of the matches of a part of an expression.
type opening struct {
	text  string
	whole bool // the part matches this and no more
}

// leadingOf returns the search for the matches of an expression by their beginnings, or nil where those are not known.
func leadingOf(expression string) *leading {
	parsed, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return nil
	}
	parsed = parsed.Simplify()
	if parsed.Op == syntax.OpConcat && parsed.Sub[0].Op == syntax.OpBeginText {
		return nil // there is one place only
	}
	openings := openingsOf(parsed)
	l := &leading{words: map[[2]byte][]string{}, reach: reachOf(parsed)}
	for _, o := range openings {
		if len(o.text) < 2 {
			return nil
		}
		pair := [2]byte{o.text[0], o.text[1]}
		at := uint16(pair[0])<<8 | uint16(pair[1])
		l.pairs[at/64] |= 1 << (at % 64)
		if !slices.Contains(l.words[pair], o.text) {
			l.words[pair] = append(l.words[pair], o.text)
		}
	}
	l.first, l.later = regexp.MustCompile(`\A(?:`+expression+`)`), regexp.MustCompile(`\A(?s:.)(?:`+expression+`)`)
	return l
}

// matches reports whether a text holds a match. known is false for one that holds characters of which a letter of ASCII is another case, since the words
// do not tell their places, and for one with so many places that a search of the whole costs less.
func (l *leading) matches(text string) (is, known bool) {
	if strings.Contains(text, "ſ") || strings.Contains(text, "\u212a") {
		return false, false
	}
	left := mostTried * len(text)
	for i := range len(text) - 1 {
		a, b := lowered[text[i]], lowered[text[i+1]]
		if at := uint16(a)<<8 | uint16(b); l.pairs[at/64]>>(at%64)&1 == 0 || !l.beginsAt(text[i:], [2]byte{a, b}) {
			continue
		}
		if left -= min(l.reach, len(text)-i); left < 0 {
			return false, false
		}
		if i == 0 && l.first.MatchString(text) || i > 0 && l.later.MatchString(text[i-1:]) {
			return true, true
		}
	}
	return false, true
}

// beginsAt reports whether a text begins with one of the words that have the same first two bytes.
func (l *leading) beginsAt(text string, pair [2]byte) bool {
	return slices.ContainsFunc(l.words[pair], func(w string) bool {
		if len(w) > len(text) {
			return false
		}
		for i := 2; i < len(w); i++ {
			if lowered[text[i]] != w[i] {
				return false
			}
		}
		return true
	})
}

// lowered are the bytes with capitals of ASCII as small letters.
var lowered = func() (table [256]byte) {
	for c := range table {
		table[c] = byte(c)
		if 'A' <= c && c <= 'Z' {
			table[c] += 'a' - 'A'
		}
	}
	return table
}()

// reachOf returns the most bytes that a match of a simplified expression may have, endless for one without a bound.
func reachOf(e *syntax.Regexp) (reach int) {
	switch e.Op {
	case syntax.OpStar, syntax.OpPlus, syntax.OpRepeat:
		return endless
	case syntax.OpLiteral:
		return len(e.Rune) * utf8.UTFMax
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return utf8.UTFMax
	}
	for _, sub := range e.Sub {
		if of := reachOf(sub); e.Op == syntax.OpConcat {
			reach += of
		} else {
			reach = max(reach, of)
		}
	}
	return min(reach, endless)
}

var unknownOpening = []opening{{"", false}}

// openingsOf returns the beginnings of all matches of a part of an expression, in lower case.
func openingsOf(e *syntax.Regexp) []opening {
	switch e.Op {
	case syntax.OpNoMatch:
		return nil
	case syntax.OpEmptyMatch, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText, syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return []opening{{"", true}}
	case syntax.OpLiteral:
		return []opening{openingOf(e.Rune)}
	case syntax.OpCharClass:
		return openingsOfClass(e.Rune)
	case syntax.OpCapture:
		return openingsOf(e.Sub[0])
	case syntax.OpPlus:
		return unfinished(openingsOf(e.Sub[0]))
	case syntax.OpQuest:
		return append(openingsOf(e.Sub[0]), opening{"", true})
	case syntax.OpAlternate:
		var all []opening
		for _, sub := range e.Sub {
			all = append(all, openingsOf(sub)...)
		}
		return bounded(all)
	case syntax.OpConcat:
		return openingsInTurn(e.Sub)
	default:
		return unknownOpening
	}
}

// openingOf returns the beginning of a literal that is of ASCII.
func openingOf(literal []rune) opening {
	for i, r := range literal {
		if r >= 0x80 && r != 'ſ' && r != 0x212a {
			return opening{asciiLower(literal[:i]), false}
		}
	}
	return opening{asciiLower(literal), true}
}

// asciiLower returns letters of ASCII, or such as are another case of one, in lower case.
func asciiLower(letters []rune) string {
	out := make([]byte, len(letters))
	for i, r := range letters {
		for r >= 0x80 {
			r = unicode.SimpleFold(r)
		}
		out[i] = lowered[r]
	}
	return string(out)
}

// openingsOfClass returns the characters of a small class, given by its ranges.
func openingsOfClass(ranges []rune) []opening {
	var all []opening
	for i := 0; i < len(ranges); i += 2 {
		if ranges[i+1]-ranges[i] > mostOfClass {
			return unknownOpening
		}
		for r := ranges[i]; r <= ranges[i+1]; r++ {
			o := openingOf([]rune{r})
			if !o.whole {
				return unknownOpening
			}
			if !slices.Contains(all, o) {
				all = append(all, o)
			}
		}
	}
	if len(all) > mostOfClass {
		return unknownOpening
	}
	return all
}

// openingsInTurn returns the beginnings of parts that follow each other.
func openingsInTurn(parts []*syntax.Regexp) []opening {
	all := []opening{{"", true}}
	for _, part := range parts {
		var longer []opening
		next := openingsOf(part)
		for _, o := range all {
			if !o.whole {
				longer = append(longer, o)
				continue
			}
			for _, n := range next {
				longer = append(longer, opening{o.text + n.text, n.whole})
			}
		}
		if len(longer) > mostLeading {
			return unfinished(all)
		}
		if all = bounded(longer); !slices.ContainsFunc(all, func(o opening) bool { return o.whole }) {
			break
		}
	}
	return all
}

// bounded returns openings that are no longer, and no more, than the bounds.
func bounded(all []opening) []opening {
	if len(all) > mostLeading {
		return unknownOpening
	}
	for i, o := range all {
		if len(o.text) > mostOfLeading {
			all[i] = opening{o.text[:mostOfLeading], false}
		}
	}
	return all
}

// unfinished returns openings behind which more may stand.
func unfinished(all []opening) []opening {
	out := slices.Clone(all)
	for i := range out {
		out[i].whole = false
	}
	return out
}
