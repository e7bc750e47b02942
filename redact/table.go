package redact

import "strings"

const (
	maxHeader    = 4 << 10 // bytes of the line of a header
	maxCell      = 4 << 10 // bytes of a cell that is quoted
	maxHeading   = 40      // bytes of the name of a column
	maxRagged    = 3       // rows of another number of cells, one after the other, before the table has ended
	escapedTable = 1 << 20 // bytes of a table in a string of JSON
)

// cellSigns part the cells of a row: of CSV, TSV, Markdown, and the tables that clients of databases draw.
var cellSigns = []string{",", ";", "\t", "|", "│", "┃", "║"}

// cellLeft are the last bytes of these signs, and cellRight the first, those of an escaped tab included.
var cellLeft, cellRight = func() (left, right class) {
	for _, sign := range append(cellSigns, `\t`) {
		left[sign[len(sign)-1]], right[sign[0]] = true, true
	}
	return left, right
}()

// A table is a header with rows below it.
type table struct {
	sign    string
	cells   int
	columns []column // those that hold secrets
	bad     int      // where the first cell begins that is no heading; 0: none
}

// A column is one whose heading names secrets.
type column struct {
	at    int // which of the cells
	name  name
	likes int       // cells that look like a secret by themselves
	other int       // cells that do not, and stand for none
	found []stretch // those that look like a secret
	rest  []stretch // the others
}

// column looks at a key that is the heading of a column, and notes the secrets in the rows below. In a string of JSON the
// table is decoded first.
func (t *scan) column(k key) {
	s := t.s
	if k.start < t.tabled {
		return
	}
	sign := headingSign(s, k)
	if sign == "" {
		return
	}
	if _, ok := k.judge(s); !ok {
		return
	}
	line := t.lineOf(k.start)
	switch end := line.end; {
	case !line.whole:
	case line.escaped:
		t.tabled = stringEnd(s, end, slashes.run(s, end, end+maxSlashes)-end-1)
		if t.depth < maxDepth {
			t.decode(line.start, t.tabled)
		}
	default:
		start := line.start
		if sign == t.sign {
			start = max(start, t.tabled)
		}
		t.sign = sign
		t.rows(newTable(s, start, k.start, end, sign), end)
	}
}

// rows notes the secrets in the rows below the header that ends at end.
func (t *scan) rows(tab table, end int) {
	switch {
	case tab.bad > 0:
		t.tabled = tab.bad
	case len(tab.columns) == 0:
		t.tabled = end
	default:
		t.tabled = tab.read(t.s, end)
	}
	for _, c := range tab.columns {
		c.hit(t)
	}
}

// headingSign returns the sign beside the cell that the key is, "" if it is none: nothing else may stand between the sign,
// or the end of the line, and the key.
func headingSign(s string, k key) string {
	before, after := k.phrase, k.end
	for before > 0 && k.phrase-before < maxHeading && strings.IndexByte(" \"'`*\\", s[before-1]) >= 0 {
		before--
	}
	for range 2 {
		after = closeKey(s, after)
		for after < len(s) && after-k.end < maxHeading && s[after] == ' ' {
			after++
		}
	}
	if !(before > 0 && cellLeft[s[before-1]] || after < len(s) && cellRight[s[after]]) {
		return ""
	}
	for _, sign := range cellSigns {
		left, right := strings.HasSuffix(s[:before], sign), strings.HasPrefix(s[after:], sign)
		if !left && !right && sign == "\t" { // in a string of JSON
			left, right = strings.HasSuffix(s[:before], `\t`) || escapedTab(s, before), tabbedAt(s, after) > 0
		}
		begins := before == 0 || s[before-1] == '\n' || strings.HasSuffix(s[:before], `\n`) || s[before] == '"'
		if left && (right || endsLine(s, after) || breakLen(s, after) > 0) || right && (begins || lineStart(s, before)) {
			return sign
		}
	}
	return ""
}

// escapedTab reports whether the letter of \t was taken for the first of a word: it stands before i.
func escapedTab(s string, i int) bool {
	return i > 1 && s[i-1] == 't' && s[i-2] == '\\'
}

// A headerLine is a line that may be the header of a table, as far as it was looked at.
type headerLine struct {
	start, end int
	escaped    bool // its line break is
	whole      bool // it begins at a line's beginning and ends at a line's end
}

// lineOf returns the line that holds i. Of a long one it looks at no part twice.
func (t *scan) lineOf(i int) headerLine {
	s, h := t.s, &t.header
	if i < h.start || i >= h.end {
		*h = headerLine{start: i, end: i}
		for h.start > 0 && i-h.start < maxHeader && s[h.start-1] != '\n' {
			h.start--
		}
	}
	for !h.escaped && h.end < len(s) && h.end-i < maxHeader && s[h.end] != '\n' {
		if h.escaped = s[h.end] == '\\' && brokenAt(s, h.end) > 0; !h.escaped {
			h.end++
		}
	}
	begins := h.start == 0 || s[h.start-1] == '\n'
	h.whole = h.escaped || begins && h.end < len(s) && s[h.end] == '\n'
	return *h
}

// stringEnd returns where the string ends in which i stands, whose quotes have so many backslashes.
func stringEnd(s string, i, behind int) int {
	limit := min(len(s), i+escapedTable)
	for n := 0; i < limit; i++ {
		switch {
		case s[i] == '\\':
			n++
			continue
		case s[i] == '"' && n <= behind:
			return i - n
		}
		n = 0
	}
	return i
}

// newTable reads the header that ends at end, of which one cell is a name that begins at name. Its first cell may follow
// other text, as behind the quote that opens a string.
func newTable(s string, start, name, end int, sign string) table {
	tab := table{sign: sign}
	var cells []stretch
	named := 0
	tab.row(s, start, end, func(_, from, to int) {
		if from <= name && !heading(s[from:to]) {
			cells, named = cells[:0], 0
		}
		cells = append(cells, stretch{from, to})
		if from < to {
			named++
		}
		if tab.bad == 0 && (from > name && !heading(s[from:to]) || isNumber(s[from:to])) {
			tab.bad = max(from, name)
		}
	})
	if tab.cells = len(cells); tab.cells < 2 || tab.bad > 0 || named < 2 && len(sign) == 1 && sign != "|" {
		return tab // a single name beside a tab or a comma is indented, or one of a list
	}
	for n, c := range cells {
		if found, ok := columnName(s, c); ok {
			tab.columns = append(tab.columns, column{at: n, name: found})
		}
	}
	return tab
}

// heading reports whether the text can be the heading of a column.
func heading(text string) bool {
	return len(text) <= maxHeading && strings.Count(text, " ") < 4 && !strings.ContainsAny(text, `:={}[]\`)
}

// isNumber reports whether the text is a number, as before the lines of a listing: no column is called so.
func isNumber(text string) bool {
	return strings.ContainsAny(text, "0123456789") && strings.Trim(text, " \"'0123456789") == ""
}

// columnName returns the name that the last words of the cell are.
func columnName(s string, c stretch) (name, bool) {
	for c.end > c.start && strings.IndexByte("\"'*`", s[c.end-1]) >= 0 {
		c.end--
	}
	word := c.end
	for word > c.start && nameBytes[s[word-1]] {
		word--
	}
	if word == c.end {
		return name{}, false
	}
	return key{start: word, end: c.end, phrase: max(c.start, phraseStart(s, word)), path: word}.judge(s)
}

// row calls cell for each cell of the row that begins at i, without blanks and quotes, and returns where the row ends. A
// quoted cell may hold signs and line breaks.
func (tab *table) row(s string, i, limit int, cell func(n, from, to int)) int {
	end := min(limit, len(s))
	for n := 0; ; n++ {
		from := i
		for from < end && s[from] == ' ' {
			from++
		}
		to := 0
		if from < end && s[from] == '"' && len(tab.sign) == 1 {
			if a, b, next := quotedCell(s, from, end); b > 0 && tab.closes(s, next, end) {
				from, to, i = a, b, next
			}
		}
		if to == 0 {
			for i = from; i < end && s[i] != '\n' && !strings.HasPrefix(s[i:end], tab.sign); {
				i++
			}
			to = i
		}
		next := i
		for i < end && s[i] != '\n' && !strings.HasPrefix(s[i:end], tab.sign) {
			i++
			next = i
		}
		a, b := trimCell(s, from, to)
		cell(n, a, b)
		if next >= end || s[next] == '\n' || tab.bad > 0 {
			return next
		}
		i = next + len(tab.sign)
	}
}

// closes reports whether a cell ends at i.
func (tab *table) closes(s string, i, end int) bool {
	i = blanks.run(s, i, min(end, i+maxBlanks))
	return i >= end || s[i] == '\n' || s[i] == '\r' || strings.HasPrefix(s[i:], tab.sign)
}

// quotedCell returns the text between the quote at i and the one that closes it, and where the cell goes on; no end, if
// none does.
func quotedCell(s string, i, end int) (from, to, next int) {
	for j := i + 1; j < min(end, i+maxCell); j++ {
		if s[j] != '"' {
			continue
		}
		if j+1 < end && s[j+1] == '"' {
			j++
			continue
		}
		return i + 1, j, j + 1
	}
	return i, 0, i
}

// trimCell takes blanks, and the signs of code and of stress, from both ends of a cell.
func trimCell(s string, from, to int) (int, int) {
	for from < to && strings.IndexByte(" \t\r`", s[from]) >= 0 {
		from++
	}
	for from < to && strings.IndexByte(" \t\r`", s[to-1]) >= 0 {
		to--
	}
	if to-from > 4 && s[from:from+2] == "**" && s[to-2:to] == "**" {
		return from + 2, to - 2
	}
	return from, to
}

// read reads the rows after the header that ends at i, and returns where the table ends.
func (tab *table) read(s string, i int) int {
	for ragged := 0; i < len(s) && ragged < maxRagged; {
		line := i + 1
		stop := lineBreak(s, line)
		if strings.TrimRight(s[line:stop], "\r \t") == "" {
			break
		}
		if border(s[line:stop]) {
			i = stop
			continue
		}
		cells := 0
		end := tab.row(s, line, len(s), func(n, _, _ int) { cells = n + 1 })
		if cells != tab.cells {
			ragged++
		} else {
			ragged = 0
		}
		tab.row(s, line, len(s), func(n, from, to int) { tab.cell(s, n, from, to) })
		i = end
	}
	return i
}

// lineBreak returns where the line that begins at i ends.
func lineBreak(s string, i int) int {
	if n := strings.IndexByte(s[min(i, len(s)):], '\n'); n >= 0 {
		return i + n
	}
	return len(s)
}

// border reports whether the line is drawn between rows.
func border(line string) bool {
	return strings.Trim(line, " \t\r-+|=:─━═┌┐└┘├┤┬┴┼│╞╡╪╔╗╚╝╠╣╦╩╬║┃") == ""
}

// cell looks at cell n of a row.
func (tab *table) cell(s string, n, from, to int) {
	for i := range tab.columns {
		c := &tab.columns[i]
		text := s[from:to]
		switch {
		case c.at != n || text == "" || reference(text) || standInWord(text):
		case c.name.cell(text):
			c.likes++
			c.found = append(c.found, stretch{from, to})
		default:
			c.other++
			if !sentence(text) && len(text) >= 4 {
				c.rest = append(c.rest, stretch{from, to})
			}
		}
	}
}

// cell reports whether the text looks like a secret by itself.
func (n name) cell(text string) bool {
	if random(text, 12) && !camel(text) {
		return true
	}
	return (n.label == "PASSWORD" || n.label == "SECRET" || n.label == "API_KEY") && (strong(text) || password(text))
}

// hit notes the cells that look like secrets; if those are most of the column, then the rest too, where it holds passwords.
func (c *column) hit(t *scan) {
	list := c.found
	if c.likes >= c.other && (c.name.label == "PASSWORD" || c.name.label == "SECRET") {
		list = append(list, c.rest...)
	}
	for _, f := range list {
		t.hit(c.name.label, f.start, f.end)
	}
}
