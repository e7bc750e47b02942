package change

import (
	"hash/maphash"
	"slices"
	"sync/atomic"
)

// kept holds the statements that were read last, each in the place of its hash: a context reads its candidates for each part of its need and lines
// them up after that, and the next one has mostly the same. A reading takes some kilobytes.
var (
	kept     [1024]atomic.Pointer[Reading]
	keptSeed = maphash.MakeSeed()
)

// Forget lets go of the statements that were read last: one of them was erased.
func Forget() {
	for i := range kept {
		kept[i].Store(nil)
	}
	for i := range touches {
		touches[i].Store(nil)
	}
}

// Read reads a statement; one that was read lately is read no more.
func Read(s Statement) *Reading {
	if s.Text == "" || len(s.Text) > longest {
		return &Reading{Statement: s, notes: new(notes)}
	}
	place := &kept[maphash.String(keptSeed, s.Text)%uint64(len(kept))]
	if r := place.Load(); r != nil && r.is(s) {
		return r
	}
	r := read(s)
	place.Store(r)
	return r
}

// is reports whether it is the reading of a statement.
func (r *Reading) is(s Statement) bool {
	return r.Text == s.Text && r.Claim == s.Claim && r.At.Equal(s.At) && r.At.Location() == s.At.Location() &&
		r.Author == s.Author && r.Authority == s.Authority && r.Kind == s.Kind && slices.Equal(r.Entities, s.Entities)
}
