package redact

import "unicode/utf8"

// An anchor is a literal that leads a detector to the places worth its look.
type anchor struct {
	detector int // whose it is
	k        int // which of its anchors
	size     int // bytes of the literal
}

// An automaton finds every occurrence of every literal in one pass, letters in either case: Aho and Corasick's machine
// (CACM 18:6, 1975), with the failure links resolved into one table, so that a byte costs one look-up. The published
// ones in Go were no choice: they copy the text to fold case, miss literals that overlap, or give no positions.
type automaton struct {
	classes [256]uint32 // column of the table, by byte; both cases of a letter share one
	width   uint32      // columns; column 0 is of all bytes that no literal holds
	next    []uint32    // by state and column: the next state's row, with found set if a literal ends there
	outputs [][]anchor  // by state, the longest first
	longest int         // bytes of the longest literal
}

// found marks a state in which a literal ends.
const found = 1 << 31

// newAutomaton builds the machine of the literals. literals[i] is anchor anchors[i], in lower case and not empty.
func newAutomaton(literals []string, anchors []anchor) *automaton {
	a := &automaton{width: 1}
	states := 1
	var used class
	for _, l := range literals {
		for i := range len(l) {
			used[l[i]] = true
		}
		states += len(l)
		a.longest = max(a.longest, len(l))
	}
	a.addBytes(&used)
	a.next = make([]uint32, 0, states*int(a.width))
	a.outputs = make([][]anchor, 0, states)
	a.addState()
	for i, l := range literals {
		a.addLiteral(l, anchors[i])
	}
	a.resolve()
	return a
}

// common are the bytes that texts are made of, the most frequent first.
const common = " etaoinsrldcumpfhg-_./\"0\n:1,byvwk=2()"

// line is the number of columns that fill a line of the processor's cache, in which their bytes stand.
const line = 16

// addBytes gives each byte that is used a column, the common ones the first: a step through most texts then reads the
// first line of a row, and these stay near the processor.
func (a *automaton) addBytes(used *class) {
	for i := range len(common) {
		if used[common[i]] {
			a.addByte(common[i])
		}
	}
	for b := range used {
		if used[b] {
			a.addByte(byte(b))
		}
	}
	a.width = (a.width + line - 1) / line * line
}

// addByte gives the byte a column. The bytes that go on a character beyond ASCII share one: a literal that has them may be
// found where others of them stand.
func (a *automaton) addByte(b byte) {
	if a.classes[b] > 0 {
		return
	}
	a.classes[b] = a.width
	if !utf8.RuneStart(b) {
		for b := 0x80; b < 0xC0; b++ {
			a.classes[b] = a.width
		}
	}
	if isLower(b) {
		a.classes[b-'a'+'A'] = a.width
	}
	a.width++
}

func (a *automaton) addState() uint32 {
	a.outputs = append(a.outputs, nil)
	a.next = a.next[:len(a.next)+int(a.width)]
	return uint32(len(a.outputs) - 1)
}

// addLiteral grows the tree by the literal. Until resolve, a row holds children by their number, 0 for none.
func (a *automaton) addLiteral(l string, who anchor) {
	state := uint32(0)
	for i := range len(l) {
		at := state*a.width + a.classes[l[i]]
		if a.next[at] == 0 {
			child := a.addState()
			a.next[at] = child
		}
		state = a.next[at]
	}
	a.outputs[state] = append(a.outputs[state], who)
}

// resolve follows the failure links breadth first, so that each row is complete before a longer one falls back to it,
// and lays the table out.
func (a *automaton) resolve() {
	fallback := make([]uint32, len(a.outputs))
	order := make([]uint32, 1, len(a.outputs)) // the states, breadth first
	for n := 0; n < len(order); n++ {
		state := order[n]
		for column := range a.width {
			at := state*a.width + column
			child, other := a.next[at], uint32(0)
			if state > 0 {
				other = a.next[fallback[state]*a.width+column]
			}
			if child == 0 {
				a.next[at] = other
				continue
			}
			fallback[child] = other
			a.outputs[child] = append(a.outputs[child], a.outputs[other]...)
			order = append(order, child)
		}
	}
	a.lay(order)
}

// lay puts the rows in the order of their states, and turns the numbers of states into the places of their rows. The
// rows that text goes through most, the beginnings of literals, then lie together.
func (a *automaton) lay(order []uint32) {
	row := make([]uint32, len(order)) // by state
	for n, state := range order {
		row[state] = uint32(n) * a.width
		if len(a.outputs[state]) > 0 {
			row[state] |= found
		}
	}
	next, outputs := make([]uint32, 0, len(a.next)), make([][]anchor, 0, len(order))
	for _, state := range order {
		for _, to := range a.next[state*a.width : (state+1)*a.width] {
			next = append(next, row[to])
		}
		outputs = append(outputs, a.outputs[state])
	}
	a.next, a.outputs = next, outputs
}

// lookEvery is the number of bytes of a text that are looked at between two looks at the context.
const lookEvery = 32 << 10

// each calls visit for every literal, at the place where it begins, in the order in which they end, until ended.
func (a *automaton) each(s string, ended func() bool, visit func(i int, who anchor)) {
	w := walk{automaton: a, s: s, visit: visit}
	for from := 0; from < len(s) && !ended(); from += lookEvery {
		to, at := min(len(s), from+lookEvery), from
		if n := (to - from) / lanes; n >= lanes*a.longest {
			w.abreast(from, n)
			at += lanes * n
		}
		w.along(at, to)
	}
}

// lanes is how many parts of a text the automaton goes through abreast. The next step of one waits for its last to come out
// of memory; those of the others do not.
const lanes = 4

// A walk is one pass of an automaton over a text.
type walk struct {
	*automaton
	s     string
	visit func(i int, who anchor)
	row   uint32           // of the state
	ends  [lanes][]literal // literals that were found in a lane before those of the lanes before were visited
}

// A literal is one or more that end at a place, by the row of their state.
type literal struct {
	at  int
	row uint32
}

// along goes from one place to another.
func (w *walk) along(from, to int) {
	next, classes, row, s := w.next, &w.classes, w.row, w.s[:to]
	for i := from; i < len(s); i++ {
		if row = next[row+classes[s[i]]]; row >= found {
			row &^= found
			w.meet(i, row)
		}
	}
	w.row = row
}

// meet visits the literals that end at i.
func (w *walk) meet(i int, row uint32) {
	for _, who := range w.outputs[row/w.width] {
		w.visit(i+1-who.size, who)
	}
}

// abreast goes through lanes of n bytes each, which lie one behind the other from a place on. Every lane but the first begins
// in the state to which the longest literal before it leads.
func (w *walk) abreast(from, n int) {
	next, classes := w.next, &w.classes
	var rows [lanes]uint32
	rows[0] = w.row
	for l := 1; l < lanes; l++ {
		rows[l] = w.before(from + l*n)
	}
	a, b, c, d := rows[0], rows[1], rows[2], rows[3]
	s0, s1, s2, s3 := w.s[from:from+n], w.s[from+n:][:n], w.s[from+2*n:][:n], w.s[from+3*n:][:n]
	for i := range len(s0) {
		a, b = next[a+classes[s0[i]]], next[b+classes[s1[i]]]
		c, d = next[c+classes[s2[i]]], next[d+classes[s3[i]]]
		if a|b|c|d < found {
			continue
		}
		if a >= found {
			a &^= found
			w.meet(from+i, a)
		}
		b, c, d = w.note(1, from+n+i, b), w.note(2, from+2*n+i, c), w.note(3, from+3*n+i, d)
	}
	w.row = d
	for l := 1; l < lanes; l++ {
		for _, e := range w.ends[l] {
			w.meet(e.at, e.row)
		}
		w.ends[l] = w.ends[l][:0]
	}
}

// note keeps the place in a lane if the row is marked as the end of a literal, and returns the row without the mark.
func (w *walk) note(lane, at int, row uint32) uint32 {
	if row < found {
		return row
	}
	row &^= found
	w.ends[lane] = append(w.ends[lane], literal{at, row})
	return row
}

// before returns the row of the state in which the automaton is at i.
func (w *walk) before(i int) uint32 {
	row := uint32(0)
	for _, c := range []byte(w.s[i-w.longest : i]) {
		row = w.next[row+w.classes[c]] &^ found
	}
	return row
}

// lowered returns the literals with the letters of ASCII in lower case, as an automaton wants them.
func lowered(literals []string) []string {
	var list []string
	for _, l := range literals {
		text := []byte(l)
		for i, b := range text {
			if isUpper(b) {
				text[i] = b + 'a' - 'A'
			}
		}
		list = append(list, string(text))
	}
	return list
}
