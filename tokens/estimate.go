package tokens

import (
	"math"
)

// estimate counts by a linear model of a family's tokenizer: [Features] times weights. The weights and their measured
// errors stand in a table that eval/tokens/fit writes.
//
// The bound adds a share that falls with the square root of the count, as errors of many words cancel each other, down to a
// share for each kind of text, which no length takes away. No bound is over one token a byte: these tokenizers begin with
// bytes.
type estimate struct {
	name    string
	weights *Features
	spread  float64        // the error of one token
	margins [kinds]float64 // the error of any amount of a kind
	kept    kept
}

// slack is added to the bound of every text, in tokens.
const slack = 2

// Name returns the name of the estimate.
func (e *estimate) Name() string { return e.name }

// Count returns the best value.
func (e *estimate) Count(text string) int { return e.size(text).Value }

// Bound returns the upper bound.
func (e *estimate) Bound(text string) int { return e.size(text).Bound }

func (e *estimate) size(text string) Size { return e.during(text, never) }

func (e *estimate) during(text string, ended func() bool) Size {
	return e.kept.size(text, ended, e.count)
}

func (e *estimate) count(text string, ended func() bool) Size {
	if text == "" {
		return Size{}
	}
	f := scan(text, ended)
	value, margin := 0.0, 0.0
	for k, row := range f {
		part := 0.0
		for i, n := range row {
			part += n * e.weights[k][i]
		}
		value += part
		if k < int(kinds) {
			margin += part * e.margins[k]
		}
	}
	size := Size{max(int(math.Round(value)), 1), int(math.Ceil(value + margin + e.spread*math.Sqrt(value) + slack)), e.spread * e.spread * value}
	if size.Bound > len(text) {
		size = Size{min(size.Value, len(text)), len(text), 0}
	}
	return size
}
