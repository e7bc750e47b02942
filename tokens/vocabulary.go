package tokens

import (
	"bytes"
	"compress/flate"
	"embed"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
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

// vocabularies are OpenAI's, a file each in the form of pack: a quarter of the size of the published ones.
//
//go:embed vocabularies
var vocabularies embed.FS

// stored names the file of a vocabulary, and the number of its tokens that count: one is the beginning of another.
var stored = map[string]struct {
	file  string
	first int // 0: all
}{
	"cl100k_base": {"cl100k_base", 0}, "o200k_base": {"o200k_base", 0}, "p50k_base": {"p50k_base", 0}, "r50k_base": {"p50k_base", 50256},
}

// mustRead reads an embedded vocabulary. The tests check that it can be read.
func mustRead(name string) *vocabulary {
	s := stored[name]
	file, err := vocabularies.ReadFile("vocabularies/" + s.file)
	if err != nil {
		panic(fmt.Errorf("vocabulary of %s: %w", name, err))
	}
	v, err := readVocabulary(file, s.first)
	if err != nil {
		panic(fmt.Errorf("vocabulary of %s: %w", name, err))
	}
	return v
}

var errVocabulary = errors.New("the file is none of a vocabulary")

// readVocabulary reads the form of pack: within DEFLATE (RFC 1951) the number of tokens, the number of gaps with the place and the rank of each, the length
// of every token as a byte, and the bytes of all tokens, in the order of their ranks. Numbers are of encoding/binary: Uvarint. A rank is one more than the
// one before, but at a gap.
func readVocabulary(file []byte, first int) (*vocabulary, error) {
	raw, err := io.ReadAll(flate.NewReader(bytes.NewReader(file)))
	if err != nil {
		return nil, err
	}
	r := bytes.NewReader(raw)
	n, err := binary.ReadUvarint(r)
	if err != nil {
		return nil, err
	}
	gaps, err := readGaps(r)
	if err != nil {
		return nil, err
	}
	rest := raw[len(raw)-r.Len():]
	if uint64(len(rest)) < n {
		return nil, errVocabulary
	}
	lengths, text := rest[:n], string(rest[n:]) // one string that all tokens are parts of
	if first > 0 && first < len(lengths) {
		lengths = lengths[:first]
	}
	v := &vocabulary{ranks: make(map[string]uint32, len(lengths))}
	for i := range v.pairs {
		v.pairs[i] = none
	}
	rank := uint32(0)
	for i, length := range lengths {
		if to, is := gaps[i]; is {
			rank = to
		}
		if len(text) < int(length) {
			return nil, errVocabulary
		}
		token := text[:length]
		if v.ranks[token] = rank; length == 2 {
			v.pairs[pair(token)] = rank
		}
		text, rank = text[length:], rank+1
	}
	return v, nil
}

// readGaps reads the ranks that do not follow the one before, by the place of their token.
func readGaps(r *bytes.Reader) (map[int]uint32, error) {
	n, err := binary.ReadUvarint(r)
	gaps := map[int]uint32{}
	for ; err == nil && n > 0; n-- {
		at, errAt := binary.ReadUvarint(r)
		rank, errRank := binary.ReadUvarint(r)
		gaps[int(at)], err = uint32(rank), errors.Join(errAt, errRank)
	}
	return gaps, err
}
