package fieldname

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// TestPlaces: the first place of words in random texts is that of a regular expression, and each place is followed by the next.
func TestPlaces(t *testing.T) {
	parts := []string{"due", "DUE", "date", "Date", "dates", "dateline", "no", "ſ", "s", "K", "k", "é", "1", "٣", " ", "_", ".", "-", "\n", ":", "=", "…", "\xff", "日", "́"}
	rnd := rand.New(rand.NewPCG(1, 2))
	some := 0
	for _, words := range [][]string{{"due"}, {"due", "date"}, {"no"}, {"s", "k"}, {"é"}, {"1", "due", "1"}, {"日"}} {
		exprs := make([]string, len(words))
		for i, w := range words {
			exprs[i] = regexp.QuoteMeta(w) + `\pL{0,3}`
		}
		expr := regexp.MustCompile(`(?i)(?:^|[^\pL\pN])(` + strings.Join(exprs, `[\s_.\-]{0,3}`) + `)(?:$|[^\pL\pN])`)
		for range 2000 {
			var b strings.Builder
			for range 1 + rnd.IntN(12) {
				b.WriteString(parts[rnd.IntN(len(parts))])
			}
			text := b.String()
			m, got := expr.FindStringSubmatchIndex(text), places(text, words, 1)
			if (m == nil) != (len(got) == 0) || m != nil && got[0] != [2]int{m[2], m[3]} {
				t.Fatalf("places(%q, %q) = %v, want %v", text, words, got, m)
			}
			some += len(got)
		}
	}
	if some < 500 {
		t.Errorf("only %d of the texts hold the words: the test proves too little", some)
	}
	if got := places("due due, due", []string{"due"}, 2); len(got) != 2 || got[1] != [2]int{4, 7} {
		t.Errorf("places = %v, want the first two", got)
	}
}
