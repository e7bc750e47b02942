// Command cache measures the share of compiled contexts that a provider's prompt cache keeps: it drives a session of forty
// turns through a real ctx-mcp server over MCP, in which memories and tool results come in at every turn and a tool is
// registered in the middle, writes the requests as a simulator of the providers' rules takes them, and tells how much of the
// static prefix was read from the cache.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/ctx-mcp/ctx-mcp/eval/labelled"
	"github.com/ctx-mcp/ctx-mcp/eval/program"
	"github.com/ctx-mcp/ctx-mcp/tokens"
)

func main() {
	server := flag.String("server", "bin/ctx-mcp", "the server's binary")
	simulator := flag.String("simulator", "", "cache_sim.py")
	program.Main("eval cache", func(ctx context.Context) error {
		for _, p := range providers {
			if err := measure(ctx, *server, *simulator, p); err != nil {
				return fmt.Errorf("%s: %w", p.rules, err)
			}
		}
		return nil
	})
}

// provider is a form of the output under the rules of a cache.
type provider struct{ rules, format, model string }

var providers = []provider{
	{"anthropic", "anthropic", "claude-sonnet-5"}, {"openai", "openai", "gpt-4.1"}, {"openai-5.6", "openai", "gpt-5.6"},
}

// turns of the session, and the one at which a tool is registered.
const (
	turns      = 40
	registered = 20
)

func measure(ctx context.Context, binary, simulator string, p provider) error {
	dir, err := os.MkdirTemp("", "ctx-mcp-eval-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	s, err := labelled.Start(ctx, binary, dir, "CTX_MCP_IDENTITY_ROLES=operator", "CTX_MCP_IDENTITY_AUTHORITY=1")
	if err != nil {
		return err
	}
	defer s.Close()
	requests, static, err := session(ctx, s, p)
	if err != nil {
		return err
	}
	file := filepath.Join(dir, "requests.jsonl")
	if err := os.WriteFile(file, requests, 0o600); err != nil {
		return err
	}
	out, err := exec.CommandContext(ctx, "python3", simulator, "--provider", p.rules, "--json", file).Output()
	if err != nil {
		return fmt.Errorf("simulate: %w", err)
	}
	var sim struct {
		Share float64     `json:"cached_share"`
		Cost  float64     `json:"cost_ratio"`
		Rows  [][]float64 `json:"rows"`
	}
	if err := json.Unmarshal(out, &sim); err != nil {
		return fmt.Errorf("simulate: %w", err)
	}
	read, all := 0.0, 0.0
	for i, row := range sim.Rows {
		read += min(row[0], float64(static[i]))
		all += float64(static[i])
	}
	fmt.Printf("%-11s %d requests, static prefix %d to %d tokens, of it cached %.1f %%; of all input cached %.1f %%, cost %.3f of uncached\n",
		p.rules, len(sim.Rows), static[0], static[len(static)-1], 100*read/all, 100*sim.Share, sim.Cost)
	return nil
}

// session plays the session, and returns a request a line with the tokens of the static prefix of each.
func session(ctx context.Context, s *labelled.Server, p provider) (requests []byte, static []int, err error) {
	if err := setUp(ctx, s); err != nil {
		return nil, nil, err
	}
	history := []any{}
	var lines bytes.Buffer
	for n := range turns {
		if err := happenings(ctx, s, n); err != nil {
			return nil, nil, err
		}
		question := fmt.Sprintf("Step %d: what do we do about part %d of the migration, and which limit holds for it?", n, n%7)
		out, err := compile(ctx, s, p, n, question, history)
		if err != nil {
			return nil, nil, err
		}
		blocks, prefix := out.blocks(tokens.For(p.model).Counter), 0
		if err := json.NewEncoder(&lines).Encode(request{T: 12 * n, Blocks: blocks}); err != nil {
			return nil, nil, err
		}
		for _, b := range blocks {
			if b.Kind != "system" {
				break
			}
			prefix += b.Tokens
		}
		static = append(static, prefix)
		history = append(history, map[string]any{"role": "user", "content": question},
			map[string]any{"role": "assistant", "content": fmt.Sprintf("For part %d we take the second way, and check the figures of step %d again before the next one.", n%7, n)})
	}
	return lines.Bytes(), static, nil
}
