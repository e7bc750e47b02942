package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/language/lexicon/network"
)

// parts are the parts of speech as the files of WordNet name them, and as the pointers in them do. The format is that of the
// manual pages wndb(5) and senseidx(5).
var parts = []struct {
	file   string
	letter byte
	part   network.Part
}{
	{"noun", 'n', network.Noun}, {"verb", 'v', network.Verb}, {"adj", 'a', network.Adjective}, {"adv", 'r', network.Adverb},
}

// sources are the files that the table is made of.
func sources() []string {
	names := []string{"cntlist.rev"}
	for _, p := range parts {
		names = append(names, "data."+p.file, "index."+p.file, p.file+".exc")
	}
	return names
}

// synsetID names a synset: the letter of its part of speech and its offset.
type synsetID struct {
	letter byte
	offset string
}

// synset is a set of words of one meaning.
type synset struct {
	file     string   // of the lexicographers: "15" has the places
	words    []string // as they are written, with capitals
	pointers []pointer
	gloss    string
}

// pointer leads to another synset: from and to are the places of the words that it holds for, from 1, or 0 for all.
type pointer struct {
	symbol   string
	to       synsetID
	fromWord int
	toWord   int
}

// indexed is a meaning of a word.
type indexed struct {
	synset synsetID
	part   network.Part
	rank   int // among the meanings of its part of speech, from 1
	tags   int // occurrences in texts whose words are tagged with meanings
}

type wordnet struct {
	synsets map[synsetID]*synset
	words   map[string][]indexed
	forms   []network.Form
}

// read reads the files of WordNet in a folder.
func read(dir string) (*wordnet, error) {
	w := &wordnet{synsets: map[synsetID]*synset{}, words: map[string][]indexed{}}
	tags, err := readTags(dir)
	if err != nil {
		return nil, err
	}
	for _, p := range parts {
		for _, step := range []struct {
			name string
			line func(fields string) error
		}{
			{"data." + p.file, func(line string) error { return w.addSynset(p.letter, line) }},
			{"index." + p.file, func(line string) error { return w.addWord(p.letter, p.part, tags, line) }},
			{p.file + ".exc", w.addForms},
		} {
			if err := eachLine(filepath.Join(dir, step.name), step.line); err != nil {
				return nil, err
			}
		}
	}
	return w, nil
}

// eachLine calls f with each line of a file but those of its licence, which begin with a space.
func eachLine(path string, f func(line string) error) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	s := bufio.NewScanner(file)
	s.Buffer(nil, 1<<20)
	for n := 1; s.Scan(); n++ {
		if line := s.Text(); line != "" && line[0] != ' ' {
			if err := f(line); err != nil {
				return fmt.Errorf("%s:%d: %w", path, n, err)
			}
		}
	}
	return s.Err()
}

// tagKey is a meaning of a word by its rank.
type tagKey struct {
	word string
	part network.Part
	rank int
}

// readTags reads how often each meaning is tagged: "word%type:...  rank count".
func readTags(dir string) (map[tagKey]int, error) {
	types := map[byte]network.Part{'1': network.Noun, '2': network.Verb, '3': network.Adjective, '4': network.Adverb, '5': network.Adjective}
	tags := map[tagKey]int{}
	return tags, eachLine(filepath.Join(dir, "cntlist.rev"), func(line string) error {
		f := strings.Fields(line)
		if len(f) != 3 {
			return fmt.Errorf("%q is no count", line)
		}
		word, rest, _ := strings.Cut(f[0], "%")
		rank, err := strconv.Atoi(f[1])
		if err != nil || rest == "" {
			return fmt.Errorf("%q is no count", line)
		}
		count, err := strconv.Atoi(f[2])
		tags[tagKey{word, types[rest[0]], rank}] += count
		return err
	})
}

// addWord reads a line of an index: word, part, synsets, pointers, symbols, senses, tagged senses, offsets.
func (w *wordnet) addWord(letter byte, part network.Part, tags map[tagKey]int, line string) error {
	f := strings.Fields(line)
	if len(f) < 5 {
		return fmt.Errorf("%q is no word", line)
	}
	n, err := strconv.Atoi(f[2])
	if err != nil || n > len(f) {
		return fmt.Errorf("%q has no count of meanings", line)
	}
	for i, offset := range f[len(f)-n:] {
		meaning := indexed{synsetID{letter, offset}, part, i + 1, tags[tagKey{f[0], part, i + 1}]}
		w.words[f[0]] = append(w.words[f[0]], meaning)
	}
	return nil
}

// addForms reads a line of irregular forms: the form and its bases.
func (w *wordnet) addForms(line string) error {
	f := strings.Fields(line)
	for _, base := range f[1:] {
		w.forms = append(w.forms, network.Form{Form: f[0], Base: base})
	}
	return nil
}

// addSynset reads a line of data: offset, file, type, words in hexadecimal, each with a number, pointers, and a gloss.
func (w *wordnet) addSynset(letter byte, line string) error {
	body, gloss, _ := strings.Cut(line, "|")
	f := fields{rest: strings.Fields(body)}
	id := synsetID{letter, f.next()}
	s := &synset{file: f.next(), gloss: gloss}
	f.next()
	for range f.number(16) {
		word, _, _ := strings.Cut(f.next(), "(") // an adjective may have its place in a sentence behind it: "galore(ip)"
		s.words = append(s.words, word)
		f.next()
	}
	for range f.number(10) {
		p := pointer{symbol: f.next()}
		p.to.offset = f.next()
		p.to.letter = f.next()[0]
		places := f.next()
		if len(places) != 4 {
			return fmt.Errorf("%q has a broken pointer", line)
		}
		p.fromWord, p.toWord = hexadecimal(places[:2]), hexadecimal(places[2:])
		s.pointers = append(s.pointers, p)
	}
	if f.broken {
		return fmt.Errorf("%q is no synset", line)
	}
	w.synsets[id] = s
	return nil
}

// fields reads the fields of a line, and remembers whether one was missing or no number.
type fields struct {
	rest   []string
	broken bool
}

func (f *fields) next() string {
	if len(f.rest) == 0 {
		f.broken = true
		return "?"
	}
	var first string
	first, f.rest = f.rest[0], f.rest[1:]
	return first
}

func (f *fields) number(base int) int {
	n, err := strconv.ParseInt(f.next(), base, 32)
	f.broken = f.broken || err != nil
	return int(n)
}

func hexadecimal(s string) int {
	n, _ := strconv.ParseInt(s, 16, 32) // a broken place means all words
	return int(n)
}
