package main

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/ctx-mcp/ctx-mcp/language/lexicon/network"
	"github.com/ctx-mcp/ctx-mcp/storetest/golden"
)

// TestNotice: the licence stands beside the table and in the notice of the product.
func TestNotice(t *testing.T) {
	licence := golden.Read(t, "../LICENSE.wordnet")
	notice := golden.Read(t, "../../../NOTICE")
	if len(licence) < 1500 || notice[len(notice)-len(licence):] != licence {
		t.Error("NOTICE does not end with LICENSE.wordnet")
	}
}

// small is a dictionary of a few words in the form of WordNet: a truck, also called lorry, is a vehicle; "van" has two meanings,
// tagged three times and once; "Van" is a town, and "Rose" a person.
var small = map[string]string{
	"data.noun": `  1 A licence.
00000001 06 n 01 vehicle 0 000 | a thing "a vehicle"
00000002 06 n 02 truck 0 lorry 0 001 @ 00000001 n 0000 | hauls
00000003 06 n 01 van 0 002 @ 00000001 n 0000 ! 00000002 n 0102 | hauls
00000004 14 n 01 van 0 000 | front
00000005 18 n 01 Rose 0 000 | a person
00000006 15 n 01 Van 0 000 | a town
`,
	"index.noun": `lorry n 1 0 1 0 00000002
rose n 1 0 1 0 00000005
truck n 1 0 1 0 00000002
van n 3 0 3 2 00000003 00000004 00000006
vehicle n 1 0 1 0 00000001
`,
	"data.verb":   "00000007 35 v 01 haul 0 001 + 00000002 n 0101 | pull\n",
	"index.verb":  "haul v 1 0 1 0 00000007\n",
	"noun.exc":    "vans van\nroses rose\n",
	"cntlist.rev": "van%1:06:00:: 1 3\nvan%1:14:00:: 2 1\n",
	"data.adj":    "", "data.adv": "", "index.adj": "", "index.adv": "", "adj.exc": "", "adv.exc": "", "verb.exc": "",
}

// TestCheck: a folder is as it was made, until a file in it changes; of another WordNet nothing is said.
func TestCheck(t *testing.T) {
	from, to := smallFiles(t), t.TempDir()
	if err := write(from, to); err != nil {
		t.Fatal(err)
	}
	if err := check(from, to); err != nil {
		t.Errorf("check of what was written: %v", err)
	}
	table := filepath.Join(to, "wordnet.bin")
	if err := os.WriteFile(table, []byte(golden.Read(t, table)+"x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := check(from, to); err == nil {
		t.Error("check of a changed table gives no error")
	}
	other := smallFiles(t)
	if err := os.WriteFile(filepath.Join(other, "noun.exc"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := check(other, to); err != nil {
		t.Errorf("check with another WordNet: %v", err)
	}
	if err := check(from, t.TempDir()); err == nil {
		t.Error("check of an empty folder gives no error")
	}
}

func smallBook(t *testing.T) *book {
	t.Helper()
	w, err := read(smallFiles(t))
	if err != nil {
		t.Fatal(err)
	}
	return newBook(w)
}

func smallFiles(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range small {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestShares(t *testing.T) {
	b := smallBook(t)
	van := b.meanings["van"]
	total := 3.5 + 1.25 + .5/3
	for i, want := range []float64{3.5 / total, 1.25 / total, .5 / 3 / total} {
		if got := van[i].share; math.Abs(got-want) > 1e-9 {
			t.Errorf("meaning %d of van has share %v, want %v", i+1, got, want)
		}
	}
	if _, known := b.meanings["rose"]; known {
		t.Error("the name of a person stands in the table")
	}
	if got := b.base("vans"); got != "van" {
		t.Errorf("base(vans) = %q, want van", got)
	}
	if got := b.irregularForms(); len(got) != 1 || got[0].Base != "van" {
		t.Errorf("irregularForms() = %v, want that of van", got)
	}
}

func TestLinks(t *testing.T) {
	l := newLinker(smallBook(t))
	for _, c := range []struct {
		word    string
		channel network.Channel
		to      string
	}{
		{"truck", network.Synonym, "lorry"}, {"lorry", network.Synonym, "truck"}, {"truck", network.Ancestor, "vehicle"},
		{"haul", network.Synonym, "truck"}, {"van", network.Antonym, "lorry"},
	} {
		if weightOf(l.links(c.word), c.channel, c.to) == 0 {
			t.Errorf("links(%s) lacks %s by channel %d: %v", c.word, c.to, c.channel, l.links(c.word))
		}
	}
	if w := weightOf(l.links("vehicle"), network.Ancestor, "truck"); w != 0 {
		t.Errorf("vehicle has the ancestor truck, with weight %v", w)
	}
	if one, other := weightOf(l.links("truck"), network.Ancestor, "vehicle"), weightOf(l.links("van"), network.Ancestor, "vehicle"); one <= other {
		t.Errorf("truck, always a vehicle, is linked to it with %v, and van, mostly one, with %v", one, other)
	}
}

func weightOf(links []network.Link, channel network.Channel, to string) float64 {
	for _, l := range links {
		if l.Channel == channel && l.Word == to {
			return l.Weight
		}
	}
	return 0
}

func TestBroken(t *testing.T) {
	for name, line := range map[string]string{
		"data.noun": "00000001 06 n 01 vehicle", "index.noun": "vehicle n x 0 1 0 00000001", "cntlist.rev": "van 1 3",
	} {
		dir := t.TempDir()
		for file, text := range small {
			if file == name {
				text += line + "\n"
			}
			if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := read(dir); err == nil {
			t.Errorf("a broken line in %s gives no error", name)
		}
	}
	if _, err := read(t.TempDir()); err == nil {
		t.Error("a folder without WordNet gives no error")
	}
}
