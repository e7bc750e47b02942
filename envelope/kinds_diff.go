package envelope

import (
	"fmt"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/language"
)

var (
	diffHead = language.NewPattern(`^(diff --git|--- |\+\+\+ |@@ |Index: |rename |new file|deleted file)`)
	diffFile = language.NewPattern(`^(\+\+\+ |Index: )`)
	gitFile  = language.NewPattern(`^(diff --git |rename |new file |deleted file )`)
	diffLine = language.NewPattern(`^([+-]|@@ )`)
	diffHunk = hint(`^@@ .*@@`, "@@ ")

	// diffLevel puts commits above the files of a diff, and those above their hunks.
	diffLevel = func(text string) int {
		switch {
		case strings.HasPrefix(text, "commit ") && commitMark.MatchString(text):
			return 1
		case strings.HasPrefix(text, "diff --git ") || strings.HasPrefix(text, "Index: "):
			return 2
		case strings.HasPrefix(text, "@@ "):
			return 3
		}
		return 4
	}

	diff = kind{
		Name: "diff", Doc: "the names of files, then the changed lines in pairs with their places before those around them, and how many are left out",
		is: func(c *content) bool {
			return c.count(diffHunk.MatchString) > 0 && c.count(diffHead.MatchString) >= 3
		},
		keep: func(w *wrapping) string {
			files := diffFile
			if strings.Contains(w.text, "diff --git ") {
				files = gitFile
			}
			rank := weighed(w.text, ranks(files, useful, diffLine, wanted))
			if w.need() != nil { // the files that are asked about come with their changes
				rank = weighed(w.text, ranks(diffLine, wanted))
			}
			return w.keepLines(shape{rank: rank, level: diffLevel, with: changeAround, stat: changesIn})
		},
		Yes: []string{"diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"},
		No:  []string{"- a\n+ b\n", "--- title ---\n"},
	}
)

// sameChange is the number of equal changed lines from which they are one change, made everywhere.
const sameChange = 3

// weighed returns a rank in which a changed line that names a guard is vital, and one that many files have is plain.
func weighed(text string, rank func(string) int) func(string) int {
	counts := map[string]int{}
	var buffer []byte
	for l := range strings.Lines(text) {
		if isChange(l) && len(l) < longSentence {
			buffer = pattern(buffer[:0], strings.TrimRight(l, "\r\n"))
			counts[string(buffer)]++
		}
	}
	return func(line string) int {
		if !isChange(line) {
			return rank(line)
		}
		buffer = pattern(buffer[:0], line)
		switch {
		case counts[string(buffer)] >= sameChange || strings.TrimSpace(line[1:]) == "":
			return plain
		case guardWord.MatchString(first(line, 1000)):
			return vital
		}
		return rank(line)
	}
}

// mostOfChange is the number of lines of a change that are shown together.
const mostOfChange = 12

// isChange reports whether a line of a diff is taken out or put in.
func isChange(text string) bool {
	return text != "" && (text[0] == '+' || text[0] == '-') && !strings.HasPrefix(text, "+++ ") && !strings.HasPrefix(text, "--- ")
}

// changeAround returns the other lines of the change that a line is in: what was taken out with what was put in.
func changeAround(lines []string, i int) (with []int) {
	if !isChange(lines[i]) {
		return nil
	}
	for j := i - 1; j >= 0 && isChange(lines[j]) && len(with) < mostOfChange/2; j-- {
		with = append(with, j)
	}
	for j := i + 1; j < len(lines) && isChange(lines[j]) && len(with) < mostOfChange; j++ {
		with = append(with, j)
	}
	return with
}

// changesIn counts the files and the changed lines among lines that are left out.
func changesIn(missing []string) string {
	files, in, out := 0, 0, 0
	for _, l := range missing {
		switch {
		case strings.HasPrefix(l, "diff --git ") || strings.HasPrefix(l, "Index: "):
			files++
		case isChange(l) && l[0] == '+':
			in++
		case isChange(l):
			out++
		}
	}
	switch {
	case in+out == 0:
		return ""
	case files > 0:
		return fmt.Sprintf(" (%d %s begun, +%d -%d)", files, plural("file", files), in, out)
	}
	return fmt.Sprintf(" (+%d -%d)", in, out)
}
