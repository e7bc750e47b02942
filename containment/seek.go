package containment

import (
	"cmp"
	"context"
	"slices"
)

// lookEvery is the number of bytes of a text that are worked on between two looks at the context.
const lookEvery = 32 << 10

// The seekers of the markers: of all, of those that give orders in plain words, and of those that are changed.
var allSeekers, orderSeekers, changeSeekers table

func init() {
	of := map[effect]*table{reported: &orderSeekers, changed: &changeSeekers}
	for i := range markers {
		m := &markers[i]
		for j := range m.forms {
			for _, anchor := range m.forms[j].anchors {
				allSeekers.add(seeker{i, &m.forms[j], anchor})
				of[m.effect].add(seeker{i, &m.forms[j], anchor})
			}
		}
	}
}

// A table finds the anchors of its seekers in one pass: by the two bytes that they begin with.
type table struct {
	all    []seeker
	starts [1 << 16 / 64]uint64 // of pairs of bytes: whether an anchor begins with them
	at     map[uint16][]int     // the seekers of a pair
}

func (t *table) add(s seeker) {
	if t.at == nil {
		t.at = map[uint16][]int{}
	}
	first, last := uint16(s.anchor[0])<<8, uint16(s.anchor[0])<<8|0xff
	if len(s.anchor) > 1 {
		first |= uint16(s.anchor[1])
		last = first
	}
	for pair := int(first); pair <= int(last); pair++ { // all that a single byte can begin
		t.starts[pair>>6] |= 1 << (pair & 63)
		t.at[uint16(pair)] = append(t.at[uint16(pair)], len(t.all))
	}
	t.all = append(t.all, s)
}

// smaller are the bytes with ASCII letters in lower case.
var smaller = func() (table [256]byte) {
	for i := range table {
		if table[i] = byte(i); 'A' <= i && i <= 'Z' {
			table[i] += 'a' - 'A'
		}
	}
	return table
}()

// A seeker finds the places of one form that begin with one of its anchors.
type seeker struct {
	marker int // of markers
	form   *form
	anchor string
}

// A finding is a place where a form of a marker matches.
type finding struct {
	hit
	marker int // of markers
	by     int // of the seekers
}

// seek calls found with the places of a text that the forms of the seekers match, a stretch of the text at a time: in order, and of two that
// begin alike the longer first. It returns the error of the context if that ends before.
func (t *table) seek(ctx context.Context, text string, found func([]finding)) error {
	next := make([]int, len(t.all)) // where each seeker goes on
	var places []finding
	for begin := 0; begin < len(text); begin += lookEvery {
		if err := ctx.Err(); err != nil {
			return err
		}
		places = t.within(text, begin, min(len(text), begin+lookEvery), next, places[:0])
		slices.SortFunc(places, func(a, b finding) int {
			return cmp.Or(cmp.Compare(a.begin, b.begin), cmp.Compare(b.end, a.end), cmp.Compare(a.by, b.by))
		})
		if len(places) > 0 {
			found(places)
		}
	}
	return nil
}

// within adds the places where a form matches whose anchor begins in a part of the text. next says where each seeker goes on.
func (t *table) within(text string, begin, end int, next []int, places []finding) []finding {
	for at := begin; at < end; at++ {
		pair := uint16(smaller[text[at]]) << 8
		if at+1 < len(text) {
			pair |= uint16(smaller[text[at+1]])
		}
		if t.starts[pair>>6]&(1<<(pair&63)) == 0 {
			continue
		}
		for _, i := range t.at[pair] {
			s := &t.all[i]
			if at < next[i] || !startsWith(text[at:], s.anchor) {
				continue
			}
			next[i] = at + len(s.anchor)
			if h, is := s.form.at(text, at); is {
				places = append(places, finding{h, s.marker, i})
				next[i] = max(next[i], h.end)
			}
		}
	}
	return places
}

// startsWith reports whether a text starts with an anchor, in any case of ASCII letters.
func startsWith(text, anchor string) bool {
	if len(text) < len(anchor) {
		return false
	}
	for i := range len(anchor) {
		if smaller[text[i]] != anchor[i] {
			return false
		}
	}
	return true
}
