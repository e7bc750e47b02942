package effect

import (
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// singular returns a word without the ending of the plural.
func singular(w string) string {
	switch {
	case strings.HasSuffix(w, "ies") && len(w) > 4:
		return w[:len(w)-3] + "y"
	case strings.HasSuffix(w, "ss") || strings.HasSuffix(w, "us") || len(w) < 4:
		return w
	default:
		return strings.TrimSuffix(w, "s")
	}
}

// in reports whether a word, or its singular, is in the set.
func in(set map[string]bool, w string) bool { return set[w] || set[singular(w)] }

// classOfWords classifies an operation by the words of its name. The first word that is a verb and nothing else says whether it only looks;
// a word that is as often a noun counts where there is none.
func classOfWords(words []string) Class {
	if len(words) > 1 && words[0] == "post" && reads(words[1]) {
		words = words[1:] // the method of HTTP, as in "post_search"
	}
	if isShown(words, leadingVerb(words)) {
		return Read
	}
	return classByVerb(words)
}

// classByVerb is classOfWords, but for names of things to look at.
func classByVerb(words []string) Class {
	verb := leadingVerb(words)
	switch {
	case verb == "" && slices.ContainsFunc(words, reads):
		return Read
	case verb == "":
		return Unknown
	}
	for _, o := range operationTable() {
		if in(o.verbs, verb) && (o.objects == nil || o.about(words, verb)) && (!reads(verb) || o.class.Danger() > 2) {
			return o.class
		}
	}
	if reads(verb) {
		return Read
	}
	return Unknown
}

// isShown reports whether words that have no verb but perhaps one that is as often a noun name something to look at, as in "payroll_report" and "pods_log".
func isShown(words []string, verb string) bool {
	return len(words) > 1 && (verb == "" || alsoNoun(verb)) && shown.has(words[len(words)-1])
}

// about reports whether an object of the row is among the words, beside the verb; two words may be one object, as in "access key".
func (o operation) about(words []string, verb string) bool {
	seen := false
	for i, w := range words {
		if w == verb && !seen {
			seen = true
			continue
		}
		if in(o.objects, w) || i+1 < len(words) && in(o.objects, w+words[i+1]) {
			return true
		}
	}
	return false
}

// leadingVerb returns the verb of a name, "" for a name without one.
func leadingVerb(words []string) string {
	for _, w := range words {
		if (reads(w) || isVerb()(w)) && !alsoNoun(w) {
			return w
		}
	}
	for _, w := range words {
		if reads(w) || isVerb()(w) {
			return w
		}
	}
	return ""
}

func reads(w string) bool {
	return language.ReadingVerbs.Has(w) || moreReads.has(w)
}

func alsoNoun(w string) bool {
	return language.NounVerbs.Has(w) || nouns.has(w)
}
