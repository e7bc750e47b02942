package network

import "strings"

// detachments are the endings that WordNet's morphology takes off a form of a part of speech, and the endings that it
// adds (morphy, the section "Rules of Detachment").
var detachments = []struct {
	part     Part
	cut, add string
}{
	{Noun, "s", ""}, {Noun, "ses", "s"}, {Noun, "xes", "x"}, {Noun, "zes", "z"}, {Noun, "ches", "ch"}, {Noun, "shes", "sh"},
	{Noun, "men", "man"}, {Noun, "ies", "y"},
	{Verb, "s", ""}, {Verb, "ies", "y"}, {Verb, "es", "e"}, {Verb, "es", ""}, {Verb, "ed", "e"}, {Verb, "ed", ""},
	{Verb, "ing", "e"}, {Verb, "ing", ""},
	{Adjective, "er", ""}, {Adjective, "est", ""}, {Adjective, "er", "e"}, {Adjective, "est", "e"},
}

// Detach calls yield with each word that a rule makes of a form, and the part of speech that the word must have for it.
func Detach(form string, yield func(base string, part Part)) {
	for _, d := range detachments {
		stem, cut := strings.CutSuffix(form, d.cut)
		if cut && len(stem) > 1 && !(d.cut == "s" && strings.HasSuffix(stem, "s")) {
			yield(stem+d.add, d.part)
		}
	}
}
