package taint

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// A layout finds the cells in the lines of a table: of its headings, and of each row. It returns no rows for lines that are no such table.
type layout func(lines []span, text string) (heads []span, rows [][]span)

// layouts are the ways in which programs print tables, each tried in turn.
var layouts = []layout{uprights, aligned, commas}

// table reads a text that is a table and little else. It reports whether it is one. Each row is a record, with the headings as the names of its fields.
func (r *reader) table() bool {
	lines := linesOf(r.text)
	if len(lines) < 2 || len(lines) > maxRows {
		return false
	}
	for _, in := range layouts {
		heads, rows := in(lines, r.text)
		if len(rows) == 0 || !areHeads(heads, r.text) {
			continue
		}
		for _, row := range rows {
			record := r.newRecord(0)
			for i, at := range row {
				key := ""
				if i < len(heads) {
					key = strings.ToLower(strings.TrimSpace(r.text[heads[i].start:heads[i].end]))
				}
				r.content(skipSpace(r.text, at.start, at.end), at.end, key, record)
			}
		}
		return true
	}
	return false
}

const maxRows = 5000 // of a text that may be a table

// linesOf returns the lines of a text that are not blank.
func linesOf(text string) []span {
	var all []span
	at := 0
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) != "" {
			all = append(all, span{at, at + len(strings.TrimRight(line, "\r\n"))})
		}
		at += len(line)
	}
	return all
}

// areHeads reports whether cells may be the headings of columns: a few words each, and no sentence.
func areHeads(heads []span, text string) bool {
	const mostWords, mostBytes = 4, 40
	for _, at := range heads {
		head := strings.TrimSpace(text[at.start:at.end])
		if head == "" || !isLetterFirst(head) || len(head) > mostBytes || len(strings.Fields(head)) > mostWords || strings.ContainsAny(head, ".!?:;{}[]@/") {
			return false
		}
	}
	return len(heads) > 1
}

// isLetterFirst reports whether a text begins with a letter.
func isLetterFirst(text string) bool {
	first, _ := utf8.DecodeRuneInString(text)
	return unicode.IsLetter(first)
}

// ruler matches the line below the headings of a table.
var ruler = language.NewPattern(`^[\s|+:=-]*(?:---|===)[\s|+:=-]*$`)

// uprights is the layout of Markdown, and of clients of databases: cells between upright lines, a line below the headings.
func uprights(lines []span, text string) (heads []span, rows [][]span) {
	line := func(i int) string { return text[lines[i].start:lines[i].end] }
	first := 0
	for first < len(lines) && ruler.MatchString(line(first)) {
		first++
	}
	if first+1 >= len(lines) || !strings.Contains(line(first), "|") || !ruler.MatchString(line(first+1)) {
		return nil, nil
	}
	heads = betweenUprights(lines[first], text)
	for i := first + 2; i < len(lines); i++ {
		row := betweenUprights(lines[i], text)
		switch {
		case ruler.MatchString(line(i)):
		case len(row) == len(heads):
			rows = append(rows, row)
		case i+1 < len(lines) || !strings.HasPrefix(strings.TrimSpace(line(i)), "("): // "(3 rows)"
			return nil, nil
		}
	}
	return heads, rows
}

// betweenUprights returns the cells of a line, which may have an upright line at its ends.
func betweenUprights(at span, text string) []span {
	line := text[at.start:at.end]
	trimmed := strings.TrimSpace(line)
	from := 0
	if strings.HasPrefix(trimmed, "|") {
		from = strings.IndexByte(line, '|') + 1
	}
	var all []span
	for i := from; i < len(line); i++ {
		if line[i] == '|' && (i == 0 || line[i-1] != '\\') {
			all = append(all, span{at.start + from, at.start + i})
			from = i + 1
		}
	}
	if strings.TrimSpace(line[min(from, len(line)):]) != "" || !strings.HasSuffix(trimmed, "|") {
		all = append(all, span{at.start + from, at.end})
	}
	return all
}

// aligned is the layout of kubectl, docker and gcloud: columns that begin below their headings, two spaces or more between headings.
func aligned(lines []span, text string) (heads []span, rows [][]span) {
	head := text[lines[0].start:lines[0].end]
	if strings.HasPrefix(head, " ") || !strings.Contains(head, "  ") || strings.Contains(head, "|") {
		return nil, nil
	}
	var starts []int
	for i := range head {
		if head[i] != ' ' && (i == 0 || i > 1 && head[i-1] == ' ' && head[i-2] == ' ') {
			starts = append(starts, i)
		}
	}
	heads = cutAt(lines[0], starts)
	for _, at := range lines[1:] {
		line := text[at.start:at.end]
		if ruler.MatchString(line) {
			continue
		}
		for _, start := range starts[1:] {
			if start < len(line) && line[start-1] != ' ' {
				return nil, nil
			}
		}
		rows = append(rows, cutAt(at, starts))
	}
	return heads, rows
}

// cutAt cuts a line into cells that begin at places in it.
func cutAt(at span, starts []int) []span {
	var all []span
	for i, start := range starts {
		end := at.end
		if i+1 < len(starts) {
			end = min(end, at.start+starts[i+1])
		}
		all = append(all, span{min(at.start+start, at.end), end})
	}
	return all
}

// commas is the layout of RFC 4180, without values of several lines.
func commas(lines []span, text string) (heads []span, rows [][]span) {
	heads = betweenCommas(lines[0], text)
	if len(heads) < 2 {
		return nil, nil
	}
	for _, at := range lines[1:] {
		row := betweenCommas(at, text)
		if len(row) != len(heads) {
			return nil, nil
		}
		rows = append(rows, row)
	}
	return heads, rows
}

// betweenCommas returns the cells of a line, of quoted ones what the quotes hold.
func betweenCommas(at span, text string) []span {
	var all []span
	quoted, from := false, at.start
	for i := at.start; i <= at.end; i++ {
		if i < at.end && text[i] == '"' {
			quoted = !quoted
		}
		if i == at.end || text[i] == ',' && !quoted {
			if from > at.start && from < i && text[from] == ' ' {
				return nil // words behind a comma
			}
			one := span{from, i}
			if one.end-one.start > 1 && text[one.start] == '"' && text[one.end-1] == '"' {
				one.start, one.end = one.start+1, one.end-1
			}
			all, from = append(all, one), i+1
		}
	}
	return all
}
