package ctxmcp_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/ctx-mcp/ctx-mcp"
)

func TestNormalize(t *testing.T) {
	for text, want := range map[string]string{
		"":                    "",
		"Deploy Day":          "deploy day",
		"  deploy \t\n day  ": "deploy day",
		"deploy_day":          "deploy day",
		"\"Friday.\"":         "friday",
		"C++":                 "c++",
		"C#":                  "c#",
		"-5 °C":               "-5 °c",
		"v1.2.3":              "v1.2.3",
		"a,b":                 "a,b",
		"ÅSA":                 "åsa",
		"東京。":                 "東京。",
		"...":                 "",
	} {
		if got := ctxmcp.Normalize(text); got != want {
			t.Errorf("Normalize(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestClaim(t *testing.T) {
	c := ctxmcp.Claim{Subject: "Ann", Predicate: "Lives in", Value: "Łódź"}
	if got, want := c.String(), "Ann | Lives in | Łódź"; got != want {
		t.Errorf("String() = %q, want %q", got, want)
	}
	same := ctxmcp.Claim{Subject: " ann ", Predicate: "lives_in", Value: "Rome"}
	if c.Slot() != same.Slot() {
		t.Errorf("%v and %v are in slots %q and %q, want one", c, same, c.Slot(), same.Slot())
	}
	var none ctxmcp.Claim
	if !none.IsZero() || none.Slot() != "" || none.String() != "" || c.IsZero() {
		t.Errorf("the zero claim is %q in slot %q, want nothing", none, none.Slot())
	}
}

// letters returns the letters and digits of text, as one that ignores case reads them.
func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsNumber(r) {
			return r
		}
		return -1
	}, strings.ToLower(text))
}

// FuzzNormalize: no letter, no digit and no word is lost, and nothing changes the second time.
func FuzzNormalize(f *testing.F) {
	for _, text := range []string{"Deploy_Day!", "K ﬁ ǅ İ", "\xff\xfe a\x00b", " . a . ", "'it''s'", "a\u2028b"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := ctxmcp.Normalize(text)
		if letters(got) != letters(text) {
			t.Errorf("Normalize(%q) = %q, which lost a letter or a digit", text, got)
		}
		if again := ctxmcp.Normalize(got); again != got {
			t.Errorf("Normalize(%q) = %q, and then %q", text, got, again)
		}
		for word := range strings.FieldsSeq(text) {
			if lower := strings.ToLower(word); lower == letters(word) && !slices.Contains(strings.Fields(got), lower) {
				t.Errorf("Normalize(%q) = %q, which lost the word %q", text, got, word)
			}
		}
	})
}

// FuzzSlot: claims in one slot have the same letters and digits in the subject, and the same in the predicate.
func FuzzSlot(f *testing.F) {
	f.Add("a\x1fx", "y", "a", "x\x1fy")
	f.Add("Deploy Day", "is_on", "deploy  day", "is on")
	f.Add("\x1f", "p", "", "p")
	f.Fuzz(func(t *testing.T, s1, p1, s2, p2 string) {
		a, b := ctxmcp.Claim{Subject: s1, Predicate: p1, Value: "v"}, ctxmcp.Claim{Subject: s2, Predicate: p2, Value: "v"}
		if a.Slot() == b.Slot() && (letters(s1) != letters(s2) || letters(p1) != letters(p2)) {
			t.Errorf("%q and %q share the slot %q", a, b, a.Slot())
		}
	})
}
