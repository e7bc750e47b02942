package sqlite

import (
	"cmp"
	"math"
	"slices"
	"sync"
)

// The constants of BM25, as in package memory.
const (
	bm25K1 = 1.2
	bm25B  = 0.75
)

// scored is a version that holds a word of a search, by its row id, with the estimate of how well it answers.
type scored struct {
	id    int64
	score float32
}

// better orders by score, and equal ones by row id.
func better(a, b scored) int { // no score is NaN, and so most pairs need one comparison
	switch {
	case a.score > b.score:
		return -1
	case a.score < b.score:
		return 1
	}
	return cmp.Compare(a.id, b.id)
}

// block is the number of versions that are looked at, or passed over, together.
const block = 1024

// span is a part of a posting that lies in a block, with the weight of its word.
type span struct {
	seqs []uint32
	idf  float32
}

// sums lends the memory for the scores of a block.
var sums = sync.Pool{New: func() any { return new([block]float32) }}

// rank returns the versions that hold any of the words, best first, at most most. It ranks by BM25 as package memory does, but takes every
// word of a version to occur once: how often it does is in no posting, and is looked at when the versions are.
//
// It goes through the versions by blocks, and passes over a block in which even the shortest text with all words that occur there
// would not be among the best (block-max pruning; Ding and Suel, Faster Top-k Document Retrieval Using Block-Max Indexes, SIGIR 2011).
// Of equals the first are the best, so that a block that can only equal them is passed over too: the result is that of ranking all.
func (sp *scopePostings) rank(words []string, p place, most int) []scored {
	rest := make([]span, len(words))
	for i, w := range words {
		seqs := sp.seqs(w)
		rest[i] = span{seqs, float32(math.Log1p((math.Max(float64(p.documents-len(seqs)), 0) + 0.5) / (float64(len(seqs)) + 0.5)))}
	}
	average := float32(max(1, p.length)) / float32(max(1, p.documents))
	by := func(size uint16) float32 { return 1 + bm25K1*(1-bm25B+bm25B*float32(size)/average) }
	scores := sums.Get().(*[block]float32)
	defer sums.Put(scores)
	best := newTop(most)
	defer tops.Put(best)
	here := make([]span, len(words))
	for {
		b := nextBlock(rest)
		if b < 0 {
			break
		}
		if bound := partsIn(rest, here, b) / by(sp.least[b]); bound <= best.worst {
			continue
		}
		for _, s := range here {
			for _, seq := range s.seqs {
				scores[seq%block] += s.idf
			}
		}
		for _, s := range here {
			for _, seq := range s.seqs {
				if sum := scores[seq%block]; sum > 0 { // the first time that the version comes by
					scores[seq%block] = 0
					if int64(seq) > p.last { // another search has seen it
						continue
					}
					best.add(scored{sp.scope<<32 | int64(seq), sum / by(sp.sizes[seq])})
				}
			}
		}
		best.end()
	}
	return slices.Clone(best.sorted())
}

// nextBlock returns the number of the first block in which any of the spans goes on; -1 if all have ended.
func nextBlock(rest []span) int {
	next := -1
	for _, s := range rest {
		if len(s.seqs) > 0 && (next < 0 || int(s.seqs[0]/block) < next) {
			next = int(s.seqs[0] / block)
		}
	}
	return next
}

// partsIn moves what lies in a block from the spans to here, and returns the sum of the weights of the words that occur there, in their order.
func partsIn(rest, here []span, b int) (sum float32) {
	end := uint64(b+1) * block
	for i, s := range rest {
		n := 0
		if len(s.seqs) > 0 && uint64(s.seqs[0]) < end {
			n = within(s.seqs, end)
			sum += s.idf
		}
		here[i], rest[i].seqs = span{s.seqs[:n], s.idf}, s.seqs[n:]
	}
	return sum
}

// within returns how many of the first numbers, which rise, are below the end: no more than a block has.
func within(seqs []uint32, end uint64) int {
	seqs = seqs[:min(len(seqs), block)]
	if uint64(seqs[len(seqs)-1]) < end {
		return len(seqs)
	}
	n, _ := slices.BinarySearchFunc(seqs, end, func(seq uint32, end uint64) int { return cmp.Compare(uint64(seq), end) })
	return n
}

// top keeps the best of what is added, at most most. Blocks come in the order of their versions.
type top struct {
	most  int
	kept  []scored // more than most, for a while
	worst float32  // what does not exceed it, and comes later, is none of the best; -1: anything may be
}

// tops lends the memory for the best of a search.
var tops = sync.Pool{New: func() any { return new(top) }}

// newTop returns an empty one of tops.
func newTop(most int) *top {
	t := tops.Get().(*top)
	*t = top{most: most, kept: t.kept[:0], worst: -1}
	return t
}

// add takes in a version of the block at hand.
func (t *top) add(s scored) {
	if s.score > t.worst {
		t.kept = append(t.kept, s)
	}
}

// end ends a block. Within it versions come by word, so that of equals a later one may be the first.
func (t *top) end() {
	if len(t.kept) >= 2*t.most || t.worst < 0 && len(t.kept) >= t.most {
		t.choose()
	}
}

// choose leaves the best, in no order.
func (t *top) choose() {
	choose(t.kept, t.most)
	t.kept = t.kept[:min(len(t.kept), t.most)]
	if len(t.kept) == t.most && t.most > 0 {
		t.worst = slices.MinFunc(t.kept, func(a, b scored) int { return cmp.Compare(a.score, b.score) }).score
	}
}

func (t *top) sorted() []scored {
	t.choose()
	slices.SortFunc(t.kept, better)
	return t.kept
}

// choose rearranges all so that the best most of them are the first (quickselect).
func choose(all []scored, most int) {
	for from, to := 0, len(all); len(all) > most && to-from > 1; {
		pivot := all[from+(to-from)/2]
		i, j := from, to-1
		for i <= j {
			for better(all[i], pivot) < 0 {
				i++
			}
			for better(all[j], pivot) > 0 {
				j--
			}
			if i <= j {
				all[i], all[j] = all[j], all[i]
				i++
				j--
			}
		}
		switch {
		case most <= j:
			to = j + 1
		case most >= i:
			from = i
		default:
			from = to
		}
	}
}
