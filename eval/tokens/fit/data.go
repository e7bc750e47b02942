package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/tokens"
)

// text is a text with reference counts.
type text struct {
	Class  string  `json:"cls"`
	Source string  `json:"src"`
	Text   string  `json:"text"`
	Old    float64 `json:"claude_v3"`
	New    float64 `json:"claude_v47"`
}

// sample is a text that a model is fitted to.
type sample struct {
	class, source string
	features      []float64
	o200k, tokens float64
}

func samplesOf(texts []text, tokensOf func(text) float64) []sample {
	var all []sample
	for _, t := range texts {
		all = append(all, newSample(t.Class, t.Source, t.Text, tokensOf(t)))
	}
	return all
}

func newSample(class, source, text string, n float64) sample {
	return sample{class, source, flat(tokens.Scan(text)), float64(tokens.O200k().Count(text)), n}
}

// frame is the number of tokens that Claude adds to each tool result.
const frame = 12

// readResults reads the tokens that tool results added to real prompts of Claude.
func readResults(path string) ([]sample, error) {
	rows, err := readLines[struct {
		Results []string `json:"tool_results"`
		Tokens  float64
	}](path)
	var all []sample
	for i, r := range rows {
		all = append(all, newSample("usage", fmt.Sprint("usage ", i/15), strings.Join(r.Results, "\n"), r.Tokens-frame*float64(len(r.Results))))
	}
	return all, err
}

// readObservations reads the tokens that tool results added to real prompts of Gemini.
func readObservations(path string) ([]sample, error) {
	rows, err := readLines[struct {
		Text   string
		Tokens float64
	}](path)
	var all []sample
	for i, r := range rows {
		all = append(all, newSample("observation", fmt.Sprint("observation ", i/15), r.Text, r.Tokens))
	}
	return all, err
}

func readLines[T any](path string) ([]T, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var all []T
	for d := json.NewDecoder(bufio.NewReader(f)); ; {
		var row T
		if err := d.Decode(&row); err == io.EOF {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		all = append(all, row)
	}
}
