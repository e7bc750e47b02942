package vectors

import (
	"math"
	"math/bits"
	"math/rand/v2"
)

// rotation turns vectors in space, all alike: similarities stay as they are, while the content of a vector is spread evenly
// over its coordinates. Only then do the bounds on the errors of the codes hold: of a vector with one coordinate that
// counts, signs would say nothing.
//
// It is a product of random signs and Walsh-Hadamard transforms, which takes n log n steps instead of the n² of a random
// matrix (Ailon and Chazelle 2009). The transform needs a power of two: it is applied to the first and to the last
// coordinates in turn, so that it reaches all.
type rotation struct {
	wide  int // coordinates: the dimension, filled up with zeros to whole words
	block int // coordinates of one transform
	signs []float32
}

// rounds is the number of times that signs and transforms follow each other.
const rounds = 2

// newRotation returns the rotation of vectors of a dimension, always the same one.
func newRotation(dimension int) rotation {
	wide := width(dimension)
	r := rotation{wide: wide, block: 1 << (bits.Len(uint(wide)) - 1), signs: make([]float32, rounds*wide)}
	random := rand.New(rand.NewPCG(uint64(wide), 1))
	for i := range r.signs {
		r.signs[i] = float32(1 - 2*random.IntN(2))
	}
	return r
}

// turn returns v turned, in a slice of its own.
func (r rotation) turn(v []float32) []float32 {
	out := make([]float32, r.wide)
	r.turnInto(out, v)
	return out
}

func (r rotation) turnInto(out, v []float32) {
	clear(out[copy(out, v):])
	for round := range rounds {
		for i, s := range r.signs[round*r.wide : (round+1)*r.wide] {
			out[i] *= s
		}
		hadamard(out[:r.block])
		if r.block < r.wide {
			hadamard(out[r.wide-r.block:])
		}
	}
}

// hadamard applies the Walsh-Hadamard transform, scaled so that lengths stay. The length of v is a power of two.
func hadamard(v []float32) {
	for half := 1; half < len(v); half *= 2 {
		for from := 0; from < len(v); from += 2 * half {
			left, right := v[from:from+half], v[from+half:from+2*half]
			for i, a := range left {
				b := right[i]
				left[i], right[i] = a+b, a-b
			}
		}
	}
	scale := float32(1 / math.Sqrt(float64(len(v))))
	for i := range v {
		v[i] *= scale
	}
}

// width returns the dimension, filled up to whole words.
func width(dimension int) int { return max(1, (dimension+wordBits-1)/wordBits) * wordBits }
