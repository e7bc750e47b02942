package actions

import (
	"context"
	"hash/fnv"
	"math"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/language"
)

// lexical names the distance that is measured by words.
const lexical = "lexical"

// patience is how long an action waits for its vector.
const patience = 2 * time.Second

// measureRequest returns how the distances of a session are measured, and the vector of the request if it is by embeddings.
func (s *Service) measureRequest(ctx context.Context, text string) (string, []float32) {
	if s.Embedder == nil {
		return lexical, nil
	}
	vector, err := s.embed(ctx, text)
	if err != nil {
		s.Logger.Warn("a session goes without embeddings", "error", err)
		return lexical, nil
	}
	return s.Embedder.Model(), vector
}

// measure returns how far an action is from the request, from 0 to 1: 1 minus the cosine of their vectors. If the
// embedding of the action cannot be had, the action is as far as those before it.
func (s *Service) measure(ctx context.Context, v *session, b actionBody) float64 {
	text := b.Tool + "." + b.Operation + "(" + string(b.Parameters) + ")"
	if v.start.Vector == nil {
		return ctxmcp.Round(1 - wordCosine(v.start.Request.Text, text))
	}
	vector, err := s.embed(ctx, text)
	if err != nil {
		s.Logger.Warn("the distance of an action is taken from those before", "error", err)
		return v.tally.mean()
	}
	var dot float64
	for i := range min(len(vector), len(v.start.Vector)) {
		dot += float64(vector[i]) * float64(v.start.Vector[i])
	}
	return ctxmcp.Round(1 - min(1, max(0, dot)))
}

func (s *Service) embed(ctx context.Context, text string) ([]float32, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	vectors, err := s.Embedder.Embed(ctx, []string{text})
	if err != nil {
		return nil, err
	}
	return vectors[0], nil
}

// buckets is how many dimensions a vector of words has.
const buckets = 4096

// wordCosine returns the cosine of the hashed counts of two texts' terms.
func wordCosine(a, b string) float64 {
	x, y := wordVector(a), wordVector(b)
	var dot, xx, yy float64
	for _, n := range x {
		xx += float64(n * n)
	}
	for k, n := range y {
		yy += float64(n * n)
		dot += float64(n * x[k])
	}
	if xx == 0 || yy == 0 {
		return 0
	}
	return dot / math.Sqrt(xx*yy)
}

func wordVector(text string) map[uint32]int {
	counts := map[uint32]int{}
	for _, term := range language.Query(text) {
		h := fnv.New32a()
		_, _ = h.Write([]byte(term)) // never fails
		counts[h.Sum32()%buckets]++
	}
	return counts
}
