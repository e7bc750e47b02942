package envelope

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// The ranks of a line, from what is shown first to what is shown last.
const (
	vital   = 3  // an error, a heading, a changed file
	wanted  = 2  // beside one, or a changed line
	useful  = 1  // a warning
	plain   = 0  // by its distance to the ends
	useless = -1 // a test that passed
)

const (
	surroundings = 2       // lines on each side of a vital one that are wanted with it
	longLine     = 600     // bytes; a longer one is cut
	ends         = 3       // lines at the beginning and at the end that are wanted
	lookEvery    = 256     // lines between two looks at the context
	mostLines    = 500_000 // a text with more is shown from its beginning: the rank of a line takes many times its bytes
)

// line is one line of a text, or several that say the same.
type line struct {
	number int // from 1
	text   string
	times  int // that it is said in all
	rank   int
	edge   int // distance to the ends: less is shown before more
}

// shape says how the lines of a kind are kept.
type shape struct {
	rank     func(text string) int
	same     func(text string) string // lines of which this is equal are shown once, with their count; nil: all are shown
	distinct bool                     // but vital ones only where they are equal
}

// keepLines shows the lines that rank highest, in their order, and says which are missing.
func (w *wrapping) keepLines(s shape) string { return w.keepText(w.text, s, true) }

func (w *wrapping) keepText(text string, s shape, numbered bool) string {
	if strings.Count(text, "\n") > mostLines {
		return w.firstOfText(text, utf8.RuneCountInString(text))
	}
	lines, total := w.rankLines(text, s)
	blanks := blankLines(text)
	if total == 1 || w.ctx.Err() != nil {
		return w.firstOfText(text, utf8.RuneCountInString(text))
	}
	order := slices.Clone(lines)
	slices.SortFunc(order, func(a, b *line) int {
		return cmp.Or(cmp.Compare(b.rank, a.rank), cmp.Compare(a.edge, b.edge), cmp.Compare(a.number, b.number))
	})
	for room := w.room(); room > 8 && w.ctx.Err() == nil; room = room * 9 / 10 {
		kept := w.choose(order, room)
		if out := w.render(kept, total, numbered, blanks); out != "" && w.Counter.Count(out) <= w.room() {
			return out
		}
	}
	return w.firstOfText(text, utf8.RuneCountInString(text))
}

// gapCost is what the line about a gap costs in tokens.
const gapCost = 10

// choose takes lines in the order until the room is used up.
func (w *wrapping) choose(order []*line, room int) map[int]*line {
	kept := map[int]*line{}
	missed := 0
	for i, l := range order {
		if i%lookEvery == 0 && w.ctx.Err() != nil {
			break
		}
		cost := w.Counter.Count(l.shown()) + 1
		if kept[l.number-1] == nil && kept[l.number+1] == nil {
			cost += gapCost
		}
		if cost > room {
			if missed++; missed > 50 { // nothing that fits is likely to follow
				break
			}
			continue
		}
		room -= cost
		kept[l.number] = l
	}
	return kept
}

func (l *line) shown() string {
	text := l.text
	if len(text) > longLine {
		kept := first(text, longLine)
		text = kept + fmt.Sprintf("… (+%d bytes)", len(text)-len(kept))
	}
	if l.times > 1 {
		text += fmt.Sprintf(" (×%d)", l.times)
	}
	return text
}

// render writes the lines in their order, with a line for each gap, and how to get the rest where no frame says it.
// blanks[i] is how many of the first i lines are blank: where only such are missing, one stands for them.
func (w *wrapping) render(kept map[int]*line, total int, numbered bool, blanks []int) string {
	if len(kept) == 0 {
		return ""
	}
	numbers := make([]int, 0, len(kept))
	for n := range kept {
		numbers = append(numbers, n)
	}
	slices.Sort(numbers)
	var b strings.Builder
	last := 0
	blank := func(from, to int) bool { return blanks[to-1]-blanks[from-1] == to-from }
	gap := func(to int) {
		switch missing := to - last - 1; {
		case missing <= 0:
		case blank(last+1, to):
			b.WriteByte('\n')
		case numbered && missing == 1:
			fmt.Fprintf(&b, "… line %d left out\n", last+1)
		case numbered:
			fmt.Fprintf(&b, "… lines %d-%d left out\n", last+1, to-1)
		default:
			fmt.Fprintf(&b, "… %d lines left out\n", missing)
		}
	}
	for _, n := range numbers {
		gap(n)
		b.WriteString(kept[n].shown() + "\n")
		last = n
	}
	gap(total + 1)
	fmt.Fprintf(&b, "… %d of %d lines shown%s", len(kept), total, w.recovery())
	return b.String()
}

// blankLines counts, for each beginning of the text, the lines of it that are blank.
func blankLines(text string) []int {
	counts := []int{0}
	for l := range strings.Lines(strings.TrimSuffix(text, "\n") + "\n") {
		n := counts[len(counts)-1]
		if strings.TrimSpace(l) == "" {
			n++
		}
		counts = append(counts, n)
	}
	return counts
}

// pattern returns a line with every number and hexadecimal id replaced: lines of one pattern say the same.
func pattern(text string) string {
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); {
		if !hexadecimal(text[i]) {
			out = append(out, text[i])
			i++
			continue
		}
		begin, digits := i, false
		for ; i < len(text) && hexadecimal(text[i]); i++ {
			digits = digits || text[i] <= '9'
		}
		if digits {
			out = append(out, '#')
		} else {
			out = append(out, text[begin:i]...)
		}
	}
	return string(out)
}

func hexadecimal(b byte) bool {
	return '0' <= b && b <= '9' || 'a' <= b && b <= 'f' || 'A' <= b && b <= 'F'
}

// rankLines splits a text and gives each line its rank. Blank ones are dropped, and those that say the same as an earlier one, which are counted.
func (w *wrapping) rankLines(text string, s shape) (lines []*line, total int) {
	all := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	total = len(all)
	patterns, ranks := w.rankPatterns(all, s)
	said := map[string]*line{}
	for i, t := range all {
		if i%lookEvery == 0 && w.ctx.Err() != nil {
			break
		}
		l := &line{number: i + 1, text: strings.TrimSuffix(t, "\r"), times: 1, rank: ranks[i], edge: min(i, 2*(total-1-i))}
		if strings.TrimSpace(t) == "" {
			continue
		}
		if s.same != nil {
			if earlier := said[patterns[i]]; earlier != nil {
				earlier.times++
				earlier.rank = max(earlier.rank, ranks[i])
				continue
			}
			said[patterns[i]] = l
		}
		lines = append(lines, l)
	}
	return lines, total
}

// rankPatterns ranks each pattern once, then raises the ends and what stands beside a vital line.
func (w *wrapping) rankPatterns(all []string, s shape) (patterns []string, ranks []int) {
	patterns, ranks = make([]string, len(all)), make([]int, len(all))
	known := map[string]int{}
	var vitals []int
	for i, t := range all {
		if i%lookEvery == 0 && w.ctx.Err() != nil {
			break
		}
		p := t
		if s.same != nil {
			p = s.same(t)
		}
		rank, ok := known[p]
		if !ok {
			rank = s.rank(t)
			known[p] = rank
		}
		if s.distinct && rank >= vital {
			p = t
		}
		if rank >= vital {
			vitals = append(vitals, i)
		}
		if i < ends || i >= len(all)-ends {
			rank = max(rank, wanted)
		}
		patterns[i], ranks[i] = p, rank
	}
	for _, i := range vitals {
		for j := max(0, i-surroundings); j <= min(len(all)-1, i+surroundings); j++ {
			ranks[j] = max(ranks[j], wanted)
		}
	}
	return patterns, ranks
}
