package redact

import (
	"hash/maphash"
	"sync"
	"sync/atomic"
)

// cleanTexts knows the texts in which nothing was found lately, by their hashes: a conversation and what is known are looked at again with each
// step. It holds nothing of the texts, and its seeds are its own, so that nobody can make a text that it takes for another.
type cleanTexts struct {
	place, text maphash.Seed
	kept        [16384]atomic.Uint64 // the hash of a text, in the place of another hash of it; 0: none
}

// longestKept is the length, in bytes, of the longest text that is known: a longer one seldom comes again.
const longestKept = 16 << 10

// newClean returns texts that are made when one is first asked for.
func newClean() func() *cleanTexts {
	return sync.OnceValue(func() *cleanTexts { return &cleanTexts{place: maphash.MakeSeed(), text: maphash.MakeSeed()} })
}

// find returns the place of a tenant's text, and what stands there if it is known.
func (c *cleanTexts) find(tenant, text string) (place *atomic.Uint64, sum uint64) {
	return &c.kept[sumOf(c.place, tenant, text)%uint64(len(c.kept))], max(1, sumOf(c.text, tenant, text))
}

func sumOf(seed maphash.Seed, tenant, text string) uint64 {
	return maphash.Comparable(seed, [2]uint64{maphash.String(seed, tenant), maphash.String(seed, text)})
}
