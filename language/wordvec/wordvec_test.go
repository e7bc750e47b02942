package wordvec_test

import (
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp/language/wordvec"
)

func sumOf(text string) *wordvec.Sum {
	s := wordvec.Of(strings.Fields(text))
	return &s
}

// Each statement is more like its question than any other statement is. No word of a question stands in its statement.
func TestLikeness(t *testing.T) {
	pairs := [][2]string{
		{"holiday abroad summer", "flight lisbon july booked"},
		{"musical instrument", "cello lessons thursday"},
		{"pet's health", "vet vaccinated dog"},
		{"illness medicine", "asthma inhaler doctor"},
		{"pay bank", "salary account monthly"},
		{"supper guests", "dinner cooks lasagne friends"},
	}
	for i, question := range pairs {
		own := sumOf(question[0]).Likeness(sumOf(question[1]))
		for j, other := range pairs {
			if like := sumOf(question[0]).Likeness(sumOf(other[1])); j != i && like >= own {
				t.Errorf("%q is as like %q (%.2f) as %q (%.2f)", question[0], other[1], like, question[1], own)
			}
		}
	}
}

// Stop words, numbers and unknown words add nothing; nothing is like them; a text is wholly like itself, however often it says a word.
func TestUnknown(t *testing.T) {
	for _, text := range []string{"", "the of and", "4711 xqzzt", "the"} {
		if s := sumOf(text); s.Known() || s.Likeness(sumOf("house")) != 0 || s.Likeness(s) != 0 {
			t.Errorf("%q: known %v, likeness %v", text, s.Known(), s.Likeness(sumOf("house")))
		}
	}
	if like := sumOf("the house house's xqzzt house").Likeness(sumOf("house")); like < 0.999999 || like > 1.000001 {
		t.Errorf("likeness to itself: %v", like)
	}
	if s := sumOf("zyzzyva zz zzz aa"); s.Likeness(sumOf("house")) > 0.9 { // the ends of the table
		t.Error("words at the ends of the table")
	}
}

func BenchmarkOf(b *testing.B) {
	words := strings.Fields("my sister moved to a flat near the harbour of lisbon with her two cats last summer")
	for b.Loop() {
		wordvec.Of(words)
	}
}

func BenchmarkLikeness(b *testing.B) {
	x, y := sumOf("holiday abroad summer"), sumOf("flight lisbon july booked")
	for b.Loop() {
		x.Likeness(y)
	}
}
