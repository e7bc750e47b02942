package relations

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// TestSamples: each relation has two questions and two statements or more, and is found in each, not behind three others.
func TestSamples(t *testing.T) {
	for _, r := range all().relations {
		if len(r.questions) < 2 || len(r.says) < 2 {
			t.Errorf("%s has %d questions and %d statements for samples, want two of each", r.name, len(r.questions), len(r.says))
		}
		for _, q := range r.questions {
			checkFound(t, r, q, OfQuestion(q))
		}
		for _, s := range r.says {
			checkFound(t, r, s, OfStatement(s))
		}
	}
}

func checkFound(t *testing.T, r relation, text string, found []Relation) {
	t.Helper()
	place := slices.IndexFunc(found, func(f Relation) bool { return f.Name == r.name })
	if place < 0 || found[place].Weight < weakWeight {
		t.Errorf("%q is not about %s: %v", text, r.name, found)
	} else if better := slices.IndexFunc(found, func(f Relation) bool { return f.Weight <= found[place].Weight }); better >= 3 {
		t.Errorf("%q is about %d relations sooner than %s: %v", text, better, r.name, found)
	}
}

// TestKinds: the samples of the kinds of answers.
func TestKinds(t *testing.T) {
	seen := map[Kind]bool{}
	for _, r := range answers().relations {
		if string(r.answer) != r.name || len(r.questions) < 2 || len(r.says) < 2 {
			t.Errorf("the kind %s is called %s, or has too few samples", r.answer, r.name)
		}
		seen[r.answer] = true
		for _, q := range r.questions {
			if got := KindsAsked(q); !slices.Contains(got, r.answer) {
				t.Errorf("KindsAsked(%q) = %v, want %s among them", q, got, r.answer)
			}
		}
		for _, s := range r.says {
			if got := KindsTold(s); !slices.Contains(got, r.answer) {
				t.Errorf("KindsTold(%q) = %v, want %s among them", s, got, r.answer)
			}
		}
	}
	if len(seen) != len(kinds) {
		t.Errorf("%d kinds of answers have forms, want %d", len(seen), len(kinds))
	}
}

// TestWeights: one word that may be about a relation weighs .4, two .64, and a form that is about it 1.
func TestWeights(t *testing.T) {
	made, err := read(fstest.MapFS{"t/a.txt": {Data: []byte("[home] place\nask: where ... live\nweak: flat, street\n")}}, "t")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]float64{
		"a flat": .4, "flat, flat and flats": .4, "the flat in this street": .64, "where does she live": 1, "where in flat does live": 1,
		"where is what she said that he lived": 0, "nothing": 0,
	} {
		got := 0.0
		for _, r := range made.find(made.asks, text) {
			got = r.Weight
		}
		if math.Abs(got-want) > 1e-9 {
			t.Errorf("%q is about home by %v, want %v", text, got, want)
		}
	}
}

// TestRefused: a table with a mistake is refused with the line.
func TestRefused(t *testing.T) {
	for name, text := range map[string]string{
		"no relation": "ask: where", "no kind": "[home] house", "no label": "[home] place\nwhere is", "a gap": "[home] place\nask: ... live",
		"a gap at the end": "[home] place\nask: live ...", "no form": "[home] place\nask: where,, live", "capitals": "[home] place\nask: Where",
		"no such tools": "[home] place\ntools: houses", "a hyphen": "[home] place\nask: part-time", "twice": "[home] place\n[home] place",
	} {
		if _, err := read(fstest.MapFS{"t/a.txt": {Data: []byte(text)}}, "t"); err == nil {
			t.Errorf("a table with %s gives no error", name)
		}
	}
}

// TestForms: no form of a relation stands twice, for it would say nothing.
func TestForms(t *testing.T) {
	for _, r := range slices.Concat(all().relations, answers().relations) {
		for _, forms := range [][]form{r.asks, r.tells} {
			seen := map[string]bool{}
			for _, f := range forms {
				key := fmt.Sprint(f.elements)
				if seen[key] {
					t.Errorf("%s has the form %v twice", r.name, f.elements)
				}
				seen[key] = true
			}
		}
	}
}

func TestNames(t *testing.T) {
	names := Names()
	if len(names) != len(all().relations) || !slices.Contains(names, "home") {
		t.Errorf("Names() = %v, want all relations", names)
	}
}

// TestLong: a text of any length takes time that grows with it, and gaps no more than their bound.
func TestLong(t *testing.T) {
	if got := OfQuestion(strings.Repeat("where does which what how ", 2000)); len(got) > len(Names()) {
		t.Errorf("%d relations", len(got))
	}
}

func BenchmarkOfQuestion(b *testing.B) {
	for b.Loop() {
		OfQuestion("Which dentist did we choose for the children after moving?")
	}
}

func BenchmarkOfStatement(b *testing.B) {
	for b.Loop() {
		OfStatement("We moved to a flat on Mill Lane in spring, and the children go to the school nearby.")
	}
}

func BenchmarkRead(b *testing.B) {
	for b.Loop() {
		mustRead("tables")
	}
}
