package vectors

import (
	"math"
	"sync"
)

// Segment holds vectors of one dimension and of unit length. It is safe for concurrent use: searches share it.
type Segment struct {
	dimension int
	rotation  rotation

	mu      sync.RWMutex // guards all below
	at      map[int64]int
	ids     []int64
	bytes   []int8    // of each vector rotation.wide
	scales  []float32 // of bytes
	bits    []uint64  // of each vector words
	factors []factors
	centre  []float32 // the point that the one-bit codes are about, turned
	centred int       // vectors when centre was their mean
	slack   float32
}

// NewSegment returns an empty segment for vectors of the dimension.
func NewSegment(dimension int) *Segment {
	r := newRotation(dimension)
	return &Segment{dimension: dimension, rotation: r, at: map[int64]int{}, centre: make([]float32, r.wide)}
}

func (s *Segment) words() int { return s.rotation.wide / wordBits }

// Len returns how many vectors the segment holds.
func (s *Segment) Len() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return len(s.ids)
}

// Slack returns by how much the similarity of a Hit may differ from the true one.
func (s *Segment) Slack() float32 {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.slack
}

// Size returns about how much memory vectors of a dimension take in a segment, in bytes.
func Size(vectors, dimension int) int64 {
	wide := int64(width(dimension))
	const perVector = 8 + 4 + 16 + 32 // number, scale, factors, entry of the map
	empty := 4*wide*(rounds+1) + 512  // signs and centre
	return empty + int64(vectors)*(wide+wide/8+perVector)
}

// Put adds vectors under their numbers, in the place of earlier ones. All have the segment's dimension.
func (s *Segment) Put(ids []int64, vectors [][]float32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	turned := make([]float32, s.rotation.wide)
	for i, id := range ids {
		s.rotation.turnInto(turned, vectors[i])
		s.put(id, turned)
	}
	if len(s.ids) >= 2*s.centred {
		s.recentre()
	}
}

func (s *Segment) put(id int64, turned []float32) {
	i, held := s.at[id]
	if !held {
		i = len(s.ids)
		s.at[id] = i
		s.ids = append(s.ids, id)
		s.bytes = append(s.bytes, make([]int8, s.rotation.wide)...)
		s.scales = append(s.scales, 0)
		s.bits = append(s.bits, make([]uint64, s.words())...)
		s.factors = append(s.factors, factors{})
	}
	scale, lost := quantise(s.code(i), turned)
	s.scales[i] = scale
	s.slack = max(s.slack, rounding+lost*min(1, errors/float32(math.Sqrt(float64(s.rotation.wide))))) // of a question of unit length
	s.encode(i)
}

func (s *Segment) code(i int) []int8  { return s.bytes[i*s.rotation.wide : (i+1)*s.rotation.wide] }
func (s *Segment) bit(i int) []uint64 { return s.bits[i*s.words() : (i+1)*s.words()] }

func (s *Segment) encode(i int) {
	s.factors[i] = signs(s.bit(i), s.code(i), s.scales[i], s.centre)
}

// recentre takes the mean for the centre and makes the one-bit codes anew. Done whenever the segment has doubled, that
// costs each vector a constant.
func (s *Segment) recentre() {
	sums := make([]float64, s.rotation.wide)
	for i := range s.ids {
		for j, n := range s.code(i) {
			sums[j] += float64(float32(n) * s.scales[i])
		}
	}
	for j, sum := range sums {
		s.centre[j] = float32(sum / float64(len(s.ids)))
	}
	for i := range s.ids {
		s.encode(i)
	}
	s.centred = len(s.ids)
}

// Retain drops the vectors whose numbers keep does not accept, and leaves nothing of them in the segment's memory.
func (s *Segment) Retain(keep func(id int64) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := len(s.ids) - 1; i >= 0; i-- {
		if !keep(s.ids[i]) {
			s.drop(i)
		}
	}
}

// drop moves the last vector to the place of the vector at i.
func (s *Segment) drop(i int) {
	last := len(s.ids) - 1
	delete(s.at, s.ids[i])
	if i != last {
		s.at[s.ids[last]] = i
		s.ids[i], s.scales[i], s.factors[i] = s.ids[last], s.scales[last], s.factors[last]
		copy(s.code(i), s.code(last))
		copy(s.bit(i), s.bit(last))
	}
	clear(s.code(last))
	clear(s.bit(last))
	s.ids, s.scales, s.factors = s.ids[:last], s.scales[:last], s.factors[:last]
	s.bytes, s.bits = s.bytes[:last*s.rotation.wide], s.bits[:last*s.words()]
}
