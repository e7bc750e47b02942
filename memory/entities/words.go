package entities

import (
	"strings"
	"sync"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// The lists of package language, by folded word or by key. Each is read at its first use.
var (
	given         = language.GivenNames.By(fold)
	plain         = language.Openers.By(fold)
	acronyms      = language.Acronyms.By(fold)
	roles         = language.Roles.By(nameKey)
	places        = language.Places.By(nameKey)
	verbs         = language.PredicateVerbs.By(fold)
	calendar      = language.Calendar.By(fold)
	common        = language.CommonHeads.By(fold) // before a head: they name nothing with it
	determiners   = language.Determiners.By(fold)
	titles        = language.Titles.By(fold)
	particles     = language.Particles.By(fold)
	organizations = language.Organizations.By(fold)
	software      = language.SoftwareEndings.By(fold)
	human         = language.HumanVerbs.By(fold)
	generic       = language.GenericHeads.By(fold)
	noIdents      = language.NoIdents.By(fold)
	noHosts       = language.NoHosts.By(fold)
	nobody        = language.Nobody.By(fold)
	naming        = language.NamingPredicates.By(fold)
	nicknames     = sync.OnceValue(readNicknames)
	systems       = sync.OnceValue(readSystems)
	listed        = sync.OnceValue(firstLetters)
	companies     = sync.OnceValue(readCompanies)
)

// readNicknames maps a given name or a short form to all that share a row with it as name and short form. Two short forms of
// one name are not related by themselves.
func readNicknames() map[string]map[string]bool {
	m := map[string]map[string]bool{}
	add := func(a, b string) {
		if m[a] == nil {
			m[a] = map[string]bool{}
		}
		m[a][b] = true
	}
	for _, r := range language.Nicknames.Rows() {
		for _, short := range r.Words {
			add(fold(r.Head), fold(short))
			add(fold(short), fold(r.Head))
		}
	}
	return m
}

// readCompanies maps every way to write a form of company to the form.
func readCompanies() map[string]string {
	m := map[string]string{}
	for _, r := range language.Companies.Rows() {
		for _, w := range append([]string{r.Head}, r.Words...) {
			m[fold(w)] = r.Head
		}
	}
	return m
}

// system is an entry of the list of systems.
type system struct {
	key     string // of the usual name
	capital bool   // a common word too: it counts only with its capitals
}

// readSystems maps every name of a system to its entry.
func readSystems() map[string]system {
	m := map[string]system{}
	for _, r := range language.Systems.Rows() {
		usual := joined(strings.TrimSuffix(r.Head, "!"))
		for _, n := range append([]string{r.Head}, r.Words...) {
			bare, capital := strings.CutSuffix(n, "!")
			m[joined(bare)] = system{usual, capital}
		}
	}
	return m
}

// firstLetters returns the beginnings of the names of systems and places, for a quick look.
func firstLetters() map[string]bool {
	m := map[string]bool{}
	add := func(name string) {
		for n := 1; n <= min(len(name), quickLook); n++ {
			m[name[:n]] = true
		}
	}
	for name := range systems() {
		add(name)
	}
	for _, name := range places.All() {
		add(name)
	}
	return m
}

const quickLook = 4 // bytes

// beginning returns the first bytes of a folded word.
func beginning(word string) string { return word[:min(len(word), quickLook)] }
