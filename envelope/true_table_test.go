package envelope

import (
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp/redact"
	"github.com/ctx-mcp/ctx-mcp/storetest/rounds"
)

// TestWideTablesAreTrue: of a table that is too wide for its budget, the columns that stand there are those that the outcome names.
func TestWideTablesAreTrue(t *testing.T) {
	narrowed := 0
	for seed := range uint64(rounds.Of(10, 100)) {
		r := rand.New(rand.NewPCG(seed, 8))
		s, _ := service()
		s.Redact = redact.Nothing
		text := wideTableOf(r)
		_, out := wrapAffordable(t, s, withCall(Result{Value: quoted(text), MaxTokens: 120 + r.IntN(200), Bare: true}))
		if columnsSaid.MatchString(out.Content) {
			narrowed++
		}
		if !out.Truncated {
			continue
		}
		if err := trueOfLines(out.Content, text); err != nil {
			t.Errorf("seed %d: %v\n%s", seed, err, out.Content)
		}
	}
	if narrowed == 0 {
		t.Error("no table is shown by some of its columns, so the test shows nothing")
	}
}

// wideTableOf returns a table with many columns, as one exported by a program has.
func wideTableOf(r *rand.Rand) string {
	columns := 4 + r.IntN(60)
	rows := make([]string, 2+r.IntN(200))
	for i := range rows {
		cells := make([]string, columns)
		for c := range cells {
			switch {
			case i == 0:
				cells[c] = fmt.Sprint(names[c%len(names)], c)
			case c%3 == 1:
				cells[c] = names[r.IntN(len(names))]
			case c%7 == 2:
				cells[c] = `"` + names[r.IntN(len(names))] + `, near"`
			default:
				cells[c] = fmt.Sprint(r.IntN(50))
			}
			if i > 0 && r.IntN(2000) == 0 {
				cells[c] = fmt.Sprint(9000 + r.IntN(99))
			}
		}
		rows[i] = strings.Join(cells, ",")
	}
	return strings.Join(rows, "\n") + "\n"
}

// columnsAlone returns the lines with the columns alone that an outcome says it shows; the lines themselves where it says so of none.
func columnsAlone(outcome string, lines []string) ([]string, error) {
	m := columnsSaid.FindStringSubmatch(outcome)
	if m == nil {
		return lines, nil
	}
	var columns []int
	for part := range strings.SplitSeq(m[3], ", ") {
		from, to, ranged := strings.Cut(part, "-")
		if !ranged {
			to = from
		}
		for c := number(from); c <= number(to); c++ {
			columns = append(columns, c-1)
		}
	}
	alone := make([]string, len(lines))
	for i, line := range lines {
		row, err := csv.NewReader(strings.NewReader(line)).Read()
		if err != nil || len(row) != number(m[2]) || len(columns) != number(m[1]) {
			return nil, fmt.Errorf("%q of %d columns: %w", m[0], len(row), err)
		}
		cells := make([]string, len(columns))
		for k, c := range columns {
			if cells[k] = row[c]; strings.Contains(row[c], ",") {
				cells[k] = `"` + row[c] + `"`
			}
		}
		alone[i] = strings.Join(cells, ",")
	}
	return alone, nil
}
