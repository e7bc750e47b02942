package extract

import (
	"slices"
	"strings"
	"testing"
)

// TestActForms runs every form of acts over every sample: a sample of a form is read by it and by no other, and
// nothing is read where it must not.
func TestActForms(t *testing.T) {
	for _, f := range append(append([]form{}, wholeForms...), clauseForms...) {
		checkForm(t, f.Name, f.Doc, f.Yes, f.No, func(text string) (read []reading) {
			for _, a := range Read(text).Acts {
				told := a.Target
				if a.Value != "" {
					told += " | " + a.Value
				}
				read = append(read, reading{a.Form, strings.TrimSpace(told)})
			}
			return read
		})
	}
}

// TestStanceForms does the same for stances.
func TestStanceForms(t *testing.T) {
	for _, f := range stanceForms {
		checkForm(t, f.Name, f.Doc, f.Yes, f.No, func(text string) (read []reading) {
			for _, s := range Read(text).Stances {
				read = append(read, reading{s.Form, s.Subject + " | " + s.Predicate + " | " + s.Value})
			}
			return read
		})
	}
}

// reading is an act or a stance, with the form that read it.
type reading struct{ form, told string }

func checkForm(t *testing.T, name, doc string, yes, no []string, read func(text string) []reading) {
	t.Helper()
	if len(yes) == 0 || len(no) == 0 || doc == "" {
		t.Errorf("form %s lacks samples or a doc", name)
	}
	for _, sample := range yes {
		text, want, _ := strings.Cut(sample, " => ")
		if got := read(text); !slices.Equal(got, []reading{{name, strings.TrimSpace(want)}}) {
			t.Errorf("Read(%q) = %q, want %q by %s alone", text, got, want, name)
		}
	}
	for _, text := range no {
		for _, r := range read(text) {
			if r.form == name {
				t.Errorf("Read(%q) = %q by %s, which must not read it", text, r.told, name)
			}
		}
	}
}

// FuzzRead holds the package's invariant: every word of a reading stands in the text.
func FuzzRead(f *testing.F) {
	for _, form := range append(append([]form{}, wholeForms...), clauseForms...) {
		for _, sample := range append(append([]string{}, form.Yes...), form.No...) {
			text, _, _ := strings.Cut(sample, " => ")
			f.Add(text)
		}
	}
	f.Add("I finished \ue000 and “I sold 'the \ue001 car'”. I, I, I; but so \xff")
	f.Fuzz(func(t *testing.T, text string) {
		r := Read(text)
		held := unquoted(strings.ToValidUTF8(goesOn.ReplaceAllString(text, ", but "), " "))
		var parts []string
		for _, a := range r.Acts {
			parts = append(parts, a.Target, a.Value)
			if !a.Before && a.Target == "" {
				t.Errorf("Read(%q) has an act without a target: %+v", text, a)
			}
		}
		for _, s := range r.Stances {
			if parts = append(parts, s.Value); s.Subject != Speaker {
				parts = append(parts, s.Subject)
			}
		}
		for _, part := range parts {
			for _, word := range strings.Fields(part) {
				if !strings.Contains(held, unquoted(word)) {
					t.Errorf("Read(%q) says %q, which the text does not", text, word)
				}
			}
		}
	})
}

// TestHostileText: texts made of false starts cost no more than their length.
func TestHostileText(t *testing.T) {
	for _, part := range []string{"I used to like ", "speaking of ", "\"", "'", "but ", "I finished ", "from to ", ", i"} {
		Read(strings.Repeat(part, maxText/len(part)))
	}
	if r := Read(strings.Repeat("I sold the car. ", 1+maxText/16)); len(r.Acts) > 0 {
		t.Errorf("a text of over %d bytes is read: %d acts", maxText, len(r.Acts))
	}
}

// unquoted returns text without quotation marks, and without the marks that stand for quoted texts.
func unquoted(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= firstMark && r <= lastMark || strings.ContainsRune(`"'“”‘’«»`, r) {
			return -1
		}
		return r
	}, text)
}

func BenchmarkRead(b *testing.B) {
	text := "That's a good point. Speaking of plans, I really need to renew my passport before the trip in May. Do you know how long that takes?"
	for b.Loop() {
		Read(text)
	}
}
