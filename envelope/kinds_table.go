package envelope

import (
	"strings"
)

var table = kind{
	Name: "csv", Doc: "the names of the columns, rows with a value out of the ordinary, the first rows and the last; of a wide table the columns that count",
	is: func(c *content) bool {
		return separatorOf(c.lines) != "" && !logPrefix.MatchString(c.lines[0]) // a log names no columns
	},
	keep: func(w *wrapping) string {
		separator := separatorOf(firstLines(w.text, lookedAt))
		return w.keepTable(separated(separator), separator)
	},
	Yes: []string{"a,b,c\n1,2,3\n4,5,6\n", "name\tage\nann\t30\nbob\t31\n"},
	No:  []string{"one, two, three\nand then four\n", "a b\nc d\n"},
}

// separatorOf returns the sign that parts the columns of the lines; "" if there is none.
func separatorOf(lines []string) string {
	for _, separator := range []string{",", "\t", ";", "|"} {
		if columns(&content{lines: lines}, separator) {
			return separator
		}
	}
	return ""
}

// columns reports whether every line has the same number of separators.
func columns(c *content, separator string) bool {
	if len(c.lines) < 3 {
		return false
	}
	want := strings.Count(c.lines[0], separator)
	if want == 0 || strings.Contains(c.lines[0], separator+" ") && separator == "," {
		return false
	}
	return c.share(func(l string) bool { return strings.Count(l, separator) == want || strings.Contains(l, `"`) }) > 0.95
}

// separated splits a row of a table at a separator, and takes the quotes off its cells.
func separated(separator string) func(row string) []string {
	return func(row string) []string {
		cells := parted(row, separator)
		for i, c := range cells {
			cells[i] = strings.Trim(c, ` "`)
		}
		return cells
	}
}

// parted splits a row at a separator into its cells as they stand there; a separator within quotes parts nothing.
func parted(row, separator string) (cells []string) {
	begin, quoted := 0, false
	for i := range len(row) {
		switch {
		case row[i] == '"':
			quoted = !quoted
		case row[i] == separator[0] && !quoted:
			cells = append(cells, row[begin:i])
			begin = i + 1
		}
	}
	return append(cells, row[begin:])
}

// aligned splits a row at vertical bars, and at two or more blanks.
func aligned(row string) (cells []string) {
	row = strings.Trim(row, "| \t")
	begin := 0
	for i := 0; i < len(row); i++ {
		wide := row[i] == '|' || row[i] == '\t' || row[i] == ' ' && i+1 < len(row) && row[i+1] == ' '
		if !wide {
			continue
		}
		cells = append(cells, strings.TrimSpace(row[begin:i]))
		for i+1 < len(row) && strings.IndexByte(" |\t", row[i+1]) >= 0 {
			i++
		}
		begin = i + 1
	}
	return append(cells, strings.TrimSpace(row[begin:]))
}

var alignedTable = kind{
	Name: "table", Doc: "as of a csv, with all columns, which are parted by bars, or by two blanks and more",
	is: func(c *content) bool {
		if len(c.lines) < 4 {
			return false
		}
		counts := map[int]int{}
		for _, l := range c.lines {
			counts[len(aligned(l))]++
		}
		for n, lines := range counts {
			if n >= 3 && float64(lines) >= 0.6*float64(len(c.lines)) {
				return true
			}
		}
		return false
	},
	keep: func(w *wrapping) string { return w.keepTable(aligned, "") },
	Yes: []string{
		" id | name | state\n----+------+-------\n 1  | ann  | open\n 2  | bob  | shut\n(2 rows)\n",
		"NAME    READY   STATUS    AGE\nweb-0   1/1     Running   2d\nweb-1   1/1     Running   2d\ndb-0    0/1     Pending   2d\n",
	},
	No: []string{"one two\nthree four\nfive six\nseven eight\n", "a:  b\nc:  d\ne:  f\ng:  h\n"},
}

// keepTable shows the names of the columns, and the rows that count; of a wide table the columns that count, where its rows can be parted at a separator.
func (w *wrapping) keepTable(cells func(row string) []string, separator string) string {
	return w.keepLines(shape{rank: ranks(failureWord, useful), series: true, level: noHeading, columns: cells, separator: separator, head: headOf(w.text, cells)})
}

// headOf returns how many lines at the beginning name the columns: none where the first row has a number, and a rule below it
// counts as well.
func headOf(text string, cells func(row string) []string) int {
	lines := firstLines(text, 2)
	for _, c := range cells(lines[0]) {
		if _, _, _, isNumber := numberAt(c+" ", 0); isNumber && c != "" && letterClass(c[0]) == digits {
			return 0
		}
	}
	if len(lines) > 1 && strings.Trim(lines[1], "-+=| :") == "" {
		return 2
	}
	return 1
}

const (
	fewKinds  = 20   // values of a column, of which a rare one is out of the ordinary
	rareValue = 0.01 // the share of the rows that a rare value has at most
	ofRare    = 0.7  // of a rare value, beside a number that is far out
)

// cellNumber reads a cell that is a number, with or without a unit.
func cellNumber(cell string) (value float64, isNumber bool) {
	digitsOf := strings.TrimLeft(cell, "-+€$£ ")
	if digitsOf == "" || letterClass(digitsOf[0]) != digits {
		return 0, false
	}
	value, _, end, isNumber := numberAt(digitsOf, 0)
	if strings.HasPrefix(cell, "-") {
		value = -value
	}
	return value, isNumber && strings.Trim(digitsOf[end:], " %€$£") == ""
}
