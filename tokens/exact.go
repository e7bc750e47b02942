package tokens

import (
	"sync"

	"github.com/tiktoken-go/tokenizer"
)

// Encoding counts by a byte-pair encoding whose vocabulary is embedded.
type Encoding struct {
	name string
	load func() tokenizer.Codec
}

// The encodings of the models of OpenAI.
var (
	o200k  = &Encoding{"o200k_base", sync.OnceValue(func() tokenizer.Codec { return mustGet(tokenizer.O200kBase) })}
	cl100k = &Encoding{"cl100k_base", sync.OnceValue(func() tokenizer.Codec { return mustGet(tokenizer.Cl100kBase) })}
)

func mustGet(e tokenizer.Encoding) tokenizer.Codec {
	codec, err := tokenizer.Get(e)
	if err != nil {
		panic(err)
	}
	return codec
}

// O200k returns the counter of the encoding of GPT-4o and everything later.
func O200k() *Encoding { return o200k }

// Cl100k returns the counter of the encoding of GPT-4 and GPT-3.5.
func Cl100k() *Encoding { return cl100k }

// Name returns the name of the encoding.
func (e *Encoding) Name() string { return e.name }

// Count returns the number of tokens. Marks of special tokens count as the text that they are.
func (e *Encoding) Count(text string) int {
	n, err := e.load().Count(text)
	if err != nil {
		return len(text)
	}
	return n
}

// Bound returns the number of tokens.
func (e *Encoding) Bound(text string) int { return e.Count(text) }

func (e *Encoding) size(text string) Size { return Fixed(e.Count(text)) }
