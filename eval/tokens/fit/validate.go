package main

import (
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/tokens"
)

const folds = 10

// foldsOf puts each sample into a fold: by its class, or as [foldOf] says.
func foldsOf(samples []sample, byClass bool) (of []int, count int) {
	classes := map[string]int{}
	for i, s := range samples {
		fold, known := classes[s.class]
		if !known {
			fold = len(classes)
			classes[s.class] = fold
		}
		if !byClass {
			fold = foldOf(s, i)
		}
		of = append(of, fold)
	}
	if byClass {
		return of, len(classes)
	}
	return of, folds
}

// validation holds the estimates of a family's models for samples that they were not fitted to.
type validation struct {
	found           []float64 // an estimate for each sample
	spread          float64
	margins         [tokens.Kinds]float64
	median, p95     float64 // of single texts of some length
	sessions, worst float64 // of sessions as wholes: median, worst
	over            float64 // the share of texts that are over the bound
	left            int     // samples that were left out: their counts are of more than the text
}

// foldOf puts all of a session, and results that stood together, into one fold. Of sources that are no sessions,
// neighbours go to different folds: a new text is of a source that is known.
func foldOf(s sample, i int) int {
	if session(s) || strings.HasPrefix(s.source, "usage") || strings.HasPrefix(s.source, "observation") {
		h := fnv.New32()
		h.Write([]byte(s.source))
		return int(h.Sum32() % folds)
	}
	return i % folds
}

func session(s sample) bool { return strings.HasPrefix(s.source, "transcript") }

// long is the count from which the error of a single text is of interest.
const long = 60

func crossValidate(f family, byClass bool) validation {
	v := validation{found: make([]float64, len(f.samples))}
	of, count := foldsOf(f.samples, byClass)
	for fold := range count {
		var train []sample
		for i, s := range f.samples {
			if of[i] != fold {
				train = append(train, s)
			}
		}
		weights := solve(train, f.robust)
		for i, s := range f.samples {
			if of[i] == fold {
				v.found[i] = dot(weights, s.features)
			}
		}
	}
	v.leaveOut(&f)
	v.measure(f)
	v.allow(f)
	return v
}

// absurd is the error from which a count that errs itself is of more than the text, or of less.
const absurd = 0.3

// leaveOut drops the samples of such counts.
func (v *validation) leaveOut(f *family) {
	if !f.robust {
		return
	}
	var samples []sample
	var found []float64
	for i, s := range f.samples {
		if math.Abs(v.found[i]/s.tokens-1) <= absurd {
			samples, found = append(samples, s), append(found, v.found[i])
		}
	}
	v.left = len(f.samples) - len(samples)
	f.samples, v.found = samples, found
}

// measure finds the errors.
func (v *validation) measure(f family) {
	var single, whole []float64
	sums := map[string][2]float64{}
	for i, s := range f.samples {
		if s.tokens >= long {
			single = append(single, math.Abs(v.found[i]/s.tokens-1))
		}
		if session(s) || f.robust || s.class == "usage" {
			sums[s.source] = [2]float64{sums[s.source][0] + v.found[i], sums[s.source][1] + s.tokens}
		}
	}
	for _, s := range sums {
		whole = append(whole, math.Abs(s[0]/s[1]-1))
	}
	v.median, v.p95 = quantile(single, 0.5), quantile(single, 0.95)
	v.sessions, v.worst = quantile(whole, 0.5), quantile(whole, 1)
}

const (
	ordinary = 5    // the kinds before it are words, digits and signs, which most texts are made of
	least    = 0.06 // the margin that any kind of text has
	foreign  = 0.15 // and one that is not ordinary, though many texts are known of it
	unknown  = 0.25 // and one that few texts are known of
	safety   = 1.25 // the factor on the worst error that was seen
)

// allow finds the spread and the margins that would have covered all that was seen, and more.
func (v *validation) allow(f family) {
	seen := [tokens.Kinds][]float64{}
	var spread []float64
	for i, s := range f.samples {
		k := mainKind(s.features)
		seen[k] = append(seen[k], s.tokens/v.found[i]-1)
		if k < ordinary {
			spread = append(spread, (s.tokens-2-v.found[i]*(1+least))/math.Sqrt(v.found[i]))
		}
	}
	v.spread = max(0.5, quantile(spread, 1)) * safety
	for k := range v.margins {
		v.margins[k] = max(foreign, quantile(seen[k], 1)*safety)
		if len(seen[k]) < 15 {
			v.margins[k] = max(v.margins[k], unknown)
		}
		if k < ordinary {
			v.margins[k] = least
		}
	}
	over := 0
	for i, s := range f.samples {
		if s.tokens > v.found[i]*(1+v.margins[mainKind(s.features)])+v.spread*math.Sqrt(v.found[i])+2 {
			over++
		}
	}
	v.over = float64(over) / float64(len(f.samples))
}

// byO200k is the place of the o200k count in a row of features.
const byO200k = 2

// mainKind is the kind that most of a text's tokens are of.
func mainKind(features []float64) int {
	best, most, width := 0, -1.0, len(features)/(tokens.Kinds+1)
	for k := range tokens.Kinds {
		if n := features[k*width+byO200k]; n > most {
			best, most = k, n
		}
	}
	return best
}

// report prints the errors, by class.
func report(w io.Writer, f family, v validation) {
	fmt.Fprintf(w, "%s: %s\n", f.name, v.summary())
	if f.robust {
		return
	}
	classes := map[string][]float64{}
	for i, s := range f.samples {
		classes[s.class] = append(classes[s.class], math.Abs(v.found[i]/s.tokens-1))
	}
	for _, name := range sortedKeys(classes) {
		e := classes[name]
		fmt.Fprintf(w, "  %-14s %4d texts, median %4.1f %%, p95 %5.1f %%\n", name, len(e), 100*quantile(e, 0.5), 100*quantile(e, 0.95))
	}
}

func (v *validation) summary() string {
	text := fmt.Sprintf("%d texts, cross-validated: error of texts from %d tokens median %.1f %%, p95 %.1f %%; of whole sessions median %.1f %%, worst %.1f %%; over the bound %.2f %%",
		len(v.found), long, 100*v.median, 100*v.p95, 100*v.sessions, 100*v.worst, 100*v.over)
	if v.left > 0 {
		text += fmt.Sprintf("; %d more are off by over %.0f %%, and were left out: their counts are not of the text alone", v.left, 100*absurd)
	}
	return text
}
