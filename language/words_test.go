package language

import (
	"slices"
	"strings"
	"testing"
)

// TestOneTerm: the forms of a word, however written, are one term.
func TestOneTerm(t *testing.T) {
	for _, forms := range []string{
		"deploy deploys deployed deploying Deploy DEPLOYING",
		"go going went gone",
		"child children child's children's Children’s",
		"don't dont don’t DON'T",
		"café cafe CAFÉ cafe\u0301 ＣＡＦＥ",
		"❤ ❤️",
	} {
		terms := Terms(forms)
		if len(terms) != len(strings.Fields(forms)) || len(slices.Compact(slices.Clone(terms))) != 1 {
			t.Errorf("Terms(%q) = %q, want one term for each and the same for all", forms, terms)
		}
	}
}

// TestCut: how scripts and signs part words.
func TestCut(t *testing.T) {
	tests := []struct{ text, want string }{
		{"snake_case kebab-case camelCase a.b/c:d", "snake case kebab case camelcas a b c d"},
		{"v1.2.3 C++ 50% $7", "v1 2 3 c 50 7"},
		{"'quoted' \"double\" `code`", "quot doubl code"},
		{"日本語とEnglishと中文", "日 日本 本 本語 語 語と と english と と中 中 中文 文"},
		{"สวัสดี", "ส สว ว วั ั ัส ส สด ด ดี ี"},
		{"👍🏽 👩‍👧 🇩🇪", "👍 🏽 👩 👧 🇩 🇪"},
		{"مرحبا بالعالم", "مرحبا بالعالم"},
		{"नमस्ते दुनिया", "नमस्ते दुनिया"},
		{"№5 ½ ²", "no5 1 2 2"},
		{"a\x00b\u200bc\ufeffd", "a b c d"},
	}
	wantWords(t, "Terms", Terms, tests)
}

// TestLongTermsAreCut: a term has at most maxTerm bytes, ends with a whole character, and is cut alike on both sides.
func TestLongTermsAreCut(t *testing.T) {
	for _, text := range []string{strings.Repeat("f0", 500), strings.Repeat("ж", 500), "x" + strings.Repeat("ж", 500)} {
		terms := Terms(text)
		if len(terms) != 1 || len(terms[0]) > maxTerm || !strings.HasPrefix(text, terms[0]) {
			t.Errorf("Terms(%.10q…) = %q, want the beginning of it", text, terms)
		}
		if asked := Query(text); !slices.Equal(asked, terms) {
			t.Errorf("Query(%.10q…) = %q, Terms = %q, want one cut", text, asked, terms)
		}
	}
}

// TestStopWords: they are in the index, and in a question only if it has no other words.
func TestStopWords(t *testing.T) {
	if got := Terms("to be or not to be"); len(got) != 6 {
		t.Errorf("Terms = %q, want every word", got)
	}
	tests := []struct{ text, want string }{
		{"to be or not to be", "to be or not"},
		{"what is the deploy day", "deploy day"},
		{"the The THE", "the"},
		{"東京 the", "東京"},
		{"the 🚀", "🚀"},
	}
	wantWords(t, "Query", Query, tests)
}

// TestIrregular: every form leads to a base that leads nowhere else, so that two forms of a word are one term.
func TestIrregular(t *testing.T) {
	for form, base := range irregular() {
		if next, again := irregular()[base]; again {
			t.Errorf("%q leads to %q, which leads to %q", form, base, next)
		}
		if stem(form) != stem(base) {
			t.Errorf("%q has the stem %q, its base %q has %q", form, stem(form), base, stem(base))
		}
	}
}
