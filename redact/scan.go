package redact

import (
	"context"
	"math/bits"
	"slices"
	"sync"
)

// maxDepth is the number of encodings that may lie around a secret.
const maxDepth = 3

// An engine is the table of detectors with the automaton of their anchors. It does not change after it was made.
type engine struct {
	table   []detector
	anchors *automaton
	numeral [maxDigits + 1][]int // the detectors of numbers, by how many digits they want; the last place is of more too
}

// maxDigits is how many digits a detector can want.
const maxDigits = 20

// families returns the table of detectors, with those that an installation adds.
func families(values []string, rules []Rule) []detector {
	return slices.Concat([]detector{hiding(values)}, detectors, []detector{ruled(rules)})
}

// plain is the engine of an installation that adds nothing.
var plain = sync.OnceValue(func() *engine { return newEngine(nil, nil) })

func newEngine(values []string, rules []Rule) *engine { return engineOf(families(values, rules)) }

// engineOf returns the engine of a table.
func engineOf(table []detector) *engine {
	e := &engine{table: table}
	var literals []string
	var anchors []anchor
	for d, family := range e.table {
		if family.number != nil {
			for n := range e.numeral {
				if len(family.Lengths) == 0 || slices.Contains(family.Lengths, n) {
					e.numeral[n] = append(e.numeral[n], d)
				}
			}
		}
		for k, l := range lowered(family.Anchors) {
			literals = append(literals, l)
			anchors = append(anchors, anchor{detector: d, k: k, size: len(l)})
		}
	}
	e.anchors = newAutomaton(literals, anchors)
	return e
}

// A scan is one look at one text.
type scan struct {
	ctx    context.Context // of the call; once it has ended the scan finds no more
	engine *engine
	s      string
	depth  int // how often the text was decoded
	spans  []span

	family   int       // the detector at work
	read     []stretch // by detector: the text it has read; a longer literal may begin before that, and end after
	wide     stretch   // of escapes, which are decoded together
	windows  []stretch // by rule: where its keywords stand
	walked   int       // where the last object ends whose children were looked at
	tabled   int       // where the last table ends whose rows were looked at
	sign     string    // which parted the cells of the last line that was read as a header
	header   headerLine
	unclosed unclosed

	command  stretch // from the last command that was read to the end of its line, as far as that was looked for
	manifest manifest
}

// stretches lends the memory for what the detectors of a scan have read.
var stretches = sync.Pool{New: func() any { return new([]stretch) }}

// spans returns every secret of s, in no order. depth says how often s was decoded. If ctx ends, some may be missing.
func (e *engine) spans(ctx context.Context, s string, depth int) []span {
	lent := stretches.Get().(*[]stretch)
	defer stretches.Put(lent)
	*lent = slices.Grow((*lent)[:0], len(e.table))[:len(e.table)]
	clear(*lent)
	t := &scan{ctx: ctx, engine: e, s: s, depth: depth, read: *lent}
	e.anchors.each(s, t.ended, func(i int, who anchor) {
		if done := t.read[who.detector]; i < done.start || i >= done.end {
			t.family = who.detector
			t.read[who.detector] = stretch{i, e.table[who.detector].at(t, i, who.k)}
		}
	})
	t.numbers()
	t.encoded()
	t.wideText()
	for d := range e.table {
		if finish := e.table[d].finish; finish != nil && !t.ended() {
			t.family = d
			finish(t)
		}
	}
	return t.spans
}

// ended reports whether nobody waits for the scan any more.
func (t *scan) ended() bool { return t.ctx.Err() != nil }

// hit notes a secret.
func (t *scan) hit(label string, start, end int) {
	if start < end {
		t.add(span{start: start, end: end, label: label, rank: t.family})
	}
}

// add notes a span. The list doubles: of many small spans, to grow by less would cost more than to find them.
func (t *scan) add(sp span) {
	if len(t.spans) == cap(t.spans) {
		t.spans = slices.Grow(t.spans, len(t.spans)+8)
	}
	t.spans = append(t.spans, sp)
}

// numbers shows the detectors of numbers each stretch of two digits or more.
func (t *scan) numbers() {
	clear(t.read) // it is another pass
	s, look, carry := t.s, 0, uint64(0)
	for i := 0; i < len(s); {
		if i >= look {
			if look = i + lookEvery; t.ended() {
				return
			}
		}
		digit := digitsOf(eightAt(s, i))
		second := digit & (digit<<8 | carry) // behind another digit
		if second == 0 {
			i, carry = i+8, digit>>56
			continue
		}
		start := i + bits.TrailingZeros64(second)/8 - 1
		end := digits.run(s, start, len(s))
		t.number(start, end)
		i, carry = end, 0
	}
}

// number shows the digits from start to end to the detectors that want so many.
func (t *scan) number(start, end int) {
	for _, d := range t.engine.numeral[min(end-start, maxDigits)] {
		family := &t.engine.table[d]
		if start < t.read[d].end || family.behind != nil && (start == 0 || !family.behind[t.s[start-1]]) {
			continue
		}
		t.family = d
		t.read[d] = stretch{start, family.number(t, start, end-start)}
	}
}

// eightAt returns the eight bytes of s from i on, the first in the lowest place, and zeros behind the end.
func eightAt(s string, i int) uint64 {
	if i+8 > len(s) {
		x := uint64(0)
		for n := range len(s) - i {
			x |= uint64(s[i+n]) << (8 * n)
		}
		return x
	}
	s = s[i : i+8]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// digitsOf returns the highest bit of each of the eight bytes that is a digit: the bits of '0' taken out of one, less than
// ten is left (Warren, Hacker's Delight, 6-1).
func digitsOf(x uint64) uint64 {
	const each = 0x0101010101010101
	x ^= each * '0'
	return ^((x | highs) - each*10) &^ x & highs
}

// highs are the highest bits of eight bytes.
const highs = 0x8080808080808080

// anchor returns anchor k of the detector at work, as it stands in the table.
func (t *scan) anchor(k int) string { return t.engine.table[t.family].Anchors[k] }
