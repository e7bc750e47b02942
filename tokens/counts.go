package tokens

import (
	"strings"
	"sync"
	"sync/atomic"
)

// p50k is the vocabulary of GPT-2, with runs of blanks: another text that it was trained on, another choice of tokens.
var p50k = sync.OnceValue(func() *vocabulary { return mustRead("p50k_base") })

// counts is the tokens of a piece by each vocabulary, whole and cut: the figures from byO200k on.
type counts [figures - byO200k]int32

// scanner counts pieces by all vocabularies.
type scanner struct {
	merger       merger
	vocabularies [3]*vocabulary
	met          map[string]counts // of pieces that are no tokens, as the names in a program are
}

const (
	mostMet    = 4096 // pieces, after which the scanner begins to remember anew
	longestMet = 48   // bytes
)

var scanners = sync.Pool{New: func() any {
	return &scanner{vocabularies: [3]*vocabulary{o200k.load(), cl100k.load(), p50k()}, met: map[string]counts{}}
}}

// known keeps the counts of each token of o200k that was met, by its rank: eight counts of a byte, as the ninth is 1. An
// entry of 0 is not known yet. The longest token has 128 bytes, so that no count is too large.
var known [200_000]atomic.Uint64

// counts returns the counts of a piece. Most pieces are tokens of o200k, whose counts are remembered.
func (s *scanner) counts(piece string) (c counts) {
	rank, whole := s.vocabularies[0].ranks[piece]
	if !whole || int(rank) >= len(known) {
		return s.compound(piece)
	}
	packed := known[rank].Load()
	if packed == 0 {
		c = s.merge(piece)
		for i, n := range c[1:] {
			packed |= uint64(n) << (8 * i)
		}
		known[rank].Store(packed)
	}
	c[0] = 1
	for i := range c[1:] {
		c[1+i] = int32(packed >> (8 * i) & 0xff)
	}
	return c
}

// compound returns the counts of a piece of several tokens.
func (s *scanner) compound(piece string) counts {
	if len(piece) > longestMet {
		return s.merge(piece)
	}
	c, met := s.met[piece]
	if !met {
		c = s.merge(piece)
		if len(s.met) >= mostMet {
			clear(s.met)
		}
		s.met[strings.Clone(piece)] = c // not the text that it is part of
	}
	return c
}

// merge counts a piece anew.
func (s *scanner) merge(piece string) (c counts) {
	for i, v := range s.vocabularies {
		var p profile
		n := s.merger.merge(v, piece, &p)
		at := c[i*(1+len(cuts)):]
		at[0] = int32(n)
		copy(at[1:], p[:])
	}
	return c
}
