package reduce

import (
	"strings"
	"sync"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// deed is the effect of a call, as far as its words tell.
type deed uint8

const (
	otherDeed   deed = iota
	viewDeed         // shows a file
	searchDeed       // looks for files, or in them
	editDeed         // writes a file
	runDeed          // runs a program or its tests
	historyDeed      // asks the version control
)

// deedNames are the rows of the list of commands, by what they do.
var deedNames = map[string]deed{"view": viewDeed, "search": searchDeed, "edit": editDeed, "run": runDeed, "history": historyDeed}

// deeds maps the name of a tool or command to what a call of it does.
var deeds = sync.OnceValue(func() map[string]deed {
	m := map[string]deed{}
	for _, r := range language.Commands.Rows() {
		for _, w := range r.Words {
			m[w] = deedNames[r.Head]
		}
	}
	return m
})

// deedOf returns what a call does, by the first word of it that says so. A file that is written by redirection is edited.
func deedOf(call string) deed {
	call = call[:min(len(call), 400)]
	first := otherDeed
	for _, word := range strings.FieldsFunc(call, func(r rune) bool { return r <= ' ' || strings.ContainsRune("|&;:()\"'", r) }) {
		if d, known := deeds()[strings.ToLower(word)]; known {
			first = d
			break
		}
	}
	if first == viewDeed && (strings.Contains(call, "<<") || strings.Contains(call, "sed -i")) {
		return editDeed
	}
	return first
}
