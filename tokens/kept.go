package tokens

import (
	"crypto/sha256"
	"sync"
)

// kept is the sizes of texts that were counted, by the digest of the text. A text that is counted again and again, as the
// messages of a conversation are, is read once. Of two generations the older is dropped when the newer is full.
type kept struct {
	mu         sync.Mutex
	young, old map[[sha256.Size]byte]Size
}

const (
	keepFrom   = 256  // bytes of the shortest text that is worth its digest
	generation = 4096 // texts
)

// size returns the size of a text, counting it if it is not known. A count that was cut short by ended is not kept.
func (k *kept) size(text string, ended func() bool, count func(string, func() bool) Size) Size {
	if len(text) < keepFrom {
		return count(text, ended)
	}
	key := sha256.Sum256([]byte(text))
	if s, known := k.get(key); known {
		return s
	}
	s := count(text, ended)
	if !ended() {
		k.put(key, s)
	}
	return s
}

func (k *kept) get(key [sha256.Size]byte) (Size, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	s, known := k.young[key]
	if !known {
		if s, known = k.old[key]; known {
			k.add(key, s)
		}
	}
	return s, known
}

func (k *kept) put(key [sha256.Size]byte, s Size) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.add(key, s)
}

func (k *kept) add(key [sha256.Size]byte, s Size) {
	if k.young == nil || len(k.young) >= generation {
		k.young, k.old = make(map[[sha256.Size]byte]Size, 64), k.young
	}
	k.young[key] = s
}
