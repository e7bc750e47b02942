package embed

import (
	"math"

	"github.com/sashabaranov/go-openai"
)

// check returns the vectors of an answer to n texts, in the order of the texts and at unit length. dims is the dimension
// that they must have; 0 takes the first vector's. An answer with any fault is refused whole, with CodeUnavailable.
func check(rows []openai.Embedding, n, dims int) ([][]float32, error) {
	if len(rows) != n {
		return nil, wrong("sent %d vectors for %d texts", len(rows), n)
	}
	vectors := make([][]float32, n)
	for _, row := range rows {
		if row.Index < 0 || row.Index >= n {
			return nil, wrong("sent a vector whose index is none of the %d texts", n)
		}
		if vectors[row.Index] != nil {
			return nil, wrong("sent two vectors for text %d of %d", row.Index+1, n)
		}
		if len(row.Embedding) == 0 {
			return nil, wrong("sent an empty vector")
		}
		if dims == 0 {
			dims = len(row.Embedding)
		}
		if len(row.Embedding) != dims {
			return nil, wrong("sent a vector of %d dimensions instead of %d", len(row.Embedding), dims)
		}
		unit, ok := normalise(row.Embedding)
		if !ok {
			return nil, wrong("sent a vector that is zero or not finite")
		}
		vectors[row.Index] = unit
	}
	return vectors, nil
}

// normalise returns v divided by its Euclidean length. It returns false if that is zero or not finite.
func normalise(v []float32) ([]float32, bool) {
	var sum float64 // the square of any finite float32 fits
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	length := math.Sqrt(sum)
	if length == 0 || math.IsNaN(length) || math.IsInf(length, 0) {
		return nil, false
	}
	unit := make([]float32, len(v))
	for i, x := range v {
		unit[i] = float32(float64(x) / length)
	}
	return unit, true
}

// nullElement reports whether an array anywhere in the JSON holds a null. JSON has no NaN: several encoders write null for
// it, which encoding/json would read into a vector as 0. Outside a string, only an element follows '[' or ','
// without being a key, and no key begins with n.
func nullElement(json []byte) bool {
	var before byte // the last byte that is neither white space nor inside a string
	quoted := false
	for i := 0; i < len(json); i++ {
		switch b := json[i]; {
		case quoted && b == '\\':
			i++
		case b == '"':
			quoted = !quoted
			before = b
		case quoted, b == ' ', b == '\n', b == '\t', b == '\r':
		case b == 'n' && (before == '[' || before == ','):
			return true
		default:
			before = b
		}
	}
	return false
}
