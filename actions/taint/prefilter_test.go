package taint

import (
	"slices"
	"strings"
	"testing"
)

// FuzzPrefilters: a text that an expression matches is never kept from it.
func FuzzPrefilters(f *testing.F) {
	for _, text := range []string{"", "x-12:30 2026-03-01", "12:30", "Name: value", "tell the User's agent", "the HUMAN waits", "a: b\nc", "an AI reads", "hi the llm", "x: ai, do", "- item", "chatbots: go", ". bot! go", "scripts: run"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if instants.MatchString(text) && !mayHoldInstant(text) {
			t.Errorf("mayHoldInstant(%q) = false, and there is one", text)
		}
		if keyed.MatchString(text) && !mayBeKeyed(text) {
			t.Errorf("mayBeKeyed(%q) = false, and it is", text)
		}
		if item.MatchString(text) != strings.HasPrefix(strings.TrimLeft(text, " <"), "- ") {
			t.Errorf("%q is or is not an item", text)
		}
		lower := strings.ToLower(text)
		parts := partsOf(lower)
		for _, a := range addresses {
			found := slices.ContainsFunc(a.words, func(w string) bool { return parts.mayHold(w) && begins(lower, w) })
			if isASCII(text) && a.matches(text) && !found {
				t.Errorf("%q matches %s, and has none of its words", text, a.name)
			}
		}
		if machineReader.MatchString(text) && isASCII(text) && !tellsReader(text, plainText(text)) {
			t.Errorf("%q speaks to a machine", text)
		}
		var p passage
		p.plain = plainText(text)
		if p.understand(text, nil); speaksOfUser(text) && !p.aboutUser && isASCII(text) {
			t.Errorf("%q speaks of the user", text)
		}
	})
}
