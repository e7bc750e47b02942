package main

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/eval/labelled"
	"github.com/ctx-mcp/ctx-mcp/language"
	"github.com/ctx-mcp/ctx-mcp/language/wordvec"
)

// mapFile is the file of the map, from the root of the project.
const mapFile = "language/wordvec/build/map.tsv"

// linear is a linear map of vectors, by rows. The likeness of the mapped is another measure of likeness for the vectors as they were: under the
// one that is learned a question is most like the turn that answers it, among all turns of its conversation.
type linear [][]float64

// identity is the map that changes nothing.
func identity() linear {
	m := make(linear, wordvec.Dims)
	for i := range m {
		m[i] = make([]float64, wordvec.Dims)
		m[i][i] = 1
	}
	return m
}

// of returns the mapped vector.
func (m linear) of(v []float64) []float64 {
	out := make([]float64, len(m))
	for i, row := range m {
		out[i] = dot(row, v)
	}
	return out
}

func dot(a, b []float64) (sum float64) {
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}

// addScaled adds the vector b to a, times a number.
func addScaled(a []float64, by float64, b []float64) {
	for i, x := range b {
		a[i] += by * x
	}
}

// readMap reads a map: a row of numbers a line, with tabs between.
func readMap(text string) (linear, error) {
	var m linear
	for line := range strings.Lines(text) {
		var row []float64
		for field := range strings.FieldsSeq(line) {
			x, err := strconv.ParseFloat(field, 64)
			if err != nil {
				return nil, fmt.Errorf("%s, line %d: %w", mapFile, len(m)+1, err)
			}
			row = append(row, x)
		}
		if len(row) != wordvec.Dims {
			return nil, fmt.Errorf("%s, line %d: %d numbers, not %d", mapFile, len(m)+1, len(row), wordvec.Dims)
		}
		m = append(m, row)
	}
	if len(m) != wordvec.Dims {
		return nil, fmt.Errorf("%s: %d lines, not %d", mapFile, len(m), wordvec.Dims)
	}
	return m, nil
}

// write writes the map with four decimals.
func (m linear) write(path string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	for _, row := range m {
		for i, x := range row {
			if i > 0 {
				fmt.Fprint(w, "\t")
			}
			fmt.Fprintf(w, "%.4f", x)
		}
		fmt.Fprintln(w)
	}
	if err := w.Flush(); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

// The fit: the number of steps of gradient descent (Adam, Kingma and Ba, 2015), their size, the weight of the squared differences between the
// map and the identity beside the loss of all questions, and the difference of likeness that makes one turn e times as probable as another.
const (
	steps    = 40
	stepSize = 0.01
	keep     = 300.0
	sharp    = 0.08
)

// mostRead is the number of bytes of a turn that are read.
const mostRead = 600

// asked is a question: its vector, and the turns that answer it.
type asked struct {
	vector  []float64
	answers []int
}

// conversation holds the vectors of turns, nil where they have no known word, and the questions about them.
type conversation struct {
	turns     [][]float64
	questions []asked
}

// fitMap learns the map of the conversations in a folder, and writes it.
func fitMap(rows []row, folder string) error {
	known := make(map[string]*row, len(rows))
	for i := range rows {
		known[rows[i].word] = &rows[i]
	}
	all, err := conversationsIn(folder, known)
	if err != nil {
		return err
	}
	m := identity()
	mean, square := make([]float64, wordvec.Dims*wordvec.Dims), make([]float64, wordvec.Dims*wordvec.Dims)
	for step := 1; step <= steps; step++ {
		gradient, n, loss := make(linear, wordvec.Dims), 0, 0.0
		for i := range gradient {
			gradient[i] = make([]float64, wordvec.Dims)
		}
		for _, c := range all {
			loss += c.descend(m, gradient)
			n += len(c.questions)
		}
		fmt.Printf("step %d of %d: %.3f a question\n", step, steps, loss/float64(n))
		for i := range m {
			for j := range m[i] {
				g := gradient[i][j] / float64(n)
				if g += keep / float64(n) * m[i][j]; i == j {
					g -= keep / float64(n)
				}
				k := i*wordvec.Dims + j
				mean[k] += 0.1 * (g - mean[k])
				square[k] += 0.01 * (g*g - square[k])
				first, second := mean[k]/(1-math.Pow(0.9, float64(step))), square[k]/(1-math.Pow(0.99, float64(step)))
				m[i][j] -= stepSize * first / (math.Sqrt(second) + 1e-8)
			}
		}
	}
	return m.write(mapFile)
}

// conversationsIn reads the conversations of a folder.
func conversationsIn(folder string, known map[string]*row) ([]conversation, error) {
	turns, err := labelled.Read[labelled.Turn](filepath.Join(folder, "corpus.jsonl.gz"))
	if err != nil {
		return nil, err
	}
	queries, err := labelled.Read[labelled.Query](filepath.Join(folder, "queries.jsonl.gz"))
	if err != nil {
		return nil, err
	}
	var all []conversation
	for _, l := range labelled.Group(turns, queries, false) {
		var c conversation
		number := map[string]int{}
		for i, t := range l.Turns {
			number[t.ID] = i
			c.turns = append(c.turns, vectorOf(t.Text[:min(len(t.Text), mostRead)], known))
		}
		for _, q := range l.Queries {
			a := asked{vector: vectorOf(q.Question, known)}
			for _, id := range q.Evidence {
				if i, held := number[id]; held && c.turns[i] != nil {
					a.answers = append(a.answers, i)
				}
			}
			if a.vector != nil && len(a.answers) > 0 {
				c.questions = append(c.questions, a)
			}
		}
		all = append(all, c)
	}
	return all, nil
}

// vectorOf returns the weighed sum of the vectors of a text's words, at unit length; nil if none is known.
func vectorOf(text string, known map[string]*row) []float64 {
	var v []float64
	seen := map[string]bool{}
	for _, word := range language.Words(text) {
		r := known[strings.TrimSuffix(word, "'s")]
		if r == nil || seen[r.word] {
			continue
		}
		seen[r.word] = true
		if v == nil {
			v = make([]float64, wordvec.Dims)
		}
		addScaled(v, float64(r.weight), r.vector)
	}
	if v != nil {
		length := math.Sqrt(dot(v, v))
		for d := range v {
			v[d] /= length
		}
	}
	return v
}

// unit is a mapped vector at unit length, with the length that it had.
type unit struct {
	of     []float64
	length float64
}

func unitOf(v []float64) unit {
	u := unit{v, math.Sqrt(dot(v, v)) + 1e-9}
	for d := range v {
		v[d] /= u.length
	}
	return u
}

// back returns the gradient of the vector before it was brought to unit length, given that of the one after it.
func (u unit) back(gradient []float64) []float64 {
	along := dot(gradient, u.of)
	out := make([]float64, len(gradient))
	for d, g := range gradient {
		out[d] = (g - along*u.of[d]) / u.length
	}
	return out
}

// descend adds the gradient of the loss to that of the map, and returns the loss: the improbability of the answers by their likeness.
func (c *conversation) descend(m, gradient linear) (loss float64) {
	turns, back := make([]unit, len(c.turns)), make([][]float64, len(c.turns))
	for i, t := range c.turns {
		if t != nil {
			turns[i], back[i] = unitOf(m.of(t)), make([]float64, wordvec.Dims)
		}
	}
	probable := make([]float64, len(c.turns))
	for _, q := range c.questions {
		u, sum := unitOf(m.of(q.vector)), 0.0
		for i, t := range turns {
			if t.of != nil {
				probable[i] = math.Exp((dot(u.of, t.of) - 1) / sharp)
				sum += probable[i]
			}
		}
		for i := range probable {
			probable[i] /= sum
		}
		for _, i := range q.answers {
			loss -= math.Log(probable[i]) / float64(len(q.answers))
		}
		for _, i := range q.answers {
			probable[i] -= 1 / float64(len(q.answers))
		}
		own := make([]float64, wordvec.Dims)
		for i, t := range turns {
			if t.of != nil {
				addScaled(own, probable[i]/sharp, t.of)
				addScaled(back[i], probable[i]/sharp, u.of)
			}
		}
		gradient.addOuter(u.back(own), q.vector)
	}
	for i, t := range turns {
		if t.of != nil {
			gradient.addOuter(t.back(back[i]), c.turns[i])
		}
	}
	return loss
}

// addOuter adds the outer product of two vectors.
func (m linear) addOuter(a, b []float64) {
	for i, x := range a {
		addScaled(m[i], x, b)
	}
}
