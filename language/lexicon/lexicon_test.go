package lexicon

import (
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/ctx-mcp/ctx-mcp/language"
)

var channelNames = []string{"none", "same", "software", "synonym", "ancestor", "gloss", "related", "antonym"}

// TestLikeness: the pairs of testdata/likenesses.txt, in both directions.
func TestLikeness(t *testing.T) {
	text, err := os.ReadFile("testdata/likenesses.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if line[0] == '#' {
			continue
		}
		pair, want, _ := strings.Cut(strings.TrimSpace(line), ": ")
		a, b, _ := strings.Cut(pair, ", ")
		for _, p := range [][2]string{{a, b}, {b, a}} {
			channel, weight := Likeness(p[0], p[1])
			if weight < .2 {
				channel = None
			}
			if got := channelNames[channel]; got != want || weight > 1 {
				t.Errorf("Likeness(%s, %s) = %s, %.2f, want %s", p[0], p[1], got, weight, want)
			}
		}
	}
}

func TestBases(t *testing.T) {
	for form, want := range map[string]string{
		"wives": "wife wive", "left": "leave left", "children": "child", "better": "good well better", "boxes": "box", "deploying": "deploy",
		"deployments": "deployment", "repos": "repo", "went": "go", "qwertyuiop": "", "the": "",
	} {
		if got := strings.Join(Look(form).Bases(), " "); got != want {
			t.Errorf("Bases of %q = %q, want %q", form, got, want)
		}
	}
	if got := Base("qwertyuiop"); got != "qwertyuiop" {
		t.Errorf("Base of an unknown word = %q, want the word", got)
	}
}

// TestCommonness: stop words are of every day, "take" is commoner than "bookkeeping", and an unknown word is not common.
func TestCommonness(t *testing.T) {
	order := []string{"the", "take", "home", "dog", "hazelnut"}
	for i := 1; i < len(order); i++ {
		if a, b := Commonness(order[i-1]), Commonness(order[i]); a <= b {
			t.Errorf("Commonness(%s) = %.2f, Commonness(%s) = %.2f, want the first greater", order[i-1], a, order[i], b)
		}
	}
	if Commonness("the") != 1 || Commonness("qwertyuiop") != 0 {
		t.Errorf("Commonness of a stop word is %v, of an unknown word %v, want 1 and 0", Commonness("the"), Commonness("qwertyuiop"))
	}
}

// TestNeighbours: they come by weight, each once by channel, never the word itself, and agree with Likeness.
func TestNeighbours(t *testing.T) {
	for _, form := range []string{"wife", "trucks", "running", "auth", "production", "pull request"} {
		w := Look(form)
		links := w.Neighbours()
		if len(links) == 0 {
			t.Errorf("%s has no neighbours", form)
		}
		seen := map[Link]bool{}
		for i, l := range links {
			key := Link{l.Word, l.Channel, 0}
			if seen[key] || l.Weight <= 0 || l.Weight > 1 || i > 0 && l.Weight > links[i-1].Weight {
				t.Errorf("%s has the link %v at %d: twice, out of range or out of order", form, l, i)
			}
			seen[key] = true
			if channel, weight := w.Likeness(Look(l.Word)); weight < l.Weight && channel != Same {
				t.Errorf("Likeness(%s, %s) = %v, less than the link %v", form, l.Word, weight, l)
			}
		}
	}
}

// TestNearness: words of one subject are nearer than words of two, and a word is nearest to itself.
func TestNearness(t *testing.T) {
	near := func(a, b string) float64 { return NewTopics([]*Word{Look(b)}).Nearness(Look(a))[0] }
	for _, c := range []struct{ word, nearer, farther string }{
		{"bookkeeping", "accountant", "dentist"}, {"dentist", "tooth", "salary"}, {"walnut", "hazelnut", "meeting"}, {"lawyer", "dentist", "coffee"},
		{"k8s", "helm", "wife"},
	} {
		if a, b := near(c.word, c.nearer), near(c.word, c.farther); a <= 2*b || a > 1 {
			t.Errorf("%s is near %s by %.3f, and %s by %.3f", c.word, c.nearer, a, c.farther, b)
		}
	}
	if got := near("dog", "dog"); got < .999 {
		t.Errorf("a word is near itself by %v", got)
	}
	if got := near("qwertyuiop", "dog"); got != 0 {
		t.Errorf("an unknown word is near another by %v", got)
	}
}

// TestWords: a phrase of software follows its words.
func TestWords(t *testing.T) {
	var got []string
	for _, w := range Words("Who reviews Zoë's pull requests?") {
		got = append(got, w.Form())
	}
	if want := []string{"who", "reviews", "zoe", "pull", "pull request", "requests"}; !slices.Equal(got, want) {
		t.Errorf("Words = %q, want %q", got, want)
	}
}

// TestSoftware: every entry is written as the words of a text are, or it would never be met.
func TestSoftware(t *testing.T) {
	for _, table := range []*language.Table{language.SoftwareTerms, language.SoftwareFields, language.SoftwareKinds, language.SoftwareWork} {
		for _, r := range table.Rows() {
			for _, w := range append([]string{r.Head}, r.Words...) {
				if got := strings.Join(language.Words(w), " "); got != w {
					t.Errorf("row %s: a text has %q for %q", r.Head, got, w)
				}
			}
		}
	}
}

// TestLicense: the licence of WordNet goes with every copy of the table.
func TestLicense(t *testing.T) {
	beside, err := os.ReadFile("LICENSE.wordnet")
	if err != nil || License() != string(beside) || !strings.Contains(License(), "WordNet 3.0 Copyright 2006 by Princeton University.") {
		t.Errorf("the table has another licence than LICENSE.wordnet, or none: %v", err)
	}
}

// TestShared: words may be looked up and compared by many at once.
func TestShared(t *testing.T) {
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for _, form := range []string{"wives", "truck", "auth", "wives"} {
				w := Look(form)
				if w.Form() != form || len(w.Neighbours()) == 0 || NewTopics([]*Word{w}).Nearness(w)[0] < .99 {
					t.Errorf("Look(%s) gives another word", form)
				}
			}
		})
	}
	group.Wait()
}

func BenchmarkLook(b *testing.B) {
	for b.Loop() {
		look("running")
	}
}

func BenchmarkLikeness(b *testing.B) {
	one, other := Look("running"), Look("truck")
	for b.Loop() {
		one.Likeness(other)
	}
}

func BenchmarkSurroundings(b *testing.B) {
	w := Look("running")
	for b.Loop() {
		w.surroundings()
	}
}

// BenchmarkExpansion measures a question none of whose words was looked up before.
func BenchmarkExpansion(b *testing.B) {
	words := language.Words("Which dentist did we choose for the children after moving?")
	for b.Loop() {
		for _, w := range words {
			if !language.StopWords.Has(w) {
				look(w).Neighbours()
			}
		}
	}
}
