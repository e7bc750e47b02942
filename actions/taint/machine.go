package taint

import (
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// namesMachine reports whether a text names a program as its reader, in any language of the list.
func namesMachine(text string) bool {
	lower := strings.ToLower(text)
	return slices.ContainsFunc(machineNames(), func(m machineName) bool {
		if !strings.Contains(lower, m.name) {
			return false
		}
		_, whole := holds(lower, m.name)
		return whole || m.unspaced
	})
}

type machineName struct {
	name     string
	unspaced bool // it is written in a script that has no spaces between words
}

var machineNames = sync.OnceValue(func() (all []machineName) {
	for _, name := range language.Machines.All() {
		all = append(all, machineName{name, strings.ContainsFunc(name, func(r rune) bool { return unicode.IsLetter(r) && unbroken(r) })})
	}
	return all
})

// machineWords are in every text that machineReader matches.
var machineWords = []string{"agent", "assistant", "bot", "crawler", "automation", "helper", "tools", "scripts", "reader", "whoever", "ai"}

// tellsReader reports whether a sentence tells those who read it to do something, by a word that is of programs and of people.
func tellsReader(text, plain string) bool {
	return slices.ContainsFunc(machineWords, func(w string) bool { return strings.Contains(plain, w) }) && machineReader.MatchString(text)
}

// machineReader matches a sentence that tells programs to do something by a word that may be of people too.
var machineReader = language.NewPattern(`\bAI\b|(?i)\b(agents?|assistants?|bots?|robots?|crawlers?|automations?|helpers|tools|scripts|readers|whoever (?:reads|processes|handles))\b(?:[\w' -]{0,40}\b(?:should|must|shall|may|can|need to|have to|are to|is to|will|please|also)\b|\s*[:,]|[\w' -]{0,30}\b(?:complete|repair|fix|join|put|add|include|send|run|open|use|copy|forward|follow)\b)`)
