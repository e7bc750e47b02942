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
	t := &tree{automaton: a, nodes: make([]node, 0, states)}
	t.add(0, 0)
	t.grow(literals, anchors)
	t.resolve()
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

// A tree is an automaton while it is built. Its states are numbered level by level, the nearest to the beginning first: the rows that text goes through
// most, the beginnings of literals, lie together.
type tree struct {
	*automaton
	nodes []node // by state
}

// A node is a state of the tree.
type node struct {
	parent   uint32 // state
	column   uint32 // of the byte that leads here
	fallback uint32 // the state of the longest end of this one's text that is the beginning of a literal
}

// add returns a new state below a parent.
func (t *tree) add(parent, column uint32) uint32 {
	t.nodes = append(t.nodes, node{parent: parent, column: column})
	t.outputs = append(t.outputs, nil)
	t.next = t.next[:len(t.next)+int(t.width)]
	return uint32(len(t.nodes) - 1)
}

// grow adds the literals, all of them to one level before any to the next. Until resolve, a row holds children by their number, 0 for none.
func (t *tree) grow(literals []string, anchors []anchor) {
	states := make([]uint32, len(literals)) // reached by each
	for level := range t.longest {
		for i, l := range literals {
			if level >= len(l) {
				continue
			}
			column := t.classes[l[level]]
			at := states[i]*t.width + column
			if t.next[at] == 0 {
				t.next[at] = t.add(states[i], column)
			}
			if states[i] = t.next[at]; level == len(l)-1 {
				t.outputs[states[i]] = append(t.outputs[states[i]], anchors[i])
			}
		}
	}
}

// resolve follows the failure links level by level, and turns the numbers of states into the places of their rows. The row of a state is that of its
// fallback, which is complete by then, but for its own children, which the next level puts there.
func (t *tree) resolve() {
	for from, to := 1, 1; from < len(t.nodes); from = to {
		for to < len(t.nodes) && int(t.nodes[to].parent) < from { // of this level

			to++
		}
		for n := from; n < to; n++ {
			one := &t.nodes[n]
			if one.parent > 0 {
				one.fallback = t.next[t.nodes[one.parent].fallback*t.width+one.column] &^ found / t.width
			}
			t.outputs[n] = append(t.outputs[n], t.outputs[one.fallback]...)
		}
		for n := from; n < to; n++ {
			row := uint32(n) * t.width
			if len(t.outputs[n]) > 0 {
				row |= found
			}
			t.next[t.nodes[n].parent*t.width+t.nodes[n].column] = row
		}
		for n := from; n < to; n++ {
			copy(t.next[n*int(t.width):(n+1)*int(t.width)], t.next[t.nodes[n].fallback*t.width:][:t.width])
		}
	}
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
