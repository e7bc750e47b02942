// Command tokens measures token counts: it counts texts whose counts are known with a real ctx-mcp binary, and prints
// how far off the counts are, how often a bound is exceeded, and how far off prompts are that are anchored on a
// provider's report. It fails if a count that has to be exact is not.
//
// The data stays outside the repository.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/ctx-mcp/ctx-mcp/eval/program"
)

func main() {
	server := flag.String("server", "bin/ctx-mcp", "the server's binary")
	data := flag.String("data", "", "folder of texts with their counts")
	program.Main("eval tokens", func(ctx context.Context) error { return measure(ctx, *server, *data) })
}

// reference is a file of texts and the models whose counts it has.
type reference struct {
	file   string
	model  string // the model that the binary is asked for
	exact  bool
	tokens func(row) float64
}

var references = []reference{
	{"pieces.jsonl", "gpt-4o", true, func(r row) float64 { return r.O200k }},
	{"pieces.jsonl", "gpt-4", true, func(r row) float64 { return r.Cl100k }},
	{"pieces.jsonl", "claude-opus-4-5", false, func(r row) float64 { return r.ClaudeOld }},
	{"pieces.jsonl", "claude-opus-4-7", false, func(r row) float64 { return r.ClaudeNew }},
	{"usage_claude.jsonl", "claude-opus-4-5", false, func(r row) float64 { return r.Tokens }},
	{"usage_gemini.jsonl", "gemini-3-pro-preview", false, func(r row) float64 { return r.Tokens }},
}

func measure(ctx context.Context, server, dir string) error {
	work, err := os.MkdirTemp("", "ctx-mcp-eval-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	wrong := 0
	for _, ref := range references {
		rows, err := read(filepath.Join(dir, ref.file))
		if err != nil {
			return err
		}
		if err := countAll(ctx, server, work, ref.model, rows); err != nil {
			return err
		}
		fmt.Printf("%s as %s, by %s\n", ref.file, ref.model, rows[0].size.Counter)
		if ref.exact {
			wrong += exact(rows, ref.tokens)
			continue
		}
		singles(rows, ref.tokens)
		sessions(rows, ref.tokens)
		anchored(rows)
	}
	if wrong > 0 {
		return fmt.Errorf("%d counts are not exact", wrong)
	}
	return nil
}
