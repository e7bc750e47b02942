package language

import (
	"embed"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"
)

// files holds the lists, in a folder for each language.
//
//go:embed */*.txt
var files embed.FS

// Set is a list of words or phrases. It is read at its first use, and safe for concurrent use. Most lists are in lower case;
// the others say so.
type Set struct {
	entries func() []string

	once   sync.Once // guards the making of those below
	words  map[string]bool
	shapes shapes // of the words
}

// shapes has the lengths of words by their first bytes: most words that are asked for are of none of them, which tells so before they are hashed.
type shapes [32]uint64

// shapeOf returns the place of a word in shapes, and its bit there.
func shapeOf(word string) (place byte, bit uint64) {
	if word == "" {
		return 0, 1
	}
	return word[0] % 32, 1 << min(len(word), 63)
}

func newSet(read func() []string) *Set { return &Set{entries: sync.OnceValue(read)} }

// fill makes the tables for look-ups from the entries.
func (s *Set) fill() {
	s.words = make(map[string]bool, len(s.entries()))
	for _, w := range s.entries() {
		s.words[w] = true
		place, bit := shapeOf(w)
		s.shapes[place] |= bit
	}
}

// Has reports whether the word is in the list, in the case of the list.
func (s *Set) Has(word string) bool {
	s.once.Do(s.fill)
	place, bit := shapeOf(word)
	return s.shapes[place]&bit != 0 && s.words[word]
}

// All returns the entries in the order of the list. The caller must not change them.
func (s *Set) All() []string { return s.entries() }

// By returns the set of the keys of the entries, for texts that are compared by such keys: folded, or stemmed. An entry
// whose key is empty is left out.
func (s *Set) By(key func(entry string) string) *Set {
	return newSet(func() []string {
		keys := map[string]bool{}
		for _, e := range s.entries() {
			if k := key(e); k != "" {
				keys[k] = true
			}
		}
		return slices.Sorted(maps.Keys(keys))
	})
}

// Terms returns the set of the terms of the entries, as Terms makes them.
func (s *Set) Terms() *Set {
	return newSet(func() []string {
		terms := Terms(strings.Join(s.entries(), " "))
		slices.Sort(terms)
		return slices.Compact(terms)
	})
}

// list returns the list of a file.
func list(name string) *Set { return newSet(func() []string { return lines(name) }) }

// everywhere returns the list of a file of that name in all the languages that have one.
func everywhere(name string) *Set {
	return newSet(func() []string {
		found, err := fs.Glob(files, "*/"+name)
		if err != nil || len(found) == 0 { // they are part of the binary
			panic(fmt.Sprintf("language: no list %s: %v", name, err))
		}
		var all []string
		for _, f := range found {
			all = append(all, lines(f)...)
		}
		return all
	})
}

// lines returns the lines of a file, without comments.
func lines(name string) []string {
	text, err := files.ReadFile(name)
	if err != nil { // it is part of the binary
		panic(err)
	}
	return parseLines(string(text))
}

func parseLines(text string) []string {
	var all []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			all = append(all, line)
		}
	}
	return all
}
