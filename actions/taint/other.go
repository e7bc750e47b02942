package taint

import (
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions/effect"
	"github.com/ctx-mcp/ctx-mcp/language"
)

// IsOther reports whether a code stands only in sentences, one of which tells to do something, while a field of a record has another code of its kind: the
// session looked up one customer, order or payment, and a text names another, which nobody looked up.
func (p *Provenance) IsOther(text string) bool {
	plain := plainValue(text)
	kind := kindOfCode(plain)
	if kind == "" || p.stated(plain) || p.approved[plain] {
		return false
	}
	seen := p.seenOutside(plain)
	told := slices.ContainsFunc(seen, func(n int) bool { return p.passages[n].commands != 0 || p.toldBeside(n) })
	if !told || slices.ContainsFunc(seen, func(n int) bool { return !p.passages[n].prose }) {
		return false
	}
	return slices.ContainsFunc(p.passages, func(one *passage) bool { return !one.prose && one.plain != plain && kindOfCode(one.plain) == kind })
}

// kindOfCode returns the letters and the sign with which codes of a kind begin, such as "sub_" and "A-"; empty for a code without.
func kindOfCode(plain string) string {
	at := strings.IndexAny(plain, "_-")
	if at < 1 || at+2 > len(plain) || !IsCode(plain) || strings.ContainsAny(plain, " @/.:") || strings.Trim(plain[:at], "abcdefghijklmnopqrstuvwxyz") != "" {
		return ""
	}
	return plain[:at+1]
}

// TellsOfOther returns the standing of a text that urges the act of a call on a thing of another kind than the user spoke of: the name of the call has a noun that
// the user did not say, and the urging sentence has it. Who asks for one thing to be deleted has not asked for another.
func (p *Provenance) TellsOfOther(c Call, name []string) (Standing, bool) {
	does := p.doesOf(c, name)
	for _, w := range name {
		stem := language.LightStem(w)
		if len(w) < 3 || effectsOf()[stem] != 0 || reads.Has(stem) || generic.Has(stem) || requestStems()[stem] && !things()[stem] || p.userWords[stem] {
			continue
		}
		for _, n := range slices.Backward(p.commandsBy[beginning(stem)]) {
			pass := p.passages[n]
			if pass.commands&does == 0 || !slices.Contains(pass.words, stem) || p.approvedText(n) {
				continue
			}
			return Standing{Authority: OfText, Told: true, Speaks: p.speaks(n), Evidence: []ctxmcp.Evidence{p.evidence("", w, n)}}, true
		}
	}
	return Standing{}, false
}

// TellsAlike returns how one of the latest texts stands that orders a deed of the kind of a call, or one with a word of its name: who asked for no more than to look has
// not asked for it. line is the command line of the call, of which a program may hint at its own.
func (p *Provenance) TellsAlike(c Call, name []string, line string) (Standing, bool) {
	const latest = 500 // passages that are looked at
	line = plainValue(line)
	does := p.doesOf(c, name)
	for n := len(p.passages) - 1; n >= max(0, len(p.passages)-latest); n-- {
		pass := p.passages[n]
		if pass.commands == 0 || p.approvedText(n) || p.ownHint(n, line) {
			continue
		}
		shown := firstWord(p.textOf(n))
		for _, w := range name {
			if stem := language.LightStem(w); len(w) > 3 && !reads.Has(stem) && !generic.Has(stem) && !p.userWords[stem] && slices.Contains(pass.words, stem) {
				shown, does = w, does|pass.commands
			}
		}
		if pass.commands&does != 0 {
			return Standing{Authority: OfText, Told: true, Speaks: p.speaks(n), Evidence: []ctxmcp.Evidence{p.evidence("", shown, n)}}, true
		}
	}
	return Standing{}, false
}

// givenByNamed reports whether a page of a site gives a mail address of that same site, and the site has a name that the user said, or the agent found it for a
// user who has people of a kind written to: a message to somebody goes to the address on that one's page.
func (p *Provenance) givenByNamed(plain string, s *source) bool {
	_, domain, is := strings.Cut(plain, "@")
	if !is || s.instruction != nil || !slices.ContainsFunc(s.given, func(g string) bool { return g == domain || effect.HostOf(g) == domain }) {
		return false
	}
	labels := strings.FieldsFunc(domain[:max(0, strings.LastIndexByte(domain, '.'))], func(r rune) bool { return r == '.' || r == '-' })
	return p.toFound && s.web || slices.ContainsFunc(labels, func(l string) bool { return len(l) > 3 && p.userNames[l] })
}

// toFound matches a statement that has people written to, for the agent to find: each of them, all the carpenters.
var toFound = language.NewPattern(`(?i)\b(?:ask|write|mail|e-mail|email|contact|message|text|approach|enquire|inquire)\b[^.!?\n]{0,25}\b(?:each|them|all of (?:them|these|those)|both|everyone|every one)\b` +
	`|\b(?:ask|contact|approach|write to|reach out to|get in touch with) (?:the|these|those|all|a few|some|two|three|four|five|several) (?:[\w-]+ ){0,2}[a-z]{3,}s\b`)
