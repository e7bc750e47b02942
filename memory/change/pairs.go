package change

import (
	"math"
	"math/bits"
	"sync/atomic"
)

// This file keeps the verdicts on the pairs of statements that were compared last. A context compares its candidates for each part of its need, and the next
// context compares mostly the same ones.

// pairKey names two readings by their numbers, the older one first, and the weights of their terms by their marks; no marks where weights count nothing.
type pairKey struct{ older, newer, olderMark, newerMark uint64 }

// place returns the place of a pair in a table of so many.
func (k pairKey) place(places int) uint64 {
	return mark(mark(mark(mark(0, k.older), k.newer), k.olderMark), k.newerMark) >> 32 % uint64(places)
}

// mark adds a number to the mark of those before it.
func mark(of, next uint64) uint64 { return bits.RotateLeft64((of^next)*0x9e3779b97f4a7c15, 29) }

// markOf returns the mark of the weights of lists of terms.
func markOf(lists ...*list) (of uint64) {
	for _, l := range lists {
		for _, w := range l.weights {
			of = mark(of, math.Float64bits(w))
		}
	}
	return of
}

// judged is the verdict on a pair, and touching what Touched returns for one.
type (
	judged struct {
		pairKey
		verdict Verdict
	}
	touching struct {
		pairKey
		words  string
		partly bool
	}
)

// The pairs that were compared last, each in the place of its hash. They hold no readings, and words of some alone.
var (
	verdicts [16384]atomic.Pointer[judged]
	touches  [4096]atomic.Pointer[touching]
)

// numbered counts the readings: the number of one is never that of another.
var numbered atomic.Uint64

// verdictOn returns the verdict on a pair that the rules let be a change.
func verdictOn(older, newer *Weighed) Verdict {
	if older.number == 0 || newer.number == 0 {
		return judge(older, newer)
	}
	key := pairKey{older.number, newer.number, older.mark, newer.mark}
	place := &verdicts[key.place(len(verdicts))]
	if kept := place.Load(); kept != nil && kept.pairKey == key {
		return kept.verdict
	}
	v := judge(older, newer)
	place.Store(&judged{key, v})
	return v
}

// touched is Touched for legible readings.
func touched(older, newer *Reading) (words string, partly bool) {
	if older.number == 0 || newer.number == 0 {
		return older.touchedBy(newer)
	}
	key := pairKey{older: older.number, newer: newer.number}
	place := &touches[key.place(len(touches))]
	if kept := place.Load(); kept != nil && kept.pairKey == key {
		return kept.words, kept.partly
	}
	words, partly = older.touchedBy(newer)
	place.Store(&touching{key, words, partly})
	return words, partly
}
