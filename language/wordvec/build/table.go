package main

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/language"
	"github.com/ctx-mcp/ctx-mcp/language/lexicon"
	"github.com/ctx-mcp/ctx-mcp/language/wordvec"
)

// The size of the table, and the number of the commonest words whose mean is drawn off.
const (
	most     = 40000
	meanOver = 20000
)

// The weight of a word of probability p is a/(a+p); Zipf's law gives p as 1/(rank*zipf).
const (
	smooth = 1e-3
	zipf   = 12.5
)

// source is the package's file. Each vector has Dims numbers, then its length and its place in Words, the commonest first.
type source struct {
	Dimensions int                  `json:"dimensions"`
	Words      []string             `json:"words"`
	Vectors    map[string][]float64 `json:"vectors"`
}

// row is a word of the table.
type row struct {
	word   string
	weight byte
	vector []float64
}

var plain = regexp.MustCompile(`^[a-z]{2,}$`)

// rowsOf returns the words of a package's file in alphabetical order, with vectors of unit length.
func rowsOf(text []byte) ([]row, error) {
	var s source
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, err
	}
	if s.Dimensions != wordvec.Dims {
		return nil, fmt.Errorf("vectors of %d dimensions, not %d", s.Dimensions, wordvec.Dims)
	}
	mean, rows := make([]float64, wordvec.Dims), []row(nil)
	for rank, word := range s.Words {
		v := s.Vectors[word]
		if len(v) < wordvec.Dims {
			return nil, fmt.Errorf("%q has %d dimensions", word, len(v))
		}
		if v = v[:wordvec.Dims]; rank < meanOver {
			for d, x := range v {
				mean[d] += x / float64(min(meanOver, len(s.Words)))
			}
		}
		if len(rows) < most && plain.MatchString(word) && !language.StopWords.Has(word) && lexicon.Look(word).Known() {
			rows = append(rows, row{word, weightOf(rank), v})
		}
	}
	if len(rows) == 0 {
		return nil, errors.New("no word that the lexicon knows")
	}
	for _, r := range rows {
		for d := range r.vector {
			r.vector[d] -= mean[d]
		}
		length := math.Sqrt(dot(r.vector, r.vector))
		for d := range r.vector {
			r.vector[d] /= length
		}
	}
	slices.SortFunc(rows, func(a, b row) int { return cmp.Compare(a.word, b.word) })
	return rows, nil
}

// weightOf returns the weight of the word with the place in the order of frequency, from 0, in 255ths.
func weightOf(rank int) byte {
	p := 1 / (float64(rank+2) * zipf)
	return byte(math.Round(math.MaxUint8 * smooth / (smooth + p)))
}

// encode writes sorted rows as the package wordvec reads them: numbers as shares of the largest of all.
func encode(rows []row) []byte {
	var b bytes.Buffer
	b.WriteString(wordvec.Magic)
	number := func(n int) { b.Write(binary.LittleEndian.AppendUint32(nil, uint32(n))) }
	number(len(rows))
	var texts strings.Builder
	for _, r := range rows {
		texts.WriteString(r.word)
		number(texts.Len())
	}
	b.WriteString(texts.String())
	for _, r := range rows {
		b.WriteByte(r.weight)
	}
	scale := 0.0 // of the largest number of all
	for _, r := range rows {
		for _, x := range r.vector {
			scale = max(scale, math.Abs(x))
		}
	}
	for _, r := range rows {
		for _, x := range r.vector {
			b.WriteByte(byte(int8(math.Round(math.MaxInt8 * x / scale))))
		}
	}
	return b.Bytes()
}
