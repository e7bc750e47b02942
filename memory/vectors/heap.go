package vectors

import (
	"cmp"
	"slices"
)

// Hit is a vector that was found. Similarity is the cosine by its eight-bit code: the true one is within Segment.Slack.
type Hit struct {
	ID         int64
	Similarity float32
}

// Better orders hits by similarity, then by number, so that the order is total.
func Better(a, b Hit) int {
	return cmp.Or(cmp.Compare(b.Similarity, a.Similarity), cmp.Compare(a.ID, b.ID))
}

// best keeps the best hits of those that it is offered: a heap with the worst of them on top.
type best struct {
	most int
	hits []Hit
}

// full reports whether a further hit must be better than the worst one.
func (b *best) full() bool { return len(b.hits) == b.most }

func (b *best) offer(h Hit) {
	if !b.full() {
		b.hits = append(b.hits, h)
		b.up(len(b.hits) - 1)
		return
	}
	if Better(h, b.hits[0]) < 0 {
		b.hits[0] = h
		b.down()
	}
}

func (b *best) up(i int) {
	for i > 0 {
		parent := (i - 1) / 2
		if Better(b.hits[i], b.hits[parent]) <= 0 {
			return
		}
		b.hits[i], b.hits[parent] = b.hits[parent], b.hits[i]
		i = parent
	}
}

func (b *best) down() {
	for i := 0; ; {
		worst := i
		for _, child := range [...]int{2*i + 1, 2*i + 2} {
			if child < len(b.hits) && Better(b.hits[child], b.hits[worst]) > 0 {
				worst = child
			}
		}
		if worst == i {
			return
		}
		b.hits[i], b.hits[worst] = b.hits[worst], b.hits[i]
		i = worst
	}
}

// sorted returns the hits, best first.
func (b *best) sorted() []Hit {
	slices.SortFunc(b.hits, Better)
	return b.hits
}
