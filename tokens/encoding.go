package tokens

import (
	"sync"
)

// Encoding counts by a byte-pair encoding, exactly. Its vocabulary is embedded, and read when the first text is counted. It
// takes time in proportion to the length of any text.
type Encoding struct {
	name  string
	split splitter
	load  func() *vocabulary
	kept  *kept
}

// The encodings of the models of OpenAI.
var (
	o200k  = newEncoding("o200k_base", splitO200k)
	cl100k = newEncoding("cl100k_base", splitCl100k)
)

func newEncoding(name string, split splitter) *Encoding {
	return &Encoding{name, split, sync.OnceValue(func() *vocabulary { return mustRead(name) }), new(kept)}
}

// O200k returns the counter of the encoding of GPT-4o and everything later.
func O200k() *Encoding { return o200k }

// Cl100k returns the counter of the encoding of GPT-4 and GPT-3.5.
func Cl100k() *Encoding { return cl100k }

// Name returns the name of the encoding.
func (e *Encoding) Name() string { return e.name }

// Count returns the number of tokens. The marks of special tokens count as the text that they are.
func (e *Encoding) Count(text string) int { return e.size(text).Value }

// Bound returns the number of tokens.
func (e *Encoding) Bound(text string) int { return e.size(text).Value }

func (e *Encoding) size(text string) Size { return e.during(text, never) }

func (e *Encoding) during(text string, ended func() bool) Size {
	return e.kept.size(text, ended, e.count)
}

func (e *Encoding) count(text string, ended func() bool) Size {
	v, m := e.load(), mergers.Get().(*merger)
	defer mergers.Put(m)
	m.ended = ended
	n, look := 0, len(text)
	for len(text) > 0 {
		if len(text) <= look {
			if look = len(text) - lookEvery; ended() {
				break
			}
		}
		end := e.split(text)
		if _, whole := v.ranks[text[:end]]; whole {
			n++
		} else {
			n += m.merge(v, text[:end], nil)
		}
		text = text[end:]
	}
	return Fixed(n)
}
