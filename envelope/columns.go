package envelope

import (
	"fmt"
	"slices"
	"strings"
)

const (
	wideTable    = 8   // columns of a table, from which not all of them need be shown
	wantedRows   = 4   // rows that should have room below the names of the columns, or else columns are left out
	ofColumnName = 3.0 // the worth of a column that the question names, beside a value that is far out
	ofColumnCell = 1.0 // of one that speaks of the question in one of the best rows
)

// addColumns adds the cells of a row to the series of their columns.
func (t *lined) addColumns(all *allSeries, line int, cells []string) {
	for i, cell := range cells {
		key := seriesKey{label: t.columnName(i), place: i}
		if value, isNumber := cellNumber(cell); isNumber {
			all.add(i, key, line, value)
		} else {
			all.addWord(key, line, cell)
		}
	}
}

// columnName returns the name of a column, as the head has it; "" where it has none.
func (t *lined) columnName(i int) string {
	if t.names == nil {
		t.names = []string{}
		if t.head > 0 {
			t.names = t.columns(t.all[0])
		}
	}
	if i < len(t.names) {
		return t.names[i]
	}
	return ""
}

// ofColumn notes that a column has a value that stands out by so much.
func (t *lined) ofColumn(i int, worth float64) {
	if t.separator == "" {
		return
	}
	if t.worths == nil {
		t.worths = map[int]float64{}
	}
	t.worths[i] = max(t.worths[i], worth)
}

// narrow leaves out columns of a wide table, of which hardly a row would have room: those stay that name the rows, hold a value out of the ordinary, or
// speak of the question, and of the others the first. A table with rows of different lengths stays as it is.
func (t *lined) narrow() {
	if t.separator == "" || t.watch.over(0) {
		return
	}
	best := t.bestRows(wantedRows)
	if len(best) == 0 || t.widthOf(t.all[0], best) <= t.room() {
		return
	}
	rows := make([][]string, len(t.all))
	for i, text := range t.all {
		if t.watch.over(len(text) + 1) {
			return
		}
		if text != "" {
			rows[i] = parted(text, t.separator)
		}
		if n := len(rows[i]); n > 0 && n != len(rows[0]) || n == 0 && i < len(t.all)-1 {
			return
		}
	}
	if len(rows[0]) < wideTable {
		return
	}
	shown := t.columnsWithin(rows, best)
	if len(shown) == len(rows[0]) {
		return
	}
	cells := make([]string, len(shown))
	for i, row := range rows {
		if len(row) == 0 {
			continue
		}
		for k, c := range shown {
			cells[k] = row[c]
		}
		t.all[i] = strings.Join(cells, t.separator)
	}
	clear(t.costs)
	t.columnsShown = fmt.Sprintf("%d of %d columns shown: %s", len(shown), len(rows[0]), numbersOf(shown))
}

// bestRows returns the rows that are worth the most, at most n.
func (t *lined) bestRows(n int) []int {
	var best []int
	for i := t.head; i < len(t.all); i++ {
		at, _ := slices.BinarySearchFunc(best, i, func(a, b int) int {
			if t.scores[a] >= t.scores[b] {
				return -1
			}
			return 1
		})
		if at < n {
			best = slices.Insert(best, at, i)[:min(n, len(best)+1)]
		}
	}
	return best
}

// widthOf returns what the names of the columns and the best rows cost.
func (t *lined) widthOf(head string, best []int) int {
	cost := t.Counter.Count(head) + 1
	for _, i := range best {
		cost += t.Counter.Count(t.all[i]) + 1 + gapCost
	}
	return cost
}

// columnsWithin returns the columns that are shown, in their order.
func (t *lined) columnsWithin(rows [][]string, best []int) []int {
	worths := make([]float64, len(rows[0]))
	order := make([]int, len(rows[0]))
	for c := range order {
		order[c] = c
		worths[c] = t.worths[c]
		if hits, _ := t.need.hitsOf(t.columnName(c)); len(hits) > 0 {
			worths[c] += ofColumnName
		}
		for _, i := range best {
			if hits, _ := t.need.hitsOf(rows[i][c]); len(hits) > 0 {
				worths[c] = max(worths[c], ofColumnCell)
			}
		}
	}
	slices.SortStableFunc(order[1:], func(a, b int) int { // the first names the rows
		switch {
		case worths[a] > worths[b]:
			return -1
		case worths[a] < worths[b]:
			return 1
		}
		return 0
	})
	left := t.room() - len(best)*(gapCost+1)
	var shown []int
	for _, c := range order {
		cost := t.Counter.Count(rows[0][c] + t.separator)
		for _, i := range best {
			cost += t.Counter.Count(rows[i][c] + t.separator)
		}
		if left -= cost; left < 0 && len(shown) > 1 {
			break
		}
		shown = append(shown, c)
	}
	slices.Sort(shown)
	return shown
}

// numbersOf writes the numbers of columns, from 1, such as "1, 4-6".
func numbersOf(columns []int) string {
	var b strings.Builder
	for i := 0; i < len(columns); {
		j := i
		for j+1 < len(columns) && columns[j+1] == columns[j]+1 {
			j++
		}
		if b.Len() > 0 {
			b.WriteString(", ")
		}
		if fmt.Fprint(&b, columns[i]+1); j > i {
			fmt.Fprintf(&b, "-%d", columns[j]+1)
		}
		i = j + 1
	}
	return b.String()
}
