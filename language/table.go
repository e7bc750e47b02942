package language

import (
	"fmt"
	"strings"
	"sync"
)

// Row is a row of a table: a head, and the words that belong to it.
type Row struct {
	Head  string
	Words []string
}

// Table is a list of rows. In its file a row stands on a line, "head: word, word", or begins with "[head]" and has a word on
// each line that follows. It is read at its first use, and safe for concurrent use.
type Table struct{ rows func() []Row }

func table(name string) *Table {
	return &Table{sync.OnceValue(func() []Row { return parseRows(lines(name)) })}
}

func parseRows(lines []string) []Row {
	var rows []Row
	open := false // whether a line is a word of the last row
	for _, line := range lines {
		head, words, several := strings.Cut(line, ": ")
		switch {
		case line[0] == '[':
			rows, open = append(rows, Row{Head: strings.Trim(line, "[]")}), true
		case open:
			last := &rows[len(rows)-1]
			last.Words = append(last.Words, line)
		case several:
			rows = append(rows, Row{head, strings.Split(words, ", ")})
		default:
			rows = append(rows, Row{Head: line})
		}
	}
	return rows
}

// Rows returns the rows in the order of the table. The caller must not change them.
func (t *Table) Rows() []Row { return t.rows() }

// Row returns the words of the row with the head, as a list of its own. It panics at the first use if there is none.
func (t *Table) Row(head string) *Set {
	return newSet(func() []string {
		for _, r := range t.rows() {
			if r.Head == head {
				return r.Words
			}
		}
		panic(fmt.Sprintf("language: no row %q", head))
	})
}

// heads maps every word of the table to its head. A word in several rows belongs to the first.
func (t *Table) heads() map[string]string {
	m := map[string]string{}
	for _, r := range t.rows() {
		for _, w := range r.Words {
			if _, taken := m[w]; !taken {
				m[w] = r.Head
			}
		}
	}
	return m
}
