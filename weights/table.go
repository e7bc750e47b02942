package weights

import (
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Row is one weight.
type Row struct {
	Name   string // of the feature
	Weight float64
	Source string // where the weight is from: "by hand", or the program that fitted it
}

// Rows reads rows of a name, a weight and a source with tabs between them, and lines that begin with #, in their order. It returns an
// error for a line of another form, and for a name that stands twice.
func Rows(text string) (rows []Row, err error) {
	seen := map[string]bool{}
	for n, line := range strings.Split(strings.TrimSpace(text), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		row := strings.Split(line, "\t")
		if len(row) != 3 {
			return nil, fmt.Errorf("line %d has %d columns, not a name, a weight and a source", n+1, len(row))
		}
		weight, err := strconv.ParseFloat(row[1], 64)
		if err != nil || seen[row[0]] || row[2] == "" {
			return nil, fmt.Errorf("line %d: %q is not one weight with its source", n+1, line)
		}
		seen[row[0]] = true
		rows = append(rows, Row{row[0], weight, row[2]})
	}
	return rows, nil
}

// Parse reads a table as Rows does. It returns an error unless each of the names, and nothing else, has one row.
func Parse(text string, names []string) (map[string]float64, error) {
	rows, err := Rows(text)
	if err != nil {
		return nil, err
	}
	read := map[string]float64{}
	for _, r := range rows {
		read[r.Name] = r.Weight
	}
	for _, name := range names {
		if _, ok := read[name]; !ok {
			return nil, fmt.Errorf("there is no weight for %q", name)
		}
	}
	if len(read) != len(names) {
		return nil, fmt.Errorf("%d rows for %d features", len(read), len(names))
	}
	return read, nil
}

// MustParse is Parse for a table that is embedded: it panics where Parse returns an error.
func MustParse(text string, names []string) map[string]float64 {
	read, err := Parse(text, names)
	if err != nil {
		panic("weights: " + err.Error()) // the embedded file is broken
	}
	return read
}

// MustInOrder is MustParse with the weights in the order of the names.
func MustInOrder(text string, names []string) []float64 {
	read := MustParse(text, names)
	all := make([]float64, len(names))
	for i, name := range names {
		all[i] = read[name]
	}
	return all
}

// Write writes a table that Parse reads, with a comment above it.
func Write(w io.Writer, comment string, rows []Row) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", comment)
	for _, r := range rows {
		fmt.Fprintf(&b, "%s\t%s\t%s\n", r.Name, strconv.FormatFloat(r.Weight, 'f', -1, 64), r.Source)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
