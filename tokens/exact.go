package tokens

import (
	"fmt"

	"github.com/tiktoken-go/tokenizer"
)

// Exact counts by a byte-pair encoding whose vocabulary is embedded.
type Exact struct{ codec tokenizer.Codec }

// O200k returns the counter of the o200k_base encoding.
func O200k() (*Exact, error) {
	codec, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		return nil, fmt.Errorf("load o200k_base: %w", err)
	}
	return &Exact{codec}, nil
}

// Name returns the name of the encoding.
func (e *Exact) Name() string { return e.codec.GetName() }

// Count returns the number of tokens.
func (e *Exact) Count(text string) (int, error) {
	n, err := e.codec.Count(text)
	if err != nil {
		return 0, fmt.Errorf("count tokens: %w", err)
	}
	return n, nil
}
