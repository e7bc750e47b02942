package vectors_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ctx-mcp/ctx-mcp/memory/vectors"
	"github.com/ctx-mcp/ctx-mcp/storetest/rounds"
)

// kinds are how the vectors of a test are spread.
var kinds = []struct {
	name string
	make func(rnd *rand.Rand, n, dimension int) [][]float32
}{
	{"random", random},
	{"clustered", clustered},
	{"sparse", sparse},
	{"equal", equal},
}

func random(rnd *rand.Rand, n, dimension int) [][]float32 {
	out := make([][]float32, n)
	for i := range out {
		out[i] = make([]float32, dimension)
		for j := range out[i] {
			out[i][j] = float32(rnd.NormFloat64())
		}
		unit(out[i])
	}
	return out
}

// clustered makes few topics of very different sizes, far from the origin.
func clustered(rnd *rand.Rand, n, dimension int) [][]float32 {
	topics := random(rnd, 1+n/50, dimension)
	zipf := rand.NewZipf(rnd, 1.2, 2, uint64(len(topics)-1))
	out := random(rnd, n, dimension)
	for i := range out {
		topic := topics[zipf.Uint64()]
		for j := range out[i] {
			out[i][j] = 0.5*out[i][j] + topic[j] + topics[0][j]
		}
		unit(out[i])
	}
	return out
}

// sparse makes vectors of which few coordinates count, as bags of words are.
func sparse(rnd *rand.Rand, n, dimension int) [][]float32 {
	out := make([][]float32, n)
	for i := range out {
		out[i] = make([]float32, dimension)
		for range 5 {
			out[i][rnd.IntN(min(dimension, 1+rnd.IntN(dimension)))]++
		}
		unit(out[i])
	}
	return out
}

func equal(rnd *rand.Rand, n, dimension int) [][]float32 {
	return slices.Repeat(random(rnd, 1, dimension), n)
}

func unit(v []float32) {
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(sum))
	}
}

func cosine(a, b []float32) float64 {
	sum := 0.0
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

// noisy returns questions: relatives of some of the vectors.
func noisy(rnd *rand.Rand, from [][]float32, n int) [][]float32 {
	out := random(rnd, n, len(from[0]))
	for i := range out {
		v := from[rnd.IntN(len(from))]
		for j := range v {
			out[i][j] = 0.6*out[i][j] + v[j]
		}
		unit(out[i])
	}
	return out
}

// segmentOf holds the vectors under the numbers from 1000.
func segmentOf(all [][]float32) *vectors.Segment {
	s := vectors.NewSegment(len(all[0]))
	for from := 0; from < len(all); from += 700 {
		to := min(from+700, len(all))
		var ids []int64
		for i := from; i < to; i++ {
			ids = append(ids, int64(1000+i))
		}
		s.Put(ids, all[from:to])
	}
	return s
}

// exact returns the similarity of the k-th nearest of the vectors that keep accepts, by comparing all.
func exact(all [][]float32, q []float32, k int, keep func(int64) bool) float64 {
	var scores []float64
	for i, v := range all {
		if keep == nil || keep(int64(1000+i)) {
			scores = append(scores, cosine(v, q))
		}
	}
	slices.SortFunc(scores, func(a, b float64) int { return cmp.Compare(b, a) })
	return scores[min(k, len(scores))-1]
}

// TestSearchMissesNothing: of the nearest, by comparison of all vectors, every one is found, but for those that the
// eight-bit codes cannot tell from others; similarities are within the slack; and there are as many as were asked for.
func TestSearchMissesNothing(t *testing.T) {
	for _, kind := range kinds {
		for _, dimension := range []int{1, 3, 64, 384, 1000} {
			t.Run(fmt.Sprintf("%s/%d", kind.name, dimension), func(t *testing.T) {
				rnd := rand.New(rand.NewPCG(uint64(dimension), 3))
				all := kind.make(rnd, rounds.Of(800, 3000), dimension)
				s := segmentOf(all)
				for _, q := range noisy(rnd, all, rounds.Of(8, 20)) {
					for _, keep := range []func(int64) bool{nil, func(id int64) bool { return id%37 == 0 }} {
						wantNearest(t, s, all, q, 10, keep)
					}
				}
			})
		}
	}
}

func wantNearest(t *testing.T, s *vectors.Segment, all [][]float32, q []float32, k int, keep func(int64) bool) {
	t.Helper()
	slack := float64(s.Slack())
	floor := exact(all, q, k, keep)
	hits := s.Search(q, k, keep)
	if len(hits) != k {
		t.Fatalf("Search found %d, want %d", len(hits), k)
	}
	found := map[int64]bool{}
	for _, h := range hits {
		found[h.ID] = true
		if true := cosine(all[h.ID-1000], q); math.Abs(float64(h.Similarity)-true) > slack+1e-5 {
			t.Errorf("similarity of %d = %v, want %v within %v", h.ID, h.Similarity, true, slack)
		}
	}
	for i, v := range all {
		id := int64(1000 + i)
		if (keep == nil || keep(id)) && cosine(v, q) > floor+2*slack+1e-5 && !found[id] {
			t.Errorf("%d, with similarity %v, is among the nearest and was not found", id, cosine(v, q))
		}
	}
}

// TestRecall: with as many candidates as a caller compares anew, all of the ten nearest are among them.
func TestRecall(t *testing.T) {
	for _, kind := range kinds[:3] {
		rnd := rand.New(rand.NewPCG(5, 5))
		all := kind.make(rnd, rounds.Of(4_000, 20_000), 128)
		s := segmentOf(all)
		missed := 0
		for _, q := range noisy(rnd, all, rounds.Of(25, 50)) {
			floor := exact(all, q, 10, nil)
			got := 0
			for _, h := range s.Search(q, 30, nil) {
				if cosine(all[h.ID-1000], q) >= floor {
					got++
				}
			}
			missed += max(0, 10-got)
		}
		if missed > 0 {
			t.Errorf("%s: %d of the nearest were missed", kind.name, missed)
		}
	}
}

// TestPutAndRetain: a vector that is put again is replaced, one that is not retained is gone, and the rest is still found.
func TestPutAndRetain(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	all := random(rnd, 500, 32)
	s := segmentOf(all)
	all[7] = all[8]
	s.Put([]int64{1007}, all[7:8])
	even := func(id int64) bool { return id%2 == 0 }
	if hits := s.Search(all[8], 2, nil); hits[0].ID != 1007 || hits[1].ID != 1008 {
		t.Errorf("the nearest to one that is there twice = %v, want both, in order", hits)
	}
	s.Retain(even)
	if s.Len() != 250 {
		t.Errorf("Len = %d, want 250", s.Len())
	}
	for i, v := range all {
		hits := s.Search(v, 1, nil)
		if got := hits[0].ID == int64(1000+i); got != even(int64(1000+i)) {
			t.Errorf("found %d = %v", 1000+i, got)
		}
	}
	s.Retain(func(int64) bool { return false })
	if hits := s.Search(all[0], 5, nil); len(hits) != 0 {
		t.Errorf("an empty segment found %v", hits)
	}
}

// TestZeroVector: a vector without length, which no model should make, does no harm.
func TestZeroVector(t *testing.T) {
	s := vectors.NewSegment(3)
	s.Put([]int64{1, 2}, [][]float32{{0, 0, 0}, {0, 1, 0}})
	hits := s.Search([]float32{0, 1, 0}, 5, nil)
	if len(hits) != 2 || hits[0].ID != 2 || hits[1].Similarity != 0 {
		t.Errorf("Search = %v, want 2, then 1 with nothing in common", hits)
	}
}
