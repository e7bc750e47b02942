package main

import (
	"bytes"
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/language/lexicon/network"
)

func main() {
	from := flag.String("wordnet", "/usr/share/wordnet", "folder with the files of WordNet 3.0, as Debian's package wordnet-base installs them")
	to := flag.String("out", "language/lexicon", "folder to write wordnet.bin, its licence and the digests of its sources to")
	only := flag.Bool("check", false, "write nothing, and fail unless the folder has what the program makes")
	flag.Parse()
	do := write
	if *only {
		do = check
	}
	if err := do(*from, *to); err != nil {
		fmt.Fprintln(os.Stderr, "build:", err)
		os.Exit(1)
	}
}

// write makes the network of the WordNet in one folder, and writes it to another.
func write(from, to string) error {
	made, err := build(from)
	if err != nil {
		return err
	}
	for _, name := range sortedKeys(made) {
		if err := os.WriteFile(filepath.Join(to, name), made[name], 0o644); err != nil {
			return err
		}
		fmt.Printf("%s: %d bytes\n", name, len(made[name]))
	}
	return nil
}

// check compares a folder with the network that is made of WordNet. Another edition of WordNet than the folder is made of is
// no error: a distribution may repair its files.
func check(from, to string) error {
	sums, err := digests(from)
	if err != nil {
		return err
	}
	if before, err := os.ReadFile(filepath.Join(to, digestFile)); err != nil || string(before) != sums {
		fmt.Printf("not compared: %s holds another edition of WordNet than the table is made of\n", from)
		return err
	}
	made, err := build(from)
	if err != nil {
		return err
	}
	for _, name := range sortedKeys(made) {
		if have, err := os.ReadFile(filepath.Join(to, name)); err != nil {
			return err
		} else if !bytes.Equal(have, made[name]) {
			return fmt.Errorf("%s is not what WordNet gives: run make lexicon", filepath.Join(to, name))
		}
	}
	fmt.Println("the table is what WordNet gives")
	return nil
}

const digestFile = "wordnet.sha256"

// build returns the files that are made of the WordNet in a folder, by name: the table, the licence that holds for it, and the
// digests of the files that it was made of.
func build(dir string) (map[string][]byte, error) {
	sums, err := digests(dir)
	if err != nil {
		return nil, err
	}
	licence, err := licence(dir)
	if err != nil {
		return nil, err
	}
	w, err := read(dir)
	if err != nil {
		return nil, err
	}
	table, err := tableOf(w, licence)
	if err != nil {
		return nil, err
	}
	return map[string][]byte{"wordnet.bin": table, digestFile: []byte(sums), "LICENSE.wordnet": []byte(licence)}, nil
}

// derived names, above the licence, the files that it holds for.
const derived = `The table wordnet.bin is derived from WordNet 3.0: its words, the links between them by synonymy, derivation, hyponymy,
definitions and other pointers, weighed by the counts of tagged meanings, and its lists of irregular forms. This licence of
WordNet holds for it.

`

// licence returns the licence that WordNet's own files begin with, a numbered line each.
func licence(dir string) (string, error) {
	text, err := os.ReadFile(filepath.Join(dir, "data.noun"))
	if err != nil {
		return "", err
	}
	b := strings.Builder{}
	b.WriteString(derived)
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "  ") {
			break
		}
		_, line, _ = strings.Cut(strings.TrimLeft(line, " "), " ")
		b.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
	return b.String(), nil
}

// tableOf returns the table of a WordNet.
func tableOf(w *wordnet, notice string) ([]byte, error) {
	b := newBook(w)
	l := newLinker(b)
	var entries []network.Entry
	for _, word := range sortedKeys(b.meanings) {
		entries = append(entries, network.Entry{Word: word, Parts: b.parts[word], Commonness: b.commonness(word), Links: l.links(word)})
	}
	return network.Encode(notice, entries, b.irregularForms())
}

// digests returns the SHA-256 of each file that the table is made of, as sha256sum prints them.
func digests(dir string) (string, error) {
	var b strings.Builder
	for _, name := range sources() {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "%x  %s\n", sha256.Sum256(text), name)
	}
	return b.String(), nil
}
