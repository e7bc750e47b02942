package tokens

import "sync"

// merger merges the bytes of a piece to tokens. It keeps the memory of the last piece for the next.
//
// Parts are numbered by their first byte. A queue gives the pair of lowest rank, the first of equals. An entry of a pair
// that is gone by then is known by its rank, which is not that of the pair any more. So a piece of n bytes takes n log n
// steps, where looking for the lowest pair anew after each merge would take n².
type merger struct {
	next, before []int32
	pair         []uint32 // the rank of the part with its right neighbour, or none
	queue        []uint64 // a heap of rank<<32 | part

	ended func() bool // asked now and then in long pieces; once it is true, the count is worth nothing
}

const mergesBetweenLooks = 4096 // more than any piece has that is remembered

var mergers = sync.Pool{New: func() any { return new(merger) }}

// merge returns the number of tokens of a piece. In profile, if it is not nil, it counts the tokens that the piece would
// have if the vocabulary ended at each of the cuts.
func (m *merger) merge(v *vocabulary, piece string, profile *profile) int {
	m.reset(v, piece)
	left, cut := len(piece), 0
	for steps := 1; len(m.queue) > 0; steps++ {
		if steps%mergesBetweenLooks == 0 && m.ended() {
			break
		}
		top := m.pop()
		rank, part := uint32(top>>32), int32(top)
		if m.pair[part] != rank {
			continue
		}
		for profile != nil && cut < len(cuts) && rank >= cuts[cut] {
			profile[cut] = int32(left)
			cut++
		}
		m.join(v, piece, part)
		left--
	}
	for ; profile != nil && cut < len(cuts); cut++ {
		profile[cut] = int32(left)
	}
	return left
}

// reset makes each byte a part.
func (m *merger) reset(v *vocabulary, piece string) {
	n := len(piece)
	if cap(m.next) < n {
		m.next, m.before, m.pair = make([]int32, n), make([]int32, n), make([]uint32, n)
	}
	m.next, m.before, m.pair, m.queue = m.next[:n], m.before[:n], m.pair[:n], m.queue[:0]
	for i := range n {
		if i%mergesBetweenLooks == mergesBetweenLooks-1 && m.ended() {
			m.queue = m.queue[:0]
			break
		}
		m.next[i], m.before[i], m.pair[i] = int32(i+1), int32(i-1), none
		if i+2 <= n {
			m.offer(v, piece, int32(i), i+2)
		}
	}
}

// join makes one part of a part and its right neighbour.
func (m *merger) join(v *vocabulary, piece string, part int32) {
	n := int32(len(piece))
	gone := m.next[part]
	after := m.next[gone]
	m.next[part], m.pair[gone] = after, none
	if after < n {
		m.before[after] = part
		m.offer(v, piece, part, int(m.next[after]))
	} else {
		m.pair[part] = none
	}
	if b := m.before[part]; b >= 0 {
		m.offer(v, piece, b, int(after))
	}
}

// offer puts the pair that begins with a part and reaches to end into the queue, if it is a token.
func (m *merger) offer(v *vocabulary, piece string, part int32, end int) {
	rank := v.rank(piece[part:end])
	m.pair[part] = rank
	if rank != none {
		m.push(uint64(rank)<<32 | uint64(part))
	}
}

func (m *merger) push(x uint64) {
	q := append(m.queue, x)
	i := len(q) - 1
	for i > 0 && q[(i-1)/2] > x {
		q[i] = q[(i-1)/2]
		i = (i - 1) / 2
	}
	q[i] = x
	m.queue = q
}

func (m *merger) pop() uint64 {
	q := m.queue
	top, last := q[0], q[len(q)-1]
	q = q[:len(q)-1]
	m.queue = q
	i := 0
	for child := 1; child < len(q); child = 2*i + 1 {
		if child+1 < len(q) && q[child+1] < q[child] {
			child++
		}
		if q[child] >= last {
			break
		}
		q[i] = q[child]
		i = child
	}
	if len(q) > 0 {
		q[i] = last
	}
	return top
}
