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
}

// none is the rank of what is no token.
const none = ^uint32(0)

func (v *vocabulary) rank(token string) uint32 {
	if r, is := v.ranks[token]; is {
		return r
	}
	return none
}

// mustRead reads an embedded vocabulary: a line for each token, its bytes in base64 and its rank. That it can be read is
// known when the program is built.
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
	v := &vocabulary{make(map[string]uint32, lines)}
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
		v.ranks[text[start:end]] = ranks[i]
		start = end
	}
	return v, nil
}
