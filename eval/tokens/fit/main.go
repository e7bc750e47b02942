// Command fit finds the weights by which package tokens estimates the counts of tokenizers that are not public: linear
// models over its features, fitted to reference counts, cross-validated by session, with the margins of their bounds. It
// prints tokens/weights.go.
//
// The reference counts stay outside the repository, and the product does not read them.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/ctx-mcp/ctx-mcp/tokens"
)

func main() {
	log.SetFlags(0)
	data := flag.String("data", "../shared/data", "folder of the evaluation data")
	flag.Parse()
	if err := fit(filepath.Join(*data, "tokens")); err != nil {
		log.Fatal("fit: ", err)
	}
}

// family is a tokenizer and the counts to fit.
type family struct {
	name, variable, doc string
	samples             []sample
	pull                float64 // how strongly weights are held to one factor on the o200k count
	robust              bool    // the counts themselves err
}

func fit(dir string) error {
	texts, err := readTexts(filepath.Join(dir, "pieces.jsonl"))
	if err != nil {
		return err
	}
	results, err := readResults(filepath.Join(dir, "usage_claude.jsonl"))
	if err != nil {
		return err
	}
	observations, err := readObservations(filepath.Join(dir, "usage_gemini.jsonl"))
	if err != nil {
		return err
	}
	families := []family{
		{"claude estimate", "claudeEstimate", "Claude 3 to Opus 4.6", append(samplesOf(texts, func(t text) float64 { return t.Old }), results...), 1e-3, false},
		{"claude-4.7+ estimate", "claudeNewEstimate", "Claude from Opus 4.7, Sonnet 5 and Fable 5", samplesOf(texts, func(t text) float64 { return t.New }), 1e-3, false},
		{"gemini estimate", "geminiEstimate", "Gemini 3", observations, 0.001, true},
	}
	fmt.Print(head)
	for _, f := range families {
		weights := solve(f.samples, f.pull, f.robust)
		cv := crossValidate(f)
		report(os.Stderr, f, cv)
		write(os.Stdout, f, weights, cv)
	}
	return nil
}

// flat returns features, or weights, as a vector.
func flat(f tokens.Features) []float64 {
	var all []float64
	for _, row := range f {
		all = append(all, row[:]...)
	}
	return all
}
