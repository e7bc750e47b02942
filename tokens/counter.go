package tokens

import "math"

// Counter counts the tokens of a text.
type Counter interface {
	Name() string
	Count(text string) int
}

// Bounded is a counter that also knows how far off it can be. Count is its best value; Bound is at least Count and is, but
// for fewer than one text in a thousand, not exceeded by the model. An exact counter's bound is its count.
type Bounded interface {
	Counter
	Bound(text string) int
}

// Size is the size of a text, in tokens. Decide by the bound whether something fits, and by the value how much to cut.
type Size struct {
	Value int `json:"value"`
	Bound int `json:"bound"`

	spread float64 // the square of that part of the bound that is of errors which cancel each other
}

// Plus returns the size of two texts that are counted apart. Its bound is lower than the sum of the bounds of two estimates:
// both are not at their worst.
func (s Size) Plus(t Size) Size {
	both := s.spread + t.spread
	rest := float64(s.Bound+t.Bound) - math.Sqrt(s.spread) - math.Sqrt(t.spread)
	return Size{s.Value + t.Value, int(math.Ceil(rest + math.Sqrt(both) - rounding)), both}
}

// rounding keeps the sum of exact sizes exact.
const rounding = 1e-6

// Fixed is the size of a text that is known to take n tokens.
func Fixed(n int) Size { return Size{Value: n, Bound: n} }

// sizer is a counter that finds value and bound in one pass.
type sizer interface{ size(text string) Size }

// sizeOf returns the size of a text by a counter, scanning once where the counter can.
func sizeOf(c Bounded, text string) Size {
	if s, ok := c.(sizer); ok {
		return s.size(text)
	}
	return Size{Value: c.Count(text), Bound: c.Bound(text)}
}
