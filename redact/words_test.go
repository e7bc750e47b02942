package redact

import (
	"slices"
	"strings"
	"testing"
)

// TestWords holds every list to its form: entries in lower case, in order, each once, and rows with all their columns.
func TestWords(t *testing.T) {
	columns := map[string]int{"names.tsv": 3, "sentences.tsv": 5}
	files, err := wordFiles.ReadDir("words")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		lines := wordLines(f.Name())
		if len(lines) == 0 {
			t.Errorf("%s is empty", f.Name())
		}
		if strings.HasSuffix(f.Name(), ".txt") {
			if !slices.IsSorted(lines) || len(slices.Compact(slices.Clone(lines))) != len(lines) {
				t.Errorf("%s is not in order, or has an entry twice", f.Name())
			}
			for _, entry := range lines {
				if entry == "" || entry != strings.TrimSpace(strings.ToLower(entry)) {
					t.Errorf("%s has the entry %q, want lower case without blanks around it", f.Name(), entry)
				}
			}
			continue
		}
		for _, line := range lines {
			row := strings.Split(line, "\t")
			if len(row) != columns[f.Name()] || slices.Contains(row, "") {
				t.Errorf("%s has the row %q, want %d columns with words", f.Name(), line, columns[f.Name()])
			}
		}
	}
}

// TestNames holds the table of names: each word once, and a look that is one.
func TestNames(t *testing.T) {
	seen := map[string]bool{}
	for _, row := range wordTable("names") {
		if !slices.Contains([]string{"anything", "mixed", "randomness"}, row[1]) {
			t.Errorf("names.tsv has the look %q", row[1])
		}
		for word := range strings.FieldsSeq(row[2]) {
			if seen[word] {
				t.Errorf("names.tsv has %q twice", word)
			}
			seen[word] = true
		}
	}
}
