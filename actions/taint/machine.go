package taint

import (
	"context"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// marks are the rows of the tables of texts that speak to a machine, as far as a text and its parts may match them.
type marks struct {
	addresses []address
	machines  []machineName
}

// marksIn returns the rows of which a word is in the text: its parts match no other ones. It returns fewer once ctx has ended.
func marksIn(ctx context.Context, text string) marks {
	var m marks
	lower := strings.ToLower(text)
	parts := partsOf(lower)
	for _, a := range addresses {
		if ctx.Err() != nil {
			break
		}
		a.words = slices.DeleteFunc(slices.Clone(a.words), func(w string) bool { return !parts.mayHold(w) || !begins(lower, w) })
		if len(a.words) > 0 {
			m.addresses = append(m.addresses, a)
		}
	}
	for _, name := range machineNames() {
		if ctx.Err() != nil {
			break
		}
		if parts.mayHold(name.name) && strings.Contains(lower, name.name) {
			m.machines = append(m.machines, name)
		}
	}
	return m
}

// parts are the runs of three bytes in a text, by their hashes: of many words that are looked for most are not there.
type parts [1 << 9]uint64

// partHash returns the bit of a run of three bytes.
func partHash(text string, i int) (at, bit uint32) {
	const factor = 2654435761 // Knuth's, near the golden ratio of 1<<32
	h := (uint32(text[i]) | uint32(text[i+1])<<8 | uint32(text[i+2])<<16) * uint32(factor) >> (32 - 15)
	return h >> 6, h & 63
}

func partsOf(text string) *parts {
	var p parts
	for i := range max(0, len(text)-2) {
		at, bit := partHash(text, i)
		p[at] |= 1 << bit
	}
	return &p
}

// mayHold reports whether the text may hold the word: false is sure.
func (p *parts) mayHold(word string) bool {
	for i := range max(0, len(word)-2) {
		if at, bit := partHash(word, i); p[at]&(1<<bit) == 0 {
			return false
		}
	}
	return true
}

// begins reports whether a text in lower case holds a word of the table of addresses. A short one has no letter before it in whatever matches: there
// is an "ai" in every mail.
func begins(lower, word string) bool {
	const short = 3
	for from := 0; ; {
		at := strings.Index(lower[from:], word)
		if at < 0 || len(word) > short || from+at == 0 {
			return at >= 0
		}
		if c := lower[from+at-1]; c < 'a' || c > 'z' {
			return true
		}
		from += at + 1
	}
}

// addressed returns the number of rows of addresses that a part of the text matches, while ctx lasts.
func (m marks) addressed(ctx context.Context, text string) int {
	n, lower := 0, strings.ToLower(text)
	for _, a := range m.addresses {
		if ctx.Err() == nil && slices.ContainsFunc(a.words, func(w string) bool { return begins(lower, w) }) && a.matches(text) {
			n++
		}
	}
	return n
}

// namesMachine reports whether a part of the text names a program as its reader, in any language of the list.
func (m marks) namesMachine(text string) bool {
	lower := strings.ToLower(text)
	return slices.ContainsFunc(m.machines, func(m machineName) bool {
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

// machineWords are in every text that machineReader matches, unless "AI" is.
var machineWords = []string{"agent", "assistant", "bot", "crawler", "automation", "helper", "tools", "scripts", "reader", "whoever"}

// tellsReader reports whether a sentence tells those who read it to do something, by a word that is of programs and of people.
func tellsReader(text, plain string) bool {
	return (strings.Contains(text, "AI") || slices.ContainsFunc(machineWords, func(w string) bool { return strings.Contains(plain, w) })) && machineReader.MatchString(text)
}

// starting matches a sentence with steps before a start: "before you begin".
var starting = language.NewPattern(`\bbefore you (can )?(start|begin|get started)\b`)

// machineReader matches a sentence that tells programs to do something by a word that may be of people too.
var machineReader = language.NewPattern(`\bAI\b|(?i)\b(agents?|assistants?|bots?|robots?|crawlers?|automations?|helpers|tools|scripts|readers|whoever (?:reads|processes|handles))\b(?:[\w' -]{0,40}\b(?:should|must|shall|may|can|need to|have to|are to|is to|will|please|also)\b|\s*[:,]|[\w' -]{0,30}\b(?:complete|repair|fix|join|put|add|include|send|run|open|use|copy|forward|follow)\b)`)
