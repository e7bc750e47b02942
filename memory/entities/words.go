package entities

import (
	"embed"
	"strings"
)

//go:embed vocabulary
var vocabularyFiles embed.FS

// The bounded vocabularies, by folded word or name.
var (
	given     = set(lines("given"))
	plain     = set(lines("plain"))
	acronyms  = set(lines("acronyms"))
	roles     = list("roles")
	places    = list("places")
	nicknames = related()
	systems   = readSystems()
	listed    = firstLetters()
)

// lines returns the lines of a vocabulary, without comments.
func lines(name string) []string {
	text, err := vocabularyFiles.ReadFile("vocabulary/" + name + ".txt")
	if err != nil { // it is part of the binary
		panic(err)
	}
	var all []string
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			all = append(all, line)
		}
	}
	return all
}

func set(lines []string) map[string]bool {
	words := map[string]bool{}
	for _, line := range lines {
		for w := range strings.FieldsSeq(line) {
			words[fold(w)] = true
		}
	}
	return words
}

// list reads entries that are separated by ";".
func list(name string) map[string]bool {
	entries := map[string]bool{}
	for _, line := range lines(name) {
		for e := range strings.SplitSeq(line, ";") {
			if key := nameKey(e); key != "" {
				entries[key] = true
			}
		}
	}
	return entries
}

// related maps a given name or a short form to all that share a line with it as name and short form. Two short forms of
// one name are not related by themselves.
func related() map[string]map[string]bool {
	m := map[string]map[string]bool{}
	add := func(a, b string) {
		if m[a] == nil {
			m[a] = map[string]bool{}
		}
		m[a][b] = true
	}
	for _, line := range lines("nicknames") {
		forms := strings.Fields(fold(line))
		for _, short := range forms[1:] {
			add(forms[0], short)
			add(short, forms[0])
		}
	}
	return m
}

// system is an entry of the vocabulary of systems.
type system struct {
	key     string // of the usual name
	capital bool   // a common word too: it counts only with its capitals
}

// readSystems maps every name of a system to its entry.
func readSystems() map[string]system {
	m := map[string]system{}
	for _, line := range lines("systems") {
		names := strings.Split(line, "|")
		usual := joined(strings.TrimSuffix(strings.TrimSpace(names[0]), "!"))
		for _, n := range names {
			bare, capital := strings.CutSuffix(strings.TrimSpace(n), "!")
			m[joined(bare)] = system{usual, capital}
		}
	}
	return m
}

// firstLetters returns the beginnings of what the vocabularies of systems and places hold, for a quick look.
func firstLetters() map[string]bool {
	m := map[string]bool{}
	add := func(name string) {
		for n := 1; n <= min(len(name), quickLook); n++ {
			m[name[:n]] = true
		}
	}
	for name := range systems {
		add(name)
	}
	for name := range places {
		add(name)
	}
	return m
}

const quickLook = 4 // bytes

// beginning returns the first bytes of a folded word.
func beginning(word string) string { return word[:min(len(word), quickLook)] }
