package network

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var sample = []Entry{
	{Word: "truck", Parts: Noun | Verb, Commonness: 7, Links: []Link{
		{"lorry", Synonym, 1}, {"truckster", Synonym, 4. / 16}, {"vehicle", Ancestor, 9. / 16}, {"wheel", Related, 1. / 16},
	}},
	{Word: "vehicle", Parts: Noun, Commonness: 9}, {Word: "lorry", Parts: Noun, Links: []Link{{"truck", Synonym, 1}}},
	{Word: "trucks"}, {Word: "truckster"}, {Word: "wheel", Commonness: MaxCommonness}, {Word: "a"},
}

func open(t testing.TB, entries []Entry, forms []Form) *Network {
	t.Helper()
	data, err := Encode("a notice", entries, forms)
	if err != nil {
		t.Fatal(err)
	}
	n, err := Open(string(data))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// entriesOf reads all entries back, in the order of their words.
func entriesOf(n *Network) []Entry {
	var all []Entry
	for id := range n.Len() {
		about := n.About(id)
		e := Entry{Word: n.Word(id), Parts: about.Parts, Commonness: about.Commonness}
		for _, l := range n.Edges(nil, id) {
			e.Links = append(e.Links, Link{n.Word(l.ID), l.Channel, l.Weight})
		}
		all = append(all, e)
	}
	return all
}

func sorted(entries []Entry) []Entry {
	return slices.SortedFunc(slices.Values(entries), func(a, b Entry) int { return strings.Compare(a.Word, b.Word) })
}

func TestRoundTrip(t *testing.T) {
	n := open(t, sample, []Form{{"lorries", "lorry"}, {"wheels", "wheel"}, {"wheels", "a"}})
	if diff := cmp.Diff(sorted(sample), entriesOf(n)); diff != "" {
		t.Errorf("entries changed (-want +got):\n%s", diff)
	}
	if n.Notice() != "a notice" {
		t.Errorf("Notice() = %q", n.Notice())
	}
	a, _ := n.Find("a")
	wheel, _ := n.Find("wheel")
	if got, want := n.Bases("wheels"), []int{a, wheel}; !slices.Equal(got, want) {
		t.Errorf("Bases(wheels) = %v, want %v", got, want)
	}
	if got := n.Bases("wheel"); got != nil {
		t.Errorf("Bases(wheel) = %v, want none", got)
	}
}

func TestHub(t *testing.T) {
	n := open(t, sample, nil)
	for word, want := range map[string]int{"truck": 1, "a": 0, "vehicle": 1} {
		if id, _ := n.Find(word); n.About(id).Hub != want {
			t.Errorf("About(%s).Hub = %d, want %d", word, n.About(id).Hub, want)
		}
	}
}

// TestFind: every word is found at its number, and nothing else is found, in networks of all sizes about the size of a block.
func TestFind(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for size := range 70 {
		words := map[string]bool{}
		for len(words) < size {
			words[letters(random)] = true
		}
		var entries []Entry
		for w := range words {
			entries = append(entries, Entry{Word: w})
		}
		n := open(t, entries, nil)
		for range 400 {
			w := letters(random)
			id, found := n.Find(w)
			if found != words[w] || found && n.Word(id) != w {
				t.Fatalf("size %d: Find(%q) = %d, %v, want %v", size, w, id, found, words[w])
			}
		}
	}
}

// letters returns a word of few letters, so that words share beginnings.
func letters(random *rand.Rand) string {
	w := make([]byte, 1+random.IntN(6))
	for i := range w {
		w[i] = "abc"[random.IntN(3)]
	}
	return string(w)
}

func TestEqualBytes(t *testing.T) {
	one, _ := Encode("", sample, nil)
	turned := slices.Clone(sample)
	slices.Reverse(turned)
	if other, _ := Encode("", turned, nil); string(one) != string(other) {
		t.Error("the order of the entries changes the bytes")
	}
}

func TestRefused(t *testing.T) {
	many := []Entry{{Word: "hub"}}
	for i := range maxLinks + 1 {
		w := fmt.Sprint("w", i)
		many[0].Links = append(many[0].Links, Link{w, Gloss, .5})
		many = append(many, Entry{Word: w})
	}
	for name, entries := range map[string][]Entry{
		"an empty word":     {{Word: ""}},
		"a word twice":      {{Word: "a"}, {Word: "a"}},
		"no entry":          {{Word: "a", Links: []Link{{"b", Synonym, 1}}}},
		"a weight above 1":  {{Word: "a", Links: []Link{{"a", Synonym, 1.1}}}},
		"a weight of 0":     {{Word: "a", Links: []Link{{"a", Synonym, 0}}}},
		"no channel":        {{Word: "a", Links: []Link{{"a", None, 1}}}},
		"a commonness":      {{Word: "a", Commonness: MaxCommonness + 1}},
		"too many links":    many,
		"a word of a block": {{Word: strings.Repeat("a", maxWord+1)}},
	} {
		if _, err := Encode("", entries, nil); err == nil {
			t.Errorf("Encode with %s gives no error", name)
		}
	}
	if _, err := Encode("", sample, []Form{{"went", "go"}}); err == nil {
		t.Error("Encode with a form without its base gives no error")
	}
}

func TestOpenRefuses(t *testing.T) {
	data, _ := Encode("", sample, nil)
	for _, cut := range []int{0, 5, headLength - 1, headLength + 1} {
		if _, err := Open(string(data[:cut])); err == nil {
			t.Errorf("Open of the first %d bytes gives no error", cut)
		}
	}
	if _, err := Open("x" + string(data)); err == nil {
		t.Error("Open of other bytes gives no error")
	}
}

// TestDetach: the rules of WordNet's manual page morphy(7).
func TestDetach(t *testing.T) {
	for form, want := range map[string]string{
		"boxes": "boxe/1 box/1 boxe/2 box/2 boxe/2", "women": "woman/1", "running": "runne/2 runn/2", "finest": "fin/4 fine/4", "boss": "", "is": "",
	} {
		var got []string
		Detach(form, func(base string, part Part) { got = append(got, fmt.Sprintf("%s/%d", base, part)) })
		slices.Sort(got)
		if wanted := strings.Fields(want); !slices.Equal(got, slices.Sorted(slices.Values(wanted))) {
			t.Errorf("Detach(%s) = %v, want %v", form, got, wanted)
		}
	}
}
