package effect

import (
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// clicked classifies a click by the label of its target; a label without a known verb is a link or a field.
func (r *reading) clicked() Class {
	for _, a := range r.arguments {
		if !a.named(keys.labels) || a.exact {
			continue
		}
		words := slices.DeleteFunc(language.ToolNameWords(a.text), func(w string) bool { return language.ToolWords.Has(w) })
		if len(words) == 0 || len(words) > 8 {
			continue
		}
		if isConsent(words) || len(words) == 1 && (words[0] == "share" || consentVerbs.has(words[0])) {
			return Input
		}
		c := classOfLabel(words)
		if c == Money && (slices.Contains(words, "subscribe") || slices.Contains(words, "withdraw")) {
			c = Change // without a price it is for news, or takes back what was said
		}
		if priced.MatchString(a.text) && (leadingVerb(words) != "" || lasting.MatchString(a.text)) || paysBy(words) {
			c = Money
		}
		if c.Danger() > 2 || c == Message || slices.Contains(words, "subscribe") {
			r.label = a.text
			return c
		}
	}
	return NetworkRead
}

// classOfLabel classifies a label by the most dangerous of the deeds that it joins, as in "confirm and pay".
func classOfLabel(words []string) Class {
	c := classOfWords(words)
	for i, w := range words {
		if w == "and" || w == "&" {
			if next := classOfWords(words[i+1:]); next.Danger() > c.Danger() {
				c = next
			}
		}
	}
	return c
}

// isConsent reports whether the words of a label are of a banner that asks about cookies, or put something away that is shown.
func isConsent(words []string) bool {
	about := func(w string) bool { return consentObjects.has(strings.TrimSuffix(w, "s")) }
	return slices.ContainsFunc(words, about) && !slices.ContainsFunc(words, func(w string) bool { return !about(w) && !consentVerbs.has(w) })
}

// paysBy reports whether the words of a label are to do something with a means of payment, and not to look at one.
func paysBy(words []string) bool {
	verb := leadingVerb(words)
	return verb != "" && !reads(verb) && slices.ContainsFunc(words, func(w string) bool { return means.has(singular(w)) })
}

// lasting matches a label that names how often something is paid.
var lasting = language.NewPattern(`(?i)(?:\bper (?:month|year|week)\b|/\s?(?:mo|month|yr|year)\b)`)

// priced matches a label that names a price, or how often one is paid.
var priced = language.NewPattern(`(?i)(?:[$€£¥]\s?\d|\b\d+(?:[.,]\d\d)?\s?(?:[$€£¥]|usd|eur|gbp|chf|kr)\b|\bper (?:month|year|week)\b|/\s?(?:mo|month|yr|year)\b)`)
