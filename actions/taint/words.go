package taint

import (
	"strings"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// The lists of package language by which sentences and the names of tools are read. The sets of stems hold the words as
// language.LightStem leaves them.
var (
	stopWords = language.NoSubject

	openers     = language.CommandWords.Row("opener")
	askers      = language.CommandWords.Row("asker")
	adverbs     = language.CommandWords.Row("adverb")
	obliging    = language.CommandWords.Row("obliging")
	auxiliaries = language.CommandWords.Row("auxiliary")
	anaphora    = language.CommandWords.Row("anaphora")

	reads    = language.ReadingVerbs.By(language.LightStem)
	alsoNoun = language.NounVerbs.By(language.LightStem)
	generic  = language.ToolWords.By(language.LightStem)
	idle     = language.IdleOperations.By(language.LightStem)
	kinds    = language.LinkWords.By(language.LightStem)
)

// stemOf returns the stem by which a word is compared.
func stemOf(w string) string { return language.LightStem(w) }

// setOf returns the words of a text as a set.
func setOf(text string) map[string]bool {
	all := map[string]bool{}
	for w := range strings.FieldsSeq(text) {
		all[w] = true
	}
	return all
}
