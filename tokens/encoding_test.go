package tokens

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp/storetest/rounds"
	"github.com/pkoukk/tiktoken-go"
)

// reference is a slow implementation of the encodings by the regular expressions themselves.
func reference(t testing.TB, name string) func(string) int {
	tiktoken.SetBpeLoader(loader{})
	e, err := tiktoken.GetEncoding(name)
	if err != nil {
		t.Fatal(err)
	}
	return func(text string) int { return len(e.EncodeOrdinary(text)) }
}

// loader gives the reference the embedded vocabularies, where it would fetch them.
type loader struct{}

func (loader) LoadTiktokenBpe(file string) (map[string]int, error) {
	name := strings.TrimSuffix(file[strings.LastIndexByte(file, '/')+1:], ".tiktoken")
	ranks := map[string]int{}
	for token, rank := range mustRead(name).ranks {
		ranks[token] = int(rank)
	}
	return ranks, nil
}

// TestKnownCounts: texts on which other implementations err, with the counts of OpenAI's own.
func TestKnownCounts(t *testing.T) {
	tests := []struct {
		text          string
		o200k, cl100k int
	}{
		{"", 0, 0},
		{"\n \n", 1, 1},
		{"tiktoken is great!", 6, 6},
		{"antidisestablishmentarianism", 6, 6},
		{"2 + 2 = 4", 7, 7},
		{"お誕生日おめでとう", 8, 9},
		{"<|endoftext|>", 7, 7},
	}
	for _, tt := range tests {
		if got := O200k().Count(tt.text); got != tt.o200k {
			t.Errorf("o200k_base of %q = %d, want %d", tt.text, got, tt.o200k)
		}
		if got := Cl100k().Count(tt.text); got != tt.cl100k {
			t.Errorf("cl100k_base of %q = %d, want %d", tt.text, got, tt.cl100k)
		}
	}
}

// scraps are the parts of random texts: each asks something else of the splitters.
var scraps = []string{
	" ", "  ", "\n", "\n \n", "\r\n", "\t", "\u00a0", "\u3000", "a", "B", "ab", "AB", "Ab", "aB", "word", " Word", "WORD", "1", "12", "3456", "½", "٣",
	"'s", "'LL", "'re", "'x", "'", "/", "//", "!", "!!", "é", "É", "e\u0301", "\u0301", "日本", "ｶﾅ", "ǅ", "ʰ", "हिन्दी", "한국", "😀", "👩‍💻", "\x00", "_", "-", "{}\n", "====", "     x",
}

// TestReference: random texts count as the regular expressions and the merging of the reference count them.
func TestReference(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, e := range []*Encoding{O200k(), Cl100k()} {
		want := reference(t, e.Name())
		for range rounds.Of(700, 3000) {
			var b strings.Builder
			for range random.IntN(12) {
				b.WriteString(scraps[random.IntN(len(scraps))])
			}
			if got, want := e.Count(b.String()), want(b.String()); got != want {
				t.Fatalf("%s of %q = %d, want %d", e.Name(), b.String(), got, want)
			}
		}
	}
}

// FuzzReference holds any text against the reference.
func FuzzReference(f *testing.F) {
	want := reference(f, O200k().Name())
	for _, s := range scraps {
		f.Add(s + "x " + s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ToValidUTF8(text, "")
		if len(text) > 2000 || strings.Contains(text, "ſ") {
			t.Skip() // the reference takes quadratic time, and knows no long s
		}
		if got, want := O200k().Count(text), want(text); got != want {
			t.Errorf("Count(%q) = %d, want %d", text, got, want)
		}
	})
}

// TestLongRuns: a run of one character, which is one piece, takes no quadratic time, and the count of a run is the sum of
// its parts where a token divides it.
func TestLongRuns(t *testing.T) {
	for _, c := range []string{"a", "A", "=", " ", "\n", "7", "日", "/", "\x00"} {
		n := rounds.Of(1<<15, 1<<18) / len(c)
		got := O200k().Count(strings.Repeat(c, n))
		if got < n/128 || got > n*len(c) {
			t.Errorf("Count of %d times %q = %d", n, c, got)
		}
	}
}

// TestKept: a text is counted once, its count is forgotten in time, and the count of another text is never returned.
func TestKept(t *testing.T) {
	var k kept
	counted := 0
	count := func(text string, _ func() bool) Size { counted++; return Fixed(len(text)) }
	text := strings.Repeat("x", keepFrom)
	for range 3 {
		if got := k.size(text, never, count); got != Fixed(keepFrom) {
			t.Fatalf("size = %v, want %d", got, keepFrom)
		}
	}
	if counted != 1 {
		t.Errorf("counted %d times, want once", counted)
	}
	for i := range 3 * generation {
		k.size(text+strings.Repeat("y", 1+i%100)+strings.Repeat("z", i/100), never, count)
	}
	if len(k.young)+len(k.old) > 2*generation {
		t.Errorf("%d sizes are kept, want at most %d", len(k.young)+len(k.old), 2*generation)
	}
	if got := k.size(text, never, count); got != Fixed(keepFrom) {
		t.Errorf("size after all that = %v, want %d", got, keepFrom)
	}
}
