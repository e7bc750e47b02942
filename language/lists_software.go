package language

import "sync"

// The words of software work, by which the lexicon links words that no dictionary has.
var (
	// SoftwareTerms are rows of words and phrases for the same thing, the head among them.
	SoftwareTerms = table("en/software_terms.txt")
	// SoftwareFields are rows of words of one field, without the head.
	SoftwareFields = table("en/software_fields.txt")
	// SoftwareKinds are rows of known tools and services, the head being their kind.
	SoftwareKinds = table("en/software_kinds.txt")
	// SoftwareWork are rows of words for the work that a kind of SoftwareKinds, the head, is for.
	SoftwareWork = table("en/software_work.txt")
)

// Spellings returns the words and phrases for a thing of software: itself, and those of the row of SoftwareTerms that it heads.
func Spellings(thing string) []string { return append([]string{thing}, spellings()[thing]...) }

var spellings = sync.OnceValue(func() map[string][]string {
	all := map[string][]string{}
	for _, r := range SoftwareTerms.Rows() {
		all[r.Head] = r.Words
	}
	return all
})
