package tokens

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

// Size is what a text takes, in tokens. Decide by the bound whether something fits, and by the value how much to cut.
type Size struct {
	Value int `json:"value"`
	Bound int `json:"bound"`
}

// Plus returns the size of two texts that are counted apart.
func (s Size) Plus(t Size) Size { return Size{s.Value + t.Value, s.Bound + t.Bound} }

// Fixed is the size of what is known to take n tokens.
func Fixed(n int) Size { return Size{n, n} }

// sizer is a counter that finds value and bound in one pass.
type sizer interface{ size(text string) Size }

// sizeOf returns the size of a text by a counter, scanning once where the counter can.
func sizeOf(c Bounded, text string) Size {
	if s, ok := c.(sizer); ok {
		return s.size(text)
	}
	return Size{c.Count(text), c.Bound(text)}
}
