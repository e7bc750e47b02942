package sqlite

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// window is how many bytes of a word in a row count as finding it. A full-text index stores words without the beginning
// that they share with a neighbour, so whole words are not to be expected.
const window = 10

// wantIllegible checks that no file holds any of the words.
func wantIllegible(t *testing.T, dir string, words []string) {
	t.Helper()
	found := legible(t, dir, words)
	for _, f := range found[:min(len(found), 10)] {
		t.Error(f)
	}
	if more := len(found) - 10; more > 0 {
		t.Errorf("and %d more", more)
	}
}

// legible returns where the files hold pieces of the words or of their terms. A process of its own looks: closing a file of
// the database in this one would take the locks from the store.
func legible(t *testing.T, dir string, words []string) []string {
	t.Helper()
	c := start(t, "grep", dir, "")
	go func() {
		defer c.in.Close()
		fmt.Fprintln(c.in, strings.Join(words, "\n"))
	}()
	var found []string
	for c.lines.Scan() {
		found = append(found, c.lines.Text())
	}
	c.finish(t)
	return found
}

// grep is the child that looks for the beginning, the middle and the end of each word and of each term. Case does not count.
func grep(dir, _ string) error {
	wanted := map[[window]byte]string{}
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		for _, form := range append(language.Terms(lines.Text()), strings.ToLower(lines.Text())) {
			for _, at := range []int{0, (len(form) - window) / 2, len(form) - window} {
				wanted[[window]byte([]byte(form[at:]))] = lines.Text()
			}
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		return err
	}
	for _, name := range files {
		content, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		look(filepath.Base(name), content, wanted)
	}
	return nil
}

// look prints the first place of every word in the content.
func look(name string, content []byte, wanted map[[window]byte]string) {
	reported := map[string]bool{}
	folded := slices.Clone(content)
	for i, b := range folded {
		if 'A' <= b && b <= 'Z' {
			folded[i] = b + 'a' - 'A'
		}
	}
	var begins [1 << 16]bool // by the first two bytes of what is sought
	for form := range wanted {
		begins[int(form[0])<<8|int(form[1])] = true
	}
	for at := range max(0, len(folded)-window+1) {
		if !begins[int(folded[at])<<8|int(folded[at+1])] {
			continue
		}
		word := wanted[[window]byte(folded[at:])]
		if word != "" && !reported[word] {
			reported[word] = true
			fmt.Printf("%s holds %q near %d: %q\n", name, word, at, content[max(0, at-30):min(len(content), at+30)])
		}
	}
}
