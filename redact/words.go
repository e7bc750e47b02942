package redact

import (
	"embed"
	"strings"
)

// wordFiles are the lists of words by which names and sentences are read: a .txt has an entry a line, a .tsv a row a line with tabs
// between its columns. A line that begins with # is a comment.
//
//go:embed words
var wordFiles embed.FS

// wordList returns the entries of words/NAME.txt.
func wordList(name string) map[string]bool {
	set := make(map[string]bool)
	for _, entry := range wordLines(name + ".txt") {
		set[entry] = true
	}
	return set
}

// wordTable returns the rows of words/NAME.tsv.
func wordTable(name string) (rows [][]string) {
	for _, line := range wordLines(name + ".tsv") {
		rows = append(rows, strings.Split(line, "\t"))
	}
	return rows
}

func wordLines(file string) (lines []string) {
	text, err := wordFiles.ReadFile("words/" + file)
	if err != nil {
		panic(err) // the file is embedded: the name is wrong
	}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSuffix(line, "\n"); !strings.HasPrefix(line, "#") {
			lines = append(lines, line)
		}
	}
	return lines
}

// wordSet returns the words of list, which are parted by spaces.
func wordSet(list string) map[string]bool {
	set := make(map[string]bool)
	for w := range strings.FieldsSeq(list) {
		set[w] = true
	}
	return set
}
