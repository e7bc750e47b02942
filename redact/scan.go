package redact

import (
	"context"
	"slices"
	"sync"
)

// maxDepth is how many encodings may lie around a secret.
const maxDepth = 3

// An engine is the table of detectors with the automaton of their anchors. It does not change after it was made.
type engine struct {
	table   []detector
	anchors *automaton
	numeral []int // the detectors of numbers
}

// families returns the table of detectors, with what an installation adds to it.
func families(values []string, rules []Rule) []detector {
	return slices.Concat([]detector{hiding(values)}, detectors, []detector{ruled(rules)})
}

// plain is the engine of an installation that adds nothing.
var plain = sync.OnceValue(func() *engine { return newEngine(nil, nil) })

func newEngine(values []string, rules []Rule) *engine {
	e := &engine{table: families(values, rules)}
	var literals []string
	var anchors []anchor
	for d, family := range e.table {
		if family.number != nil {
			e.numeral = append(e.numeral, d)
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

	family  int       // the detector at work
	read    []stretch // by detector: what it has read; a longer literal may begin before that, and end after
	wide    stretch   // of escapes, which are decoded together
	windows []stretch // by rule: where its keywords stand
	walked  int       // where the last object ends whose children were looked at
	tabled  int       // where the last table ends whose rows were looked at
	sign    string    // which parted the cells of the last line that was read as a header
	header  headerLine
	// untagged is where no tag begins that closes an element.
	untagged stretch

	manifest manifest
}

// spans returns every secret of s, in no order. depth says how often s was decoded. If ctx ends, what it returns is not all.
func (e *engine) spans(ctx context.Context, s string, depth int) []span {
	t := &scan{ctx: ctx, engine: e, s: s, depth: depth, read: make([]stretch, len(e.table))}
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
		t.spans = append(t.spans, span{start: start, end: end, label: label, rank: t.family})
	}
}

// numbers shows the detectors of numbers each stretch of two digits or more. Every second byte is enough to see them.
func (t *scan) numbers() {
	clear(t.read) // it is another pass
	for i, look := 1, 0; i < len(t.s); i += 2 {
		if i >= look {
			if look = i + lookEvery; t.ended() {
				return
			}
		}
		if !digits[t.s[i]] {
			if i+8 <= len(t.s) && noDigit(t.s[i:i+8]) {
				i += 6 // the loop goes on eight bytes on
			}
			continue
		}
		start := i
		if digits[t.s[i-1]] {
			start--
		}
		end := digits.run(t.s, i, len(t.s))
		if end-start < 2 {
			continue
		}
		for _, d := range t.engine.numeral {
			if start >= t.read[d].end {
				t.family = d
				t.read[d] = stretch{start, t.engine.table[d].number(t, start, end-start)}
			}
		}
		i = (end | 1) - 2 // the loop goes on at the first odd place that is no digit of these
	}
}

// noDigit reports whether none of the first eight bytes of s is a digit. It looks at all at once: what a digit leaves when
// '0' is taken out of it is less than ten (Warren, Hacker's Delight, 6-1).
func noDigit(s string) bool {
	const each = 0x0101010101010101
	_ = s[7]
	x := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
	x ^= each * '0'
	return (x-each*10)&^x&(each*0x80) == 0
}

// anchor returns anchor k of the detector at work, as it stands in the table.
func (t *scan) anchor(k int) string { return t.engine.table[t.family].Anchors[k] }
