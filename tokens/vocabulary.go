package tokens

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"strconv"

	"github.com/pkoukk/tiktoken-go-loader/assets"
)

// vocabulary is the tokens of an encoding with their ranks: of two pairs that could be merged, the one of lower rank is.
type vocabulary struct {
	ranks map[string]uint32
	pairs [1 << 16]uint32 // the ranks of tokens of two bytes, which are asked for most
}

// none is the rank of a text that is no token.
const none = ^uint32(0)

func (v *vocabulary) rank(token string) uint32 {
	if len(token) == 2 {
		return v.pairs[pair(token)]
	}
	if r, is := v.ranks[token]; is {
		return r
	}
	return none
}

func pair(token string) int { return int(token[0])<<8 | int(token[1]) }

// mustRead reads an embedded vocabulary: a line for each token, its bytes in base64 and its rank. The tests check
// that it can be read.
func mustRead(name string) *vocabulary {
	file, err := assets.Assets.ReadFile(name + ".tiktoken")
	if err != nil {
		panic(fmt.Errorf("vocabulary of %s: %w", name, err))
	}
	v, err := readVocabulary(file)
	if err != nil {
		panic(fmt.Errorf("vocabulary of %s: %w", name, err))
	}
	return v
}

func readVocabulary(file []byte) (*vocabulary, error) {
	lines := bytes.Count(file, []byte("\n")) + 1
	v := &vocabulary{ranks: make(map[string]uint32, lines)}
	for i := range v.pairs {
		v.pairs[i] = none
	}
	all, ends, ranks := make([]byte, 0, len(file)/2), make([]int, 0, lines), make([]uint32, 0, lines)
	for line := range bytes.Lines(file) {
		token, number, found := bytes.Cut(bytes.TrimSpace(line), []byte(" "))
		if !found {
			continue
		}
		rank, err := strconv.ParseUint(string(number), 10, 32)
		if err != nil {
			return nil, err
		}
		if all, err = base64.StdEncoding.AppendDecode(all, token); err != nil {
			return nil, err
		}
		ends, ranks = append(ends, len(all)), append(ranks, uint32(rank))
	}
	text, start := string(all), 0 // one string that all tokens are parts of
	for i, end := range ends {
		token := text[start:end]
		if v.ranks[token] = ranks[i]; len(token) == 2 {
			v.pairs[pair(token)] = ranks[i]
		}
		start = end
	}
	return v, nil
}
