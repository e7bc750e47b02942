package envelope

import (
	"github.com/ctx-mcp/ctx-mcp/storetest/rounds"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestHeadingsBeginSo: the bytes that are looked at before a pattern is asked pass over no heading.
func TestHeadingsBeginSo(t *testing.T) {
	parts := []string{"[", "]", "==", "--", "__", "##", "**", "§ 1", "Article ", "Section ", "Clause ", "Appendix ", "Part ", "Chapter ", "Step ", "IV", "X", "commit ", "0123abc",
		"From: ", "On ", " wrote:", "-----Original Message", "ALL ", "CAPITALS", ":", "word", " ", "é", "/", "2"}
	r := rand.New(rand.NewPCG(1, 2))
	some := 0
	for range rounds.Of(10_000, 50_000) {
		var b strings.Builder
		for range 1 + r.IntN(5) {
			b.WriteString(parts[r.IntN(len(parts))])
		}
		text := b.String()
		want := 0
		switch c := text[0]; {
		case c == '#', c == ' ', '0' <= c && c <= '9':
			continue
		case sectionMark.MatchString(text):
			want = 10
		case commitMark.MatchString(text):
			want = 15
		case capitals.MatchString(text):
			want = 19
		}
		if got := headingLevel(text); got != want {
			t.Fatalf("headingLevel(%q) = %d, want %d", text, got, want)
		}
		if want > 0 {
			some++
		}
	}
	if some < 300 {
		t.Errorf("only %d of the texts are headings", some)
	}
}
