package vectors

import "sync"

// scratch lends the memory for the bounds of one search.
var scratch = sync.Pool{New: func() any { return new([]float32) }}

// Search returns the vectors most similar to v, best first: at most most of them, of those whose numbers keep accepts. A
// nil keep accepts all. The vector has the segment's dimension and unit length.
func (s *Segment) Search(v []float32, most int, keep func(id int64) bool) []Hit {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if len(s.ids) == 0 || most <= 0 {
		return nil
	}
	q := ask(s.rotation.turn(v), s.centre)
	bounds := scratch.Get().(*[]float32)
	defer scratch.Put(bounds)
	*bounds = append((*bounds)[:0], make([]float32, len(s.ids))...)
	floor := s.estimate(&q, most, keep, *bounds)
	return s.rescore(&q, most, keep, *bounds, floor)
}

// estimate fills the upper bounds of the vectors' similarities, by their one-bit codes. It returns a similarity that
// the nearest reach at least.
func (s *Segment) estimate(q *question, most int, keep func(int64) bool, bounds []float32) (floor float32) {
	likely := best{most: 2 * most} // the estimates err: of twice as many, the better half are a higher floor
	worst := float32(-2)
	words := s.words()
	for i := range s.ids {
		f := &s.factors[i]
		similarity := q.estimate(s.bits[i*words:(i+1)*words], f)
		bounds[i] = similarity + q.margin(f)
		if similarity > worst && (keep == nil || keep(s.ids[i])) {
			likely.offer(Hit{int64(i), similarity})
			if likely.full() {
				worst = likely.hits[0].Similarity
			}
		}
	}
	sure := best{most: most}
	for _, h := range likely.hits {
		sure.offer(Hit{h.ID, q.product(s.code(int(h.ID)), s.scales[h.ID])})
	}
	if !sure.full() {
		return -2
	}
	return sure.hits[0].Similarity
}

// rescore looks more closely at every vector that may be among the nearest.
func (s *Segment) rescore(q *question, most int, keep func(int64) bool, bounds []float32, floor float32) []Hit {
	found := best{most: most}
	for i, bound := range bounds {
		if bound < floor || keep != nil && !keep(s.ids[i]) {
			continue
		}
		found.offer(Hit{s.ids[i], q.product(s.code(i), s.scales[i])})
		if found.full() {
			floor = max(floor, found.hits[0].Similarity)
		}
	}
	return found.sorted()
}
