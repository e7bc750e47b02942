package ranking

import "math"

// BM25 parameters (Robertson and Zaragoza 2009): k1 bounds the gain by repetition, b the share of length.
const (
	bm25K1 = 1.2
	bm25B  = 0.75
)

// BM25 ranks documents by the terms that they share with a question.
type BM25 struct {
	terms   []string       // the sum runs in their order, so that equal input gives equal bits
	number  map[string]int // of each term
	idf     []float64      // of each term
	ideal   float64        // score of a document of average length that holds every term once
	average float64        // length of a document, in terms
}

// NewBM25 weighs the terms by their rarity in the documents searched. The weight is ln(1 + (N-n+½)/(n+½)), which stays
// positive for a term that most documents hold, so that stores of two or three memories rank too.
//
// In the ideal a term that nothing holds weighs no more than the heaviest term that something does. By its rarity it
// would outweigh all the others, and one word that is absent would put every memory below the threshold.
func NewBM25(terms []string, f Found) BM25 {
	r := BM25{terms: terms, number: make(map[string]int, len(terms)), idf: make([]float64, len(terms)), average: 1}
	if f.Documents > 0 {
		r.average = max(1, float64(f.Length)/float64(f.Documents))
	}
	heaviest, absent := 0.0, 0
	for k, t := range terms {
		r.number[t] = k
		n := float64(f.Frequency[t])
		r.idf[k] = math.Log1p((math.Max(float64(f.Documents), n) - n + 0.5) / (n + 0.5))
		if n == 0 {
			absent++
			continue
		}
		r.ideal += r.idf[k]
		heaviest = max(heaviest, r.idf[k])
	}
	r.ideal += float64(absent) * heaviest
	return r
}

// Score returns the BM25 score of a document.
func (r BM25) Score(doc []string) float64 {
	tf := make([]float64, len(r.terms))
	r.tally(tf, doc)
	return r.scoreOf(tf, len(doc))
}

// tally adds to tf how often a document holds each of the terms.
func (r BM25) tally(tf []float64, doc []string) {
	for _, t := range doc {
		if k, asked := r.number[t]; asked {
			tf[k]++
		}
	}
}

// scoreOf returns the score of a document of the length, in terms, which holds each of the terms so often.
func (r BM25) scoreOf(tf []float64, length int) float64 {
	norm := bm25K1 * (1 - bm25B + bm25B*float64(length)/r.average)
	sum := 0.0
	for k, n := range tf {
		if n > 0 {
			sum += r.idf[k] * n * (bm25K1 + 1) / (n + norm)
		}
	}
	return sum
}

// relevance maps a score to [0, 1]: the share of the question that the document holds, by weight of the terms. One
// that holds all of it once, at average length, has relevance 1. If nothing holds any of it, every score is 0.
func (r BM25) relevance(score float64) float64 {
	if r.ideal <= 0 {
		return 0
	}
	return math.Min(1, score/r.ideal)
}

// Weight returns the weight of a term by its rarity; 0 for one that is not asked for.
func (r BM25) Weight(term string) float64 {
	if k, asked := r.number[term]; asked {
		return r.idf[k]
	}
	return 0
}
