package brief

import (
	"hash/maphash"
	"sync/atomic"
)

// reading is what the words of an object tell of its place in a brief.
type reading struct {
	content    string
	introduces bool
	part       Part // that the words alone tell; "" if they do not
	norms      int  // words of a norm, as far as mostNorms
	health     bool // of somebody's health, or of what they do not eat
}

// readings holds those that were made last, each in the place of its hash: a brief is asked for again and again.
var (
	readings [2048]atomic.Pointer[reading]
	seed     = maphash.MakeSeed()
)

// Forget lets go of the texts that were read last: one of them was erased.
func Forget() {
	for i := range readings {
		readings[i].Store(nil)
	}
}

func read(content string) *reading {
	place := &readings[maphash.String(seed, content)%uint64(len(readings))]
	if r := place.Load(); r != nil && r.content == content {
		return r
	}
	r := &reading{content: content, introduces: introductions.MatchString(content), health: health.MatchString(content)}
	r.norms = len(norms.Regexp().FindAllString(content, mostNorms))
	for _, p := range told {
		if p == Preferences && others.MatchString(content) {
			continue // their taste, and not the user's
		}
		if sectionOf(p).shows.MatchString(content) {
			r.part = p
			break
		}
	}
	place.Store(r)
	return r
}
