package envelope

import (
	"cmp"
	"strings"
)

// The ranks of a line, from what is shown first to what is shown last.
const (
	naming  = 4  // a failed test by its name
	vital   = 3  // an error, a heading, a changed file
	wanted  = 2  // beside one, or a changed line
	useful  = 1  // a warning
	plain   = 0  // by its distance to the ends
	useless = -1 // a test that passed
)

const (
	surroundings = 2       // lines on each side of a vital one that are wanted with it
	ends         = 3       // lines at the beginning and at the end that are wanted
	lookEvery    = 256     // lines between two looks at the context
	mostLines    = 500_000 // a text with more is shown from its beginning: the rank of a line takes many times its bytes
)

// shape says how the lines of a kind are kept.
type shape struct {
	rank      func(text string) int
	same      func(to []byte, text string) []byte // lines of which what this appends is equal are shown once, with their count; nil: all are shown
	runs      bool                                // but only those of which many follow each other
	details   bool                                // the first vital lines below each heading count more than those that follow
	alone     bool                                // no line counts more for what stands beside it, or for its place
	level     func(text string) int               // of a heading, 1 the highest, 0 for none; nil: as of a document
	columns   func(text string) []string          // of a table; nil: none
	separator string                              // of the cells of a row as they stand there; "": none
	series    bool                                // the lines are of one form, so that one can be out of the ordinary
	word      func(line int) (label, word string) // of a value that is no number, where it stands alone; nil: none
	with      func(lines []string, i int) []int   // the lines that are shown with one; nil: none
	stat      func(missing []string) string       // of lines that are left out, behind the line that says so; nil: none
	noun      string                              // for a line, where it is none of the text; default line
	laid      bool                                // the text is what a reader of the source sees, such as of a page
	head      int                                 // lines at the beginning that name the columns
}

// lined is a text by its lines, with what is known of each.
type lined struct {
	*wrapping
	shape
	need         *need
	watch        *watch
	all          []string
	keys         []int // of the lines that are folded into one; -1 for a line that is not
	ranks        []int
	scores       []float64
	asked        map[int]float64 // the worth of lines with the greatest or the least value, as far as asked for
	folds        []*fold         // of each line; nil where nothing is folded
	outline      *outline
	blanks       []int // how many of the first lines are blank
	costs        map[int]int
	names        []string // of the columns; nil if not asked for
	long         int      // bytes of a line, of which a longer one is cut
	numbered     bool
	total        string          // how many lines match, where the question asks for it
	worths       map[int]float64 // of the columns of a table
	columnsShown string          // which of the columns are, where some are not
}

// keepLines shows the lines that rank highest, in their order, and says which are missing.
func (w *wrapping) keepLines(s shape) string { return w.keepText(w.text, s, true) }

func (w *wrapping) keepText(text string, s shape, numbered bool) string {
	source, of := w.text, ""
	if s.laid {
		source, of = text, ofItsText
	}
	beginning := func() string { return w.firstOfText(source, of) }
	if strings.Count(text, "\n") > mostLines {
		return beginning()
	}
	if w.need() != nil && strings.Count(text, "\n") < fewLines && len(text) > longSentence*4 {
		text, s.noun, numbered = sentencesOf(watching(w.ctx), text), "part", false
	}
	t := w.lined(text, s, numbered)
	if len(t.all) == 1 || w.ctx.Err() != nil {
		return beginning()
	}
	if out := t.choose(); out != "" {
		return out
	}
	return beginning()
}

const (
	fewLines     = 6   // of a text, which is looked at by its sentences where it is long
	longSentence = 400 // bytes; a longer one is parted at a word
)

// sentencesOf puts each sentence of a text on a line.
func sentencesOf(w *watch, text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		for len(line) > 0 && !w.over(longSentence) {
			end := sentenceEnd(line)
			b.WriteString(strings.TrimLeft(line[:end], " ") + "\n")
			line = line[end:]
		}
	}
	return b.String()
}

// sentenceEnd returns where the first sentence of a line ends, or a part of it that is long enough.
func sentenceEnd(line string) int {
	if len(line) <= longSentence/4 {
		return len(line)
	}
	for i := longSentence / 10; i+1 < min(len(line), longSentence); i++ {
		if strings.IndexByte(".!?;", line[i]) >= 0 && line[i+1] == ' ' {
			return i + 1
		}
	}
	if len(line) <= longSentence {
		return len(line)
	}
	kept := first(line, longSentence)
	if blank := strings.LastIndexAny(kept, " ,\t"); blank > longSentence/2 {
		return blank + 1
	}
	return max(len(kept), 1)
}

// lined reads the lines of a text.
func (w *wrapping) lined(text string, s shape, numbered bool) *lined {
	t := &lined{wrapping: w, shape: s, watch: watching(w.ctx), need: w.need(), numbered: numbered, costs: map[int]int{}}
	t.all = strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i, l := range t.all {
		t.all[i] = strings.TrimSuffix(l, "\r")
	}
	t.noun = cmp.Or(t.noun, "line")
	if t.level == nil {
		t.level = headingLevel
	}
	t.blanks = blankLines(text)
	t.long = min(max(w.room()*2, 200), 2000)
	if t.runs {
		t.same = inRuns(t.watch, t.all)
	}
	t.rankPatterns()
	t.outline = outlineOf(t.watch, t.all, t.level)
	if t.same != nil {
		t.folds = foldsOf(t.all, t.keys)
	}
	t.score()
	t.total = t.counted()
	t.narrow()
	return t
}

const (
	longRun    = 8 // lines of one pattern that follow each other, from which they are one series
	fewestSame = 2 // words that they have in common: of lines with fewer each says something else
)

// inRuns returns pattern for lines of a pattern that a long run of lines has, and asItIs for the others.
func inRuns(w *watch, lines []string) func(to []byte, text string) []byte {
	series := map[string]bool{}
	var last, buffer []byte
	run := 0
	for _, text := range lines {
		if w.over(len(text) + 1) {
			break
		}
		if strings.TrimSpace(text) == "" {
			continue
		}
		buffer = pattern(buffer[:0], text)
		if string(buffer) != string(last) {
			run = 0
		}
		if run++; run == longRun && wordsWithoutDigits(text) >= fewestSame {
			series[string(buffer)] = true
		}
		last, buffer = buffer, last
	}
	return func(to []byte, text string) []byte {
		if len(series) > 0 {
			begun := len(to)
			if to = pattern(to, text); series[string(to[begun:])] {
				return to
			}
			to = to[:begun]
		}
		return append(to, text...)
	}
}

// wordsWithoutDigits counts the words of a text that are of letters alone.
func wordsWithoutDigits(text string) (n int) {
	for _, token := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(apart, r) }) {
		if len(token) > 1 && nextDigit(token, 0) == len(token) && letterClass(token[0]) == letters {
			n++
		}
	}
	return n
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

// pattern appends a line with every number and hexadecimal id replaced: lines of one pattern say the same.
func pattern(out []byte, text string) []byte {
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
	return out
}

func hexadecimal(b byte) bool {
	return '0' <= b && b <= '9' || 'a' <= b && b <= 'f' || 'A' <= b && b <= 'F'
}

// rankPatterns ranks each pattern once, then raises the ends and what stands beside a vital line.
func (t *lined) rankPatterns() {
	t.keys, t.ranks = make([]int, len(t.all)), make([]int, len(t.all))
	var rankOf []int // by key
	known := map[string]int{}
	var vitals []int
	var buffer []byte
	for i, text := range t.all {
		if t.watch.over(len(text) + 1) {
			break
		}
		if t.same != nil {
			buffer = t.same(buffer[:0], text)
		} else {
			buffer = append(buffer[:0], text...)
		}
		key, ok := known[string(buffer)]
		if !ok {
			key = len(rankOf)
			known[string(buffer)] = key
			rankOf = append(rankOf, t.rank(text))
		}
		rank := rankOf[key]
		if len(buffer) == 0 { // what has no key is not folded
			key, rank = -1, t.rank(text)
		}
		if rank >= vital {
			vitals = append(vitals, i)
		}
		t.keys[i], t.ranks[i] = key, rank
	}
	if t.alone || t.watch.over(0) {
		return
	}
	sizes := make([]int, len(rankOf))
	for _, key := range t.keys {
		if key >= 0 {
			sizes[key]++
		}
	}
	raise := func(i int) {
		switch many := t.same != nil && t.keys[i] >= 0 && sizes[t.keys[i]] > mostFailures; {
		case many && t.ranks[i] >= plain: // a fold tells of it
			t.ranks[i] = max(t.ranks[i], useful)
		case !many:
			t.ranks[i] = max(t.ranks[i], wanted)
		}
	}
	for i := range min(ends, len(t.all)) {
		raise(i)
		raise(len(t.all) - 1 - i)
	}
	for _, i := range vitals {
		for j := max(0, i-surroundings); j <= min(len(t.all)-1, i+surroundings); j++ {
			raise(j)
		}
	}
}
