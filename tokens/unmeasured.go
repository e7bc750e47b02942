package tokens

import "slices"

// kimiEstimate takes the count of o200k, whose size and training resemble those of Kimi's vocabulary. It was not held
// against Kimi: its bound says so.
var kimiEstimate = &estimate{name: "kimi estimate", weights: OnO200k(1), spread: 2, margins: wide(0.3)}

// defaultEstimate is of models that nothing is known of: it counts as the tokenizer that makes the most tokens of those
// that were measured.
var defaultEstimate = &estimate{name: "default estimate", weights: claudeNewEstimate.weights, spread: 3, margins: wide(0.4)}

// wide returns one margin for all kinds.
func wide(margin float64) (all [kinds]float64) {
	copy(all[:], slices.Repeat([]float64{margin}, len(all)))
	return all
}
