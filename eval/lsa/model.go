package lsa

import (
	"math"
	"math/rand/v2"
	"sort"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// Model maps texts to vectors.
type Model struct {
	dimension int
	number    map[string]int // of a term
	idf       []float64
	basis     [][]float64 // of each term, its coordinates
}

// weight is how much of a term a text has.
type weight struct {
	term  int
	value float64
}

// iterations of the subspace iteration: the space of the largest singular values is found to a few percent.
const iterations = 5

// Fit returns the model of a collection.
func Fit(texts []string, dimension int) *Model {
	m := &Model{dimension: dimension, number: map[string]int{}}
	m.count(texts)
	rows := make([][]weight, len(texts))
	for i, t := range texts {
		rows[i] = m.weigh(t)
	}
	random := rand.New(rand.NewPCG(1, 1))
	m.basis = make([][]float64, len(m.idf))
	for t := range m.basis {
		m.basis[t] = make([]float64, dimension)
		for d := range m.basis[t] {
			m.basis[t][d] = random.NormFloat64()
		}
	}
	orthonormal(m.basis, dimension)
	for range iterations {
		next := make([][]float64, len(m.basis))
		for t := range next {
			next[t] = make([]float64, dimension)
		}
		for _, row := range rows {
			at := m.project(row)
			for _, w := range row {
				add(next[w.term], w.value, at)
			}
		}
		m.basis = next
		orthonormal(m.basis, dimension)
	}
	return m
}

// count numbers the terms that at least two texts hold, and weighs them by their rarity.
func (m *Model) count(texts []string) {
	frequency := map[string]int{}
	for _, t := range texts {
		for _, term := range distinct(t) {
			frequency[term]++
		}
	}
	var terms []string
	for term, n := range frequency {
		if n > 1 {
			terms = append(terms, term)
		}
	}
	sort.Strings(terms)
	for i, term := range terms {
		m.number[term] = i
		m.idf = append(m.idf, math.Log(float64(len(texts))/float64(frequency[term])))
	}
}

func distinct(text string) []string {
	seen := map[string]bool{}
	var out []string
	for _, term := range language.Terms(text) {
		if !seen[term] {
			seen[term] = true
			out = append(out, term)
		}
	}
	return out
}

// weigh returns the weights of a text's terms, of length 1 together.
func (m *Model) weigh(text string) []weight {
	times := map[int]float64{}
	for _, term := range language.Terms(text) {
		if n, known := m.number[term]; known {
			times[n]++
		}
	}
	var out []weight
	squares := 0.0
	for term, n := range times {
		w := weight{term, (1 + math.Log(n)) * m.idf[term]}
		squares += w.value * w.value
		out = append(out, w)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].term < out[j].term })
	for i := range out {
		if squares > 0 {
			out[i].value /= math.Sqrt(squares)
		}
	}
	return out
}

func (m *Model) project(row []weight) []float64 {
	at := make([]float64, m.dimension)
	for _, w := range row {
		add(at, w.value, m.basis[w.term])
	}
	return at
}

// Vector returns the vector of a text, of unit length. A text that shares no term with the collection has the same vector
// as any other such.
func (m *Model) Vector(text string) []float32 {
	at := m.project(m.weigh(text))
	squares := 0.0
	for _, x := range at {
		squares += x * x
	}
	out := make([]float32, m.dimension)
	if squares == 0 {
		out[0] = 1
		return out
	}
	for i, x := range at {
		out[i] = float32(x / math.Sqrt(squares))
	}
	return out
}

func add(into []float64, by float64, v []float64) {
	for i, x := range v {
		into[i] += by * x
	}
}

// orthonormal makes the columns of a matrix, given by rows, of unit length and at right angles (modified Gram-Schmidt). It
// takes the transpose, where a column is contiguous.
func orthonormal(rows [][]float64, dimension int) {
	columns := make([][]float64, dimension)
	for d := range columns {
		columns[d] = make([]float64, len(rows))
		for t, row := range rows {
			columns[d][t] = row[d]
		}
	}
	for d, c := range columns {
		for _, before := range columns[:d] {
			add(c, -dot(c, before), before)
		}
		if length := math.Sqrt(dot(c, c)); length > 1e-12 {
			for t := range c {
				c[t] /= length
			}
		}
		for t, row := range rows {
			row[d] = c[t]
		}
	}
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}
