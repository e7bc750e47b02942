// Command fit finds the weights by which package tokens estimates the counts of tokenizers that are not public: linear
// models over its features, fitted to reference counts, cross-validated by session, with the margins of their bounds. It
// writes tokens/weights.go.
//
// The reference counts stay outside the repository, and the product does not read them.
package main

import (
	"bytes"
	"flag"
	"go/format"
	"log"
	"os"
	"path/filepath"

	"github.com/ctx-mcp/ctx-mcp/tokens"
)

func main() {
	log.SetFlags(0)
	data := flag.String("data", "../shared/data", "folder of the evaluation data")
	out := flag.String("out", "tokens/weights.go", "file for the table")
	byClass := flag.Bool("leave-class", false, "only report the errors of models that saw nothing of a text's class")
	flag.Parse()
	table, err := fit(filepath.Join(*data, "tokens"), *byClass)
	if err == nil && !*byClass {
		err = os.WriteFile(*out, table, 0o644)
	}
	if err != nil {
		log.Fatal("fit: ", err)
	}
}

// family is a tokenizer and the counts to fit.
type family struct {
	name, variable, doc string
	samples             []sample
	robust              bool // the counts themselves err
}

func fit(dir string, byClass bool) ([]byte, error) {
	texts, err := readLines[text](filepath.Join(dir, "pieces.jsonl"))
	if err != nil {
		return nil, err
	}
	results, err := readResults(filepath.Join(dir, "usage_claude.jsonl"))
	if err != nil {
		return nil, err
	}
	observations, err := readObservations(filepath.Join(dir, "usage_gemini.jsonl"))
	if err != nil {
		return nil, err
	}
	older := samplesOf(texts, func(t text) float64 { return t.Old })
	newer := samplesOf(texts, func(t text) float64 { return t.New })
	var table bytes.Buffer
	table.WriteString(head)
	for _, f := range []family{
		{"claude estimate", "claudeEstimate", "Claude 3 to Opus 4.6", append(older, results...), false},
		{"claude-4.7+ estimate", "claudeNewEstimate", "Claude from Opus 4.7, Sonnet 5 and Fable 5", newer, false},
		{"gemini estimate", "geminiEstimate", "Gemini 3", observations, true},
	} {
		if byClass && f.robust {
			continue // its texts are of one class
		}
		v := crossValidate(f, byClass)
		report(os.Stdout, f, v)
		write(&table, f, solve(f.samples, f.robust), v)
	}
	return format.Source(table.Bytes())
}

// flat returns features, or weights, as a vector.
func flat(f tokens.Features) []float64 {
	var all []float64
	for _, row := range f {
		all = append(all, row[:]...)
	}
	return all
}
