package language

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestTerms(t *testing.T) {
	tests := []struct{ text, want string }{
		{"Caroline went to the support groups", "carolin go to the support group"},
		{"The CHILDREN's café", "the child cafe"},
		{"error_code_42 in net/http", "error code 42 in net http"},
		{"东京大学", "东 东京 京 京大 大 大学 学"},
		{"東", "東"},
		{"ship it 🚀🎉", "ship it 🚀 🎉"},
		{"ＡＢＣ ﬁne", "abc fine"},
		{"한국어", "한 한국 국 국어 어"},
		{"наши дети", "наши дети"},
		{"naïve Zoë", "naiv zoe"},
		{"", ""},
		{"?!,.\"()*:^-", ""},
	}
	wantWords(t, "Terms", Terms, tests)
}

func TestQuery(t *testing.T) {
	tests := []struct{ text, want string }{
		{"When did Caroline go to the support group?", "carolin go support group"},
		{"who am I", "who am i"},
		{"deploy AND NOT \"prod\" OR deploy*", "deploy prod"},
		{"東京 の", "東京 の"},
		{"🚀", "🚀"},
	}
	wantWords(t, "Query", Query, tests)
}

// wantWords compares the words that a function returns of texts, with a space between them.
func wantWords(t *testing.T, name string, of func(text string) []string, tests []struct{ text, want string }) {
	t.Helper()
	for _, tt := range tests {
		if got := strings.Join(of(tt.text), " "); got != tt.want {
			t.Errorf("%s(%q) = %q, want %q", name, tt.text, got, tt.want)
		}
	}
}

// FuzzTerms holds the package's invariant, and that any question in the words of a text finds the text.
func FuzzTerms(f *testing.F) {
	for _, s := range []string{"plain words", "東京タワー 2024", "e\u0301 ﷺ ǅ", "👩‍👩‍👧", "\xff\xfe", "ΑΣ ας", "İstanbul"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		index := map[string]bool{}
		for _, term := range Terms(text) {
			index[term] = true
			if term == "" || len(term) > maxTerm {
				t.Fatalf("Terms(%q) holds %q", text, term)
			}
			for i := range len(term) {
				if c := term[i]; c < 0x80 && (c < 'a' || c > 'z') && (c < '0' || c > '9') {
					t.Fatalf("Terms(%q) holds %q", text, term)
				}
			}
		}
		for _, term := range Query(text) {
			if !index[term] {
				t.Fatalf("Query(%q) asks for %q, which Terms lacks", text, term)
			}
		}
	})
}

// TestCutPlain: the short way through a text in ASCII finds the words of the long one.
func TestCutPlain(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		text := make([]byte, random.IntN(12))
		for i := range text {
			text[i] = "abs19''' .-_\n"[random.IntN(13)]
		}
		if got, want := cutPlain(string(text)), cut([]rune(string(text))); !slices.Equal(got, want) {
			t.Fatalf("cutPlain(%q) = %v, want %v", text, got, want)
		}
	}
}
