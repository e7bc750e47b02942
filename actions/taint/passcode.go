package taint

import (
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// digitRuns matches numbers that may be written in groups.
var digitRuns = language.NewPattern(`\d[\d -]{2,10}\d`)

const (
	maxPasscodes    = 100      // of a session that are known
	passcodesWithin = 64 << 10 // bytes of a result in which codes are looked for
	behindName      = 40       // bytes between the name of a code and the code, at most
	beforeName      = 20       // the same where the code stands first
	longestCode     = 12       // bytes
)

// notePasscodes keeps the codes in a result that let somebody in once: they are credentials.
func (p *Provenance) notePasscodes(text string) {
	text = strings.ToLower(Cut(text, passcodesWithin))
	for _, name := range language.Passcodes.All() {
		for at := 0; len(p.passcodes) < maxPasscodes; {
			i := strings.Index(text[at:], name)
			if i < 0 {
				break
			}
			begin := at + i
			at = begin + len(name)
			p.notePasscode(codeBehind(text[at:]))
			p.notePasscode(codeBefore(text[:begin]))
		}
	}
}

// codeBehind returns the first number behind the name of a code in its sentence: "Your security code is 771 204.".
func codeBehind(text string) string {
	i := strings.IndexAny(text[:min(len(text), behindName)], "0123456789.!?\n")
	if i < 0 || !isDigit(text[i]) {
		return ""
	}
	return text[i:][:numberIn(text[i:])]
}

// codeBefore returns the last number before the name of a code in its sentence: "482913 is your verification code".
func codeBefore(text string) string {
	from := max(0, len(text)-beforeName-longestCode)
	i := strings.LastIndexAny(text[from:], "0123456789.!?\n") + from
	if i < from || i < len(text)-beforeName || !isDigit(text[i]) {
		return ""
	}
	begin := i
	for begin > from && strings.IndexByte("0123456789 -", text[begin-1]) >= 0 {
		begin--
	}
	return strings.TrimLeft(text[begin:i+1], " -")
}

// numberIn returns the length of a number that may be written in groups.
func numberIn(text string) int {
	return len(strings.TrimRight(text[:len(text)-len(strings.TrimLeft(text, "0123456789 -"))], " -"))
}

func isDigit(b byte) bool { return '0' <= b && b <= '9' }

// notePasscode keeps a number that can be such a code.
func (p *Provenance) notePasscode(number string) {
	const least, most = 4, 10 // digits
	if code := digitsOf(number); len(code) >= least && len(code) <= most && !slices.Contains(p.passcodes, code) {
		p.passcodes = append(p.passcodes, code)
	}
}

// holdsPasscode reports whether a text has such a code of a result, grouped in whatever way, that the user did not say.
func (p *Provenance) holdsPasscode(text string) bool {
	return len(p.passcodes) > 0 && slices.ContainsFunc(digitRuns.FindAllString(text[:min(len(text), maxForms)], -1), func(m string) bool {
		code := digitsOf(m)
		return slices.Contains(p.passcodes, code) && !p.stated(code) && !p.stated(m)
	})
}

// digitsOf returns the digits of a number that is written in groups.
func digitsOf(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, " ", ""), "-", "")
}
