package tokens

import "math"

// Anchor is the size of a prompt as its provider reported it: the first Messages messages, whose bytes have Digest,
// took Tokens tokens, with the system prompt, the tools and all frames. A caller that finds the same messages at the
// head of a later prompt needs an estimate only for the messages behind them.
type Anchor struct {
	Messages int    `json:"messages"`
	Digest   string `json:"digest"`
	Tokens   int    `json:"tokens"`
}

// Plus returns the size of the anchored prompt with an addition.
func (a Anchor) Plus(added Size, r Correction) Size { return Fixed(a.Tokens).Plus(r.Apply(added)) }

// Correction is the running ratio of the reported counts of providers to the estimates. The zero value corrects nothing.
// It has no other state, so that a caller may keep it as JSON between two requests.
type Correction struct {
	Reported  int `json:"reported"`
	Estimated int `json:"estimated"`
}

const (
	trust      = 2000   // the tokens after which an observation weighs as much as the model
	remembered = 50_000 // estimated tokens after which older observations count half
	leastRatio = 0.5
	mostRatio  = 2.0
)

// Observe adds that the provider reported so many tokens for an estimate without a correction. A report that makes no
// sense, as one of a prompt that shrank, changes nothing.
func (c Correction) Observe(reported, estimated int) Correction {
	if reported <= 0 || estimated <= 0 {
		return c
	}
	c.Reported += reported
	c.Estimated += estimated
	for c.Estimated > remembered {
		c.Reported /= 2
		c.Estimated /= 2
	}
	return c
}

// Ratio returns the factor on an estimate, between 0.5 and 2, and 1 while little is known.
func (c Correction) Ratio() float64 {
	return min(max(float64(c.Reported+trust)/float64(c.Estimated+trust), leastRatio), mostRatio)
}

// Apply corrects an estimate. It never lowers the bound: reports of other texts say little of the worst one.
func (c Correction) Apply(s Size) Size {
	ratio := c.Ratio()
	more := max(ratio, 1)
	return Size{int(math.Round(float64(s.Value) * ratio)), int(math.Ceil(float64(s.Bound)*more - rounding)), s.spread * more * more}
}
