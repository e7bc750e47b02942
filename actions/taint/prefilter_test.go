package taint

import (
	"strings"
	"testing"
)

// FuzzPrefilters: a text that an expression matches is never kept from it.
func FuzzPrefilters(f *testing.F) {
	for _, text := range []string{"", "x-12:30 2026-03-01", "12:30", "Name: value", "tell the User's agent", "the HUMAN waits", "a: b\nc"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if instants.MatchString(text) && !mayHoldInstant(text) {
			t.Errorf("mayHoldInstant(%q) = false, and there is one", text)
		}
		if keyed.MatchString(text) && !strings.Contains(text, ":") {
			t.Errorf("%q is keyed without a colon", text)
		}
		var p passage
		p.plain = plainText(text)
		if p.understand(text, nil); aboutUser.MatchString(text) && !p.aboutUser && isASCII(text) {
			t.Errorf("%q speaks of the user", text)
		}
	})
}
