package tokens

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// TestFit: no longer beginning fits, and none ends within a character.
func TestFit(t *testing.T) {
	c := Approximate{}
	for _, text := range []string{"", "a", strings.Repeat("some words, ", 400), strings.Repeat("日本語のテキスト", 200), strings.Repeat("é1", 300), strings.Repeat(" ", 5000)} {
		for _, most := range []int{-1, 0, 1, 2, 7, 50, 333, 100_000} {
			n := Fit(c, text, most)
			if got := c.Count(text[:n]); got > max(most, 0) {
				t.Errorf("Fit(%.12q, %d) = %d, which has %d tokens", text, most, n, got)
			}
			if n < len(text) {
				_, size := utf8.DecodeRuneInString(text[n:])
				if !utf8.RuneStart(text[n]) || most > 0 && c.Count(text[:n+size]) <= most {
					t.Errorf("Fit(%.12q, %d) = %d, and one more character fits", text, most, n)
				}
			}
			if Fits(c, text, most) != (c.Count(text) <= most) && most >= 0 {
				t.Errorf("Fits(%.12q, %d) is wrong", text, most)
			}
		}
	}
}
