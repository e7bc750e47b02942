package taint

import (
	"regexp"
	"slices"
	"strings"
)

// bankForm matches an international account number without its spaces, in lower case (ISO 13616).
var bankForm = regexp.MustCompile(`^[a-z]{2}[0-9]{2}[a-z0-9]{8,30}$`)

// bankNumber returns a plain value as an account number without spaces, "" for another value.
func bankNumber(plain string) string {
	number := strings.ReplaceAll(plain, " ", "")
	const digits = 6 // and more, or it is a word
	if !bankForm.MatchString(number) || len(strings.Map(onlyDigits, number)) < digits {
		return ""
	}
	return number
}

// onlyDigits maps every character but a digit to nothing.
func onlyDigits(r rune) rune {
	if r < '0' || r > '9' {
		return -1
	}
	return r
}

// spelt returns a plain value as the user or a result spells it: account numbers are written in groups of four, and given without spaces.
func (p *Provenance) spelt(plain string) string {
	number := bankNumber(plain)
	if number == "" {
		return plain
	}
	var groups []string
	for four := range slices.Chunk([]byte(number), 4) {
		groups = append(groups, string(four))
	}
	for _, spelling := range []string{plain, number, strings.Join(groups, " ")} {
		if p.stated(spelling) || len(p.seen(spelling)) > 0 {
			return spelling
		}
	}
	return plain
}

// otherAccount reports whether a text gives an account of somebody of whom a record has another one in a field: the record was looked up by a value
// that stands in a field beside the text.
func (p *Provenance) otherAccount(plain string, n int) bool {
	number := bankNumber(plain)
	if number == "" {
		return false
	}
	beside := p.passages[n]
	at := &p.sources[beside.source]
	return slices.ContainsFunc(p.sources, func(s source) bool {
		if s.index == at.index || s.instruction != nil || !p.lookedUpFrom(&s, at, beside.record) {
			return false
		}
		return slices.ContainsFunc(p.passages[s.first:s.first+s.count], func(one *passage) bool {
			other := bankNumber(one.plain)
			return other != "" && other != number
		})
	})
}

// lookedUpFrom reports whether what brought a source was given a code that stands in a field of a record.
func (p *Provenance) lookedUpFrom(s, from *source, record int) bool {
	return slices.ContainsFunc(p.passages[from.first:from.first+from.count], func(one *passage) bool {
		return !one.prose && one.record == record && len(one.plain) > 1 && !amountForm.MatchString(one.plain) && slices.Contains(s.given, one.plain)
	})
}
