package envelope

import (
	"strings"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// outline says how the lines of a text stand below each other: below a heading, or below a line that is indented less.
type outline struct {
	parent    []int // the line that a line stands below; -1 for none
	end       []int // behind the last line that stands below the line
	paragraph []int // the number of the paragraph; blank lines part them
}

// body is the depth of a line that is no heading and not indented: headings stand above it.
const body = 100

// mostIndent bounds the indentation that is told apart.
const mostIndent = 200

// outlineOf reads the outline of the lines.
func outlineOf(w *watch, lines []string, level func(text string) int) *outline {
	o := &outline{parent: make([]int, len(lines)), end: make([]int, len(lines)), paragraph: make([]int, len(lines))}
	var open []int // lines with those below them to come, the outermost first
	depths := make([]int, len(lines))
	paragraph, begins := 0, 0
	for i, text := range lines {
		if w.over(len(text) + 1) {
			break
		}
		o.parent[i] = -1
		if strings.TrimSpace(text) == "" {
			paragraph++
			depths[i] = body + mostIndent
		} else {
			depths[i] = depthOf(lines, i, level, &begins)
		}
		o.paragraph[i] = paragraph
		for len(open) > 0 && depths[open[len(open)-1]] >= depths[i] {
			o.end[open[len(open)-1]] = i
			open = open[:len(open)-1]
		}
		if len(open) > 0 {
			o.parent[i] = open[len(open)-1]
		}
		open = append(open, i)
	}
	for _, i := range open {
		o.end[i] = len(lines)
	}
	return o
}

// depthOf returns the depth of a line: that of a heading, or by its indentation. begins counts the BEGIN lines that are open.
func depthOf(lines []string, i int, level func(text string) int, begins *int) int {
	text := lines[i]
	switch {
	case strings.HasPrefix(text, "BEGIN:"):
		*begins++
		return body - 20 + min(*begins, 18)
	case strings.HasPrefix(text, "END:"):
		*begins = max(0, *begins-1)
		return body - 20 + min(*begins+1, 18)
	}
	if l := level(text); l > 0 {
		return l
	}
	if i+1 < len(lines) && letterClass(text[0]) != noWord && strings.IndexAny(first(lines[i+1], 1), "=-") == 0 && underline.MatchString(first(lines[i+1], 100)) {
		return 2
	}
	return body + min(indentOf(text), mostIndent-1)
}

// indentOf returns the columns before a text; a tab counts as four, and the mark of an item of a list as none.
func indentOf(text string) int {
	n := 0
	for i := range len(text) {
		switch text[i] {
		case ' ':
			n++
		case '\t':
			n += 4
		default:
			return n
		}
	}
	return n
}

var (
	underline   = language.NewPattern(`^(={3,}|-{3,})\s*$`)
	sectionMark = language.NewPattern(`^\[[^\[\]]{1,60}\]\s*$|^(=|-|_|#|\*){2,}\s+\S.{0,100}?\s+(=|-|_|#|\*){2,}\s*$|^(§ ?\d|(Article|Section|Chapter|Part|Clause|Appendix|Step) [\dIVXA-Z]+\b)`)
	numbered    = language.NewPattern(`^\d{1,3}(\.\d{1,3}){0,3}[.)]? +[A-Z]`)
	capitals    = language.NewPattern(`^[A-Z][A-Z &/,-]{3,60}:?\s*$`)
	commitMark  = language.NewPattern(`^(commit [0-9a-f]{7,40}\b|From: |On .{5,80} wrote:$|-----Original Message)`)
)

// beginsSection are the bytes that a sectionMark begins with; \xc2 is the first of §.
const beginsSection = "[=-_#*ASCP\xc2"

// startsWord reports whether the second byte is a small letter.
func startsWord(text string) bool { return len(text) > 1 && 'a' <= text[1] && text[1] <= 'z' }

// headingLevel returns the level of a heading of a document: 1 is the highest, 0 is none.
func headingLevel(text string) int {
	if text == "" || len(text) > 200 {
		return 0
	}
	switch c := text[0]; {
	case c == '#':
		n := len(text) - len(strings.TrimLeft(text, "#"))
		if n <= 6 && n < len(text) && text[n] == ' ' {
			return n
		}
		if !sectionMark.MatchString(text) {
			return 0
		}
		return 10
	case '0' <= c && c <= '9':
		if len(text) <= 80 && numbered.MatchString(text) {
			return 20 + strings.Count(strings.TrimRight(strings.Fields(text)[0], ".)"), ".")
		}
		return 0
	case c == ' ' || c == '\t':
		return 0
	}
	switch c := text[0]; { // what most lines begin with begins no heading, and no pattern is asked
	case strings.IndexByte(beginsSection, c) >= 0 && sectionMark.MatchString(text):
		return 10
	case strings.IndexByte("cFO-", c) >= 0 && commitMark.MatchString(text):
		return 15
	case 'A' <= c && c <= 'Z' && !startsWord(text) && capitals.MatchString(text):
		return 19
	}
	return 0
}

// noHeading is the level of the lines of a text that has no headings.
func noHeading(string) int { return 0 }

// above returns the lines that a line stands below, the nearest first, at most most.
func (o *outline) above(i, most int) (lines []int) {
	for i = o.parent[i]; i >= 0 && len(lines) < most; i = o.parent[i] {
		lines = append(lines, i)
	}
	return lines
}
