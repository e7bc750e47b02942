package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/tokens"
)

// row is a text, or the results that were added to a prompt, with its known counts of tokens.
type row struct {
	Class     string   `json:"cls"`
	Source    string   `json:"src"`
	Text      string   `json:"text"`
	Results   []string `json:"tool_results"`
	O200k     float64  `json:"o200k"`
	Cl100k    float64  `json:"cl100k"`
	ClaudeOld float64  `json:"claude_v3"`
	ClaudeNew float64  `json:"claude_v47"`
	Tokens    float64  `json:"tokens"`        // that the text added to a prompt, by its provider
	Prompt    float64  `json:"prompt_tokens"` // of the prompt with it

	size counted
}

// counted is the output of the binary for a text.
type counted struct {
	Tokens  float64 `json:"tokens"`
	AtMost  float64 `json:"at_most"`
	Counter string  `json:"counter"`
}

func read(path string) ([]*row, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var all []*row
	for d := json.NewDecoder(bufio.NewReader(f)); ; {
		var r row
		if err := d.Decode(&r); err == io.EOF {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		all = append(all, &r)
	}
}

// countAll counts each row's texts with the binary, and adds the frames of tool results.
func countAll(ctx context.Context, server, work, model string, rows []*row) error {
	args := []string{"count", "--json", "--model", model, "--data-dir", work}
	for i, r := range rows {
		for j, text := range r.texts() {
			path := filepath.Join(work, fmt.Sprintf("%d-%d", i, j))
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				return err
			}
			args = append(args, path)
		}
	}
	cmd := exec.CommandContext(ctx, server, args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("%s count: %w", server, err)
	}
	frame := float64(tokens.For(model).Frame.Result)
	d := json.NewDecoder(bytes.NewReader(out))
	for _, r := range rows {
		r.size = counted{Tokens: frame * float64(len(r.Results)), AtMost: frame * float64(len(r.Results))}
		for range r.texts() {
			var c counted
			if err := d.Decode(&c); err != nil {
				return err
			}
			r.size = counted{r.size.Tokens + c.Tokens, r.size.AtMost + c.AtMost, c.Counter}
		}
	}
	return nil
}

func (r *row) texts() []string {
	if r.Results != nil {
		return r.Results
	}
	return []string{r.Text}
}

// impossible reports whether a provider's count cannot be of the text alone: no tokenizer makes more tokens than bytes, and
// hardly any more than two for each that the estimate counts.
func (r *row) impossible() bool {
	return r.Tokens > 0 && (r.Tokens > float64(len(strings.Join(r.texts(), ""))) || r.Tokens > 2*r.size.Tokens || r.Tokens < r.size.Tokens/2)
}
