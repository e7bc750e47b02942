package tokens

import "math"

// estimate counts by a model that was fitted to a family's tokenizer.
type estimate struct {
	name   string
	factor float64 // on the o200k count
	margin float64 // what the bound adds, as a share
}

var (
	claudeEstimate    = &estimate{"claude estimate", 1.2, 0.2}
	claudeNewEstimate = &estimate{"claude-4.7+ estimate", 1.45, 0.3}
	geminiEstimate    = &estimate{"gemini estimate", 1.1, 0.3}
	kimiEstimate      = &estimate{"kimi estimate", 1.0, 0.3}
	defaultEstimate   = &estimate{"default estimate", 1.45, 0.5}
)

// Name returns the name of the estimate.
func (e *estimate) Name() string { return e.name }

// Count returns the best value.
func (e *estimate) Count(text string) int { return e.size(text).Value }

// Bound returns the upper bound.
func (e *estimate) Bound(text string) int { return e.size(text).Bound }

func (e *estimate) size(text string) Size {
	value := float64(o200k.Count(text)) * e.factor
	bound := min(int(math.Ceil(value*(1+e.margin)))+2, len(text))
	return Size{min(int(math.Round(value)), bound), bound}
}
