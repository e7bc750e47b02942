package envelope

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

const (
	fewestValues = 12   // of a series, for one of them to be out of the ordinary
	mostOutliers = 0.02 // the share of a series that can be; of more than that only the farthest three are
	farOut       = 3.0  // distances between the quartiles from the nearer one, from which a value is out of the ordinary
	certainlyOut = 9.0
	fewestLines  = 30 // of a text, for the words of one to be rare
	rareShare    = 0.1
)

// series are the values that stand behind one label, or in one column, with the numbers of their lines.
type series struct {
	label  string
	column int // of a table
	lines  []int
	values []float64
	odd    []int            // lines that have something else there than a number
	words  map[string][]int // the lines of each word that stands there instead, of the first ones; nil once they are many
	many   bool
}

// say adds a word in the place of a number.
func (s *series) say(word string, line int) {
	if s.many {
		return
	}
	if s.words == nil {
		s.words = map[string][]int{}
	}
	s.words[word] = append(s.words[word], line)
	if len(s.words) > fewKinds {
		s.words, s.many = nil, true
	}
}

// rareWords yields the lines with a word that few have, where there are few words.
func (s *series) rareWords(yield func(line int)) {
	if len(s.odd) < fewestValues || len(s.words) < 2 {
		return
	}
	for _, lines := range s.words {
		if len(lines) <= max(1, int(rareValue*float64(len(s.odd)))) {
			for _, l := range lines {
				yield(l)
			}
		}
	}
}

// outliers yields the lines whose value is out of the ordinary, with how far, up to 1.
func (s *series) outliers(yield func(line int, by float64)) {
	if len(s.values) < fewestValues || s.counts() {
		return
	}
	type far struct {
		at int
		z  float64
	}
	var found []far
	sorted := slices.Clone(s.values)
	slices.Sort(sorted)
	low, high, spread := quartiles(sorted)
	logLow, _, logSpread := quartiles(logarithms(sorted)) // in the same order
	for i, v := range s.values {
		z := max(low-v, v-high) / spread
		if v > 0 && logSpread > 0 { // a value can be far below the others without being far from them
			z = max(z, (logLow-math.Log10(v))/logSpread)
		}
		if z >= farOut {
			found = append(found, far{i, z})
		}
	}
	slices.SortStableFunc(found, func(a, b far) int { return cmp.Compare(b.z, a.z) })
	if most := max(3, int(mostOutliers*float64(len(s.values)))); len(found) > most {
		found = found[:3]
	}
	for _, f := range found {
		yield(s.lines[f.at], min(1, 0.4+0.6*f.z/certainlyOut))
	}
	if 20*len(s.odd) <= len(s.values) {
		for _, l := range s.odd {
			yield(l, 0.9)
		}
	}
}

// extremes returns the lines with the greatest value and the least.
func (s *series) extremes() []int {
	if len(s.values) < 4 || s.counts() {
		return nil
	}
	least, greatest := 0, 0
	for i, v := range s.values {
		if v < s.values[least] {
			least = i
		}
		if v > s.values[greatest] {
			greatest = i
		}
	}
	return []int{s.lines[greatest], s.lines[least]}
}

// counts reports whether the values are a count or a clock: each greater than the one before, or each less.
func (s *series) counts() bool {
	up, down := 0, 0
	for i := 1; i < len(s.values); i++ {
		switch {
		case s.values[i] > s.values[i-1]:
			up++
		case s.values[i] < s.values[i-1]:
			down++
		}
	}
	steps := 0.95 * float64(len(s.values)-1)
	return float64(up) >= steps || float64(down) >= steps
}

// logarithms returns those of the values; none if one of them has none.
func logarithms(values []float64) []float64 {
	logs := make([]float64, len(values))
	for i, v := range values {
		if v <= 0 {
			return nil
		}
		logs[i] = math.Log10(v)
	}
	return logs
}

// quartiles returns the lower and the upper quartile of sorted values, and their distance: of values that hardly differ a little more.
func quartiles(sorted []float64) (low, high, spread float64) {
	if len(sorted) == 0 {
		return 0, 0, 0
	}
	low, high = sorted[len(sorted)/4], sorted[len(sorted)*3/4]
	middle := math.Abs(sorted[len(sorted)/2])
	return low, high, max(high-low, 0.02*middle, 1e-9)
}

// allSeries collects the series of a text by their labels.
type allSeries struct {
	byLabel map[seriesKey]*series
	order   []*series
	recent  []labelled // the series of the numbers of the last line, by their order: of most texts the next line has the same
}

// labelled is a series with its key.
type labelled struct {
	key seriesKey
	*series
}

// seriesKey is the word before the numbers of a series, or their place in the line, and their unit; of a table the name and the number of the column.
type seriesKey struct {
	label string
	place int
	unit  string
}

func (a *allSeries) of(key seriesKey) *series {
	s := a.byLabel[key]
	if s == nil && len(a.order) < 2000 { // a text with more labels has no series
		s = &series{label: key.label, column: key.place}
		if a.byLabel == nil {
			a.byLabel = map[seriesKey]*series{}
		}
		a.byLabel[key] = s
		a.order = append(a.order, s)
	}
	return s
}

// add adds the n-th number of a line.
func (a *allSeries) add(n int, key seriesKey, line int, value float64) {
	for len(a.recent) <= n {
		a.recent = append(a.recent, labelled{})
	}
	last := &a.recent[n]
	if last.series == nil || last.key != key {
		*last = labelled{key, a.of(key)}
	}
	s := last.series
	if s == nil {
		return
	}
	if len(s.values) == cap(s.values) { // doubled: it may be as long as the text
		s.lines, s.values = slices.Grow(s.lines, len(s.lines)+1), slices.Grow(s.values, len(s.values)+1)
	}
	s.lines, s.values = append(s.lines, line), append(s.values, value)
}

// addWord adds a value that is no number.
func (a *allSeries) addWord(key seriesKey, line int, word string) {
	if s := a.of(key); s != nil {
		s.odd = append(s.odd, line)
		s.say(word, line)
	}
}

// addNumbers adds the numbers of a line, each under the word before it. One without such a word is added under its place among those.
func (a *allSeries) addNumbers(line int, text string) {
	text = first(text, 1000)
	place, label := 0, ""
	for i, n := 0, 0; i < len(text); {
		switch letterClass(text[i]) {
		case noWord:
			i++
		case letters:
			begin := i
			for i < len(text) && (letterClass(text[i]) == letters || text[i] == '_') {
				i++
			}
			if i < len(text) && letterClass(text[i]) == digits { // an identifier
				i = tokenEnd(text, i)
				label = ""
				continue
			}
			label = text[begin:i]
		default:
			value, unit, end, plainNumber := numberAt(text, i)
			if plainNumber {
				key := seriesKey{label, 0, unit}
				if label == "" {
					place++
					key.place = place
				}
				a.add(n, key, line, value)
				n++
			}
			i, label = end, ""
		}
	}
}

// tokenEnd returns the end of the run of letters, digits and joining signs at i.
func tokenEnd(text string, i int) int {
	for i < len(text) && (letterClass(text[i]) != noWord || strings.IndexByte("_-.:/", text[i]) >= 0) {
		i++
	}
	return i
}

// numberAt reads the number that begins at i, with its unit. It is no plain number if it is part of a date, a time, a version, an
// address or an identifier.
func numberAt(text string, i int) (value float64, unit string, end int, plainNumber bool) {
	begin := i
	for i < len(text) && letterClass(text[i]) == digits {
		i++
	}
	if i+1 < len(text) && text[i] == '.' && letterClass(text[i+1]) == digits {
		for i++; i < len(text) && letterClass(text[i]) == digits; i++ {
		}
	}
	number := text[begin:i]
	end = tokenEnd(text, i)
	unit = strings.TrimRight(text[i:end], ".:-/")
	scale, known := noUnit, true
	if unit != "" {
		scale, known = units[unit]
	}
	if !known || len(number) > exactDigits {
		return 0, "", end, false
	}
	value, ok := numberOf(number)
	if !ok {
		return 0, "", end, false
	}
	if begin > 0 && text[begin-1] == '-' && (begin == 1 || letterClass(text[begin-2]) == noWord) {
		value = -value
	}
	return value * max(scale.by, 1e-12), scale.of, end, true
}

// scale is the quantity that a unit is of, and how much of it.
type scale struct {
	of string
	by float64
}

// noUnit is the scale of a number alone.
var noUnit = scale{"", 1}

// units are those that are written right behind a number: what they are of, and how much of it.
var units = map[string]scale{
	"%": {"%", 1}, "ns": {"s", 1e-9}, "us": {"s", 1e-6}, "µs": {"s", 1e-6}, "ms": {"s", 1e-3}, "s": {"s", 1}, "m": {"s", 60}, "h": {"s", 3600},
	"B": {"B", 1}, "K": {"B", 1e3}, "k": {"B", 1e3}, "KB": {"B", 1e3}, "kB": {"B", 1e3}, "KiB": {"B", 1 << 10}, "Ki": {"B", 1 << 10},
	"M": {"B", 1e6}, "MB": {"B", 1e6}, "MiB": {"B", 1 << 20}, "Mi": {"B", 1 << 20},
	"G": {"B", 1e9}, "GB": {"B", 1e9}, "GiB": {"B", 1 << 30}, "Gi": {"B", 1 << 30}, "T": {"B", 1e12}, "TB": {"B", 1e12}, "TiB": {"B", 1 << 40},
}

// rarity returns, for each line, how rare its words are among the lines, up to 1. Where every tenth line has rare words, as in prose, none is
// rare. Of the lines of a fold, which have the same words, the first is read.
func rarity(w *watch, lines []string, folds []*fold) []float64 {
	rare := make([]float64, len(lines))
	if len(lines) < fewestLines {
		return rare
	}
	numbers, counts := wordNumbers{short: map[uint64]int{}, long: map[string]int{}}, []wordCount{}
	for i, text := range lines {
		if w.over(len(text) + 1) {
			return rare
		}
		times := 1
		if folds != nil && folds[i] != nil {
			if times = len(folds[i].members); folds[i].members[0] != i {
				continue
			}
		}
		eachWord(first(text, 500), func(form []byte, _ int) bool {
			if len(form) < 3 || form[0] <= '9' {
				return true
			}
			n, known := numbers.of(form, len(counts))
			switch {
			case !known:
				counts = append(counts, wordCount{times, i})
			case counts[n].last != i:
				counts[n].lines += times
				counts[n].last = i
			}
			return true
		})
	}
	most := max(1, len(lines)/1000)
	withRare := 0
	for _, c := range counts {
		if c.lines <= most && rare[c.last] < 1 {
			if rare[c.last] == 0 {
				withRare++
			}
			rare[c.last] = min(1, rare[c.last]+0.34)
		}
	}
	if float64(withRare) > rareShare*float64(len(lines)) {
		clear(rare)
	}
	return rare
}

// wordNumbers numbers words. Nearly all are short, and found by their bytes as one number.
type wordNumbers struct {
	short map[uint64]int // of at most eight bytes, none of which is zero
	long  map[string]int
}

// of returns the number of a word; fresh for one that has none yet, which is its number from then on.
func (n wordNumbers) of(form []byte, fresh int) (number int, known bool) {
	if len(form) > 8 {
		if number, known = n.long[string(form)]; !known {
			n.long[string(form)], number = fresh, fresh
		}
		return number, known
	}
	bytes := uint64(0)
	for _, b := range form {
		bytes = bytes<<8 | uint64(b)
	}
	if number, known = n.short[bytes]; !known {
		n.short[bytes], number = fresh, fresh
	}
	return number, known
}

// wordCount counts the lines that have a word.
type wordCount struct{ lines, last int }
