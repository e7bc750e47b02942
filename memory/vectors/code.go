package vectors

import (
	"math"
	"math/bits"
)

const (
	wordBits = 64
	// planes is the number of bits of a question's coordinate, where it meets codes of one bit. Each costs the scan its
	// share; more of them would gain little beside the error of the other side's one bit.
	planes = 2
	// step is the distance between the levels that planes can tell apart, in standard deviations of a coordinate: the
	// best uniform one for two bits and coordinates that are spread normally (Max 1960).
	step = 0.9957
	// sigmas is the number of standard errors of a one-bit estimate that a vector is given the benefit of.
	sigmas = 3
	// errors is the number of standard errors by which the similarity by an eight-bit code may be off.
	errors = 7
	// rounding bounds the rounding error of an estimate.
	rounding = 1e-4
)

// factors turn the one-bit code of a vector into an estimate of its similarity, with its error. The estimator is that of
// RaBitQ (Gao and Long 2024), about the centre c of the segment instead of about the origin: for a vector x and a question
// q, both of unit length,
//
//	<x,q> = <x-c, q-c> + <c,q> + <x,c> - <c,c>
//
// and the first product is estimated by that of the signs of x-c with q-c, divided by the part of x-c that the signs keep.
type factors struct {
	gain  float32 // of the product with the signs
	lost  float32 // share of |x-c|² that the signs do not keep
	shift float32 // <x,c>
	ones  float32 // bits of the code that are set
}

// quantise writes v in whole numbers from -127 to 127. It returns the value of one of them, and the length of the
// loss. The scale is stretched so that the loss is at right angles to v: else all coordinates could err the same way.
func quantise(into []int8, v []float32) (scale, lost float32) {
	most := float32(0)
	for _, x := range v {
		most = max(most, x, -x)
	}
	if most == 0 {
		clear(into)
		return 0, 0
	}
	var product, squares, whole float32
	for i, x := range v {
		n := math.Round(float64(x * (127 / most)))
		into[i] = int8(n)
		product += x * float32(n)
		squares += x * x
		whole += float32(n * n)
	}
	scale = squares / product
	return scale, float32(math.Sqrt(float64(max(0, whole*scale*scale-squares))))
}

// signs writes the one-bit code of a vector, given as whole numbers, about a centre.
func signs(into []uint64, code []int8, scale float32, centre []float32) factors {
	var product, sum, squares float32 // <x,c>, and of |x-c| over the coordinates
	ones := 0
	for w := range into {
		word, at := uint64(0), w*wordBits
		block := code[at : at+wordBits]
		for j, c := range centre[at : at+wordBits] {
			x := float32(block[j]) * scale
			d := x - c
			negative := math.Float32bits(d) >> 31 // no branch: half of them are
			word |= uint64(1-negative) << j
			product += x * c
			sum += math.Float32frombits(math.Float32bits(d) &^ (1 << 31))
			squares += d * d
		}
		into[w] = word
		ones += bits.OnesCount64(word)
	}
	f := factors{shift: product, ones: float32(ones)}
	if squares == 0 {
		return f
	}
	f.gain = squares / sum
	f.lost = max(0, 1-sum*sum/(squares*float32(len(centre))))
	return f
}

// question is a vector prepared for one segment.
type question struct {
	planes []([planes]uint64) // q-c in few levels, by words of 64 coordinates
	step   float32            // distance between two levels
	low    float32            // the lowest level
	total  float32            // sum of the levels
	offset float32            // <c,q> - <c,c>
	length float32            // |q-c|², in the terms of factors.lost
	missed float32            // square of the loss of q-c in the levels

	whole []int16 // q in whole numbers
	unit  float64 // value of one of them
}

// ask prepares a vector that has been turned.
func ask(turned, centre []float32) question {
	q := question{planes: make([][planes]uint64, len(turned)/wordBits), whole: make([]int16, len(turned))}
	about := make([]float32, len(turned))
	var squares, offset float64
	for i, x := range turned {
		about[i] = x - centre[i]
		squares += float64(about[i] * about[i])
		offset += float64(centre[i] * about[i])
	}
	q.offset = float32(offset)
	q.length = float32(squares * float64(len(turned)) / float64(len(turned)-1))
	q.level(about, squares)
	q.round(turned)
	return q
}

// level writes q-c in levels about zero. They are stretched so that their loss is at right angles to q-c: else the
// estimates of near vectors would all be too low.
func (q *question) level(about []float32, squares float64) {
	const most = 1<<planes - 1
	width := float32(step * math.Sqrt(squares/float64(len(about))))
	if width == 0 {
		return
	}
	var product, own, sum float64
	for i, d := range about {
		n := min(max(int(d/width+(most+1)/2), 0), most)
		for p := range planes {
			q.planes[i/wordBits][p] |= uint64(n>>p&1) << (i % wordBits)
		}
		at := (float64(n) - most/2.0) * float64(width)
		product += at * float64(d)
		own += at * at
		sum += at
	}
	stretch := squares / product
	q.step = width * float32(stretch)
	q.low = -q.step * most / 2
	q.total = float32(sum * stretch)
	q.missed = float32(max(0, own*stretch*stretch-squares))
}

// round writes q in whole numbers.
func (q *question) round(turned []float32) {
	most := float32(0)
	for _, x := range turned {
		most = max(most, x, -x)
	}
	if most == 0 {
		return
	}
	q.unit = float64(most) / math.MaxInt16
	for i, x := range turned {
		q.whole[i] = int16(math.Round(float64(x) / q.unit))
	}
}

// estimate returns the similarity of the vector with the one-bit code.
func (q *question) estimate(code []uint64, f *factors) float32 {
	sum := 0
	words := q.planes[:len(code)]
	for w, bit := range code {
		sum += bits.OnesCount64(bit&words[w][0]) + bits.OnesCount64(bit&words[w][1])<<1
	}
	set := float32(sum)*q.step + f.ones*q.low // sum of q-c over the coordinates whose bit is set
	return f.gain*(2*set-q.total) + f.shift + q.offset
}

// margin returns by how much an estimate may be too low. Both sides' losses are at right angles to their codes, and
// spread evenly over the coordinates.
func (q *question) margin(f *factors) float32 {
	return sigmas*f.gain*float32(math.Sqrt(float64(f.lost*q.length+q.missed))) + rounding
}

// product returns the similarity of the vector with the eight-bit code.
func (q *question) product(code []int8, scale float32) float32 {
	whole := q.whole[:len(code)]
	var a, b, c, d int
	i := 0
	for ; i+4 <= len(code); i += 4 {
		a += int(code[i]) * int(whole[i])
		b += int(code[i+1]) * int(whole[i+1])
		c += int(code[i+2]) * int(whole[i+2])
		d += int(code[i+3]) * int(whole[i+3])
	}
	return float32(float64(a+b+c+d) * q.unit * float64(scale))
}
