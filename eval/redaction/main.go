// Command redaction measures what wrap_tool_result leaves of secrets: it sends every labelled text through a real
// ctx-mcp server over MCP and writes what came back for the scorer.
//
// The data stays outside the repository.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"os/signal"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"
)

func main() {
	log.SetFlags(0)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var o options
	flag.StringVar(&o.server, "server", "bin/ctx-mcp", "the server's binary")
	flag.StringVar(&o.dataDir, "data-dir", "", "data directory of the server; default a temporary one")
	flag.StringVar(&o.cases, "cases", "", "labelled texts, JSON Lines")
	flag.StringVar(&o.out, "out", "", "file for what came back")
	flag.Parse()
	if err := measure(ctx, o); err != nil {
		log.Fatal("eval redaction: ", err)
	}
}

type options struct{ server, dataDir, cases, out string }

// labelled is a text; its labels are the scorer's.
type labelled struct {
	ID   string `json:"id"`
	Text string `json:"text"`
}

// result is what came back of a text.
type result struct {
	ID       string `json:"id"`
	Redacted string `json:"redacted_text"`
}

func measure(ctx context.Context, o options) (err error) {
	if o.dataDir == "" {
		if o.dataDir, err = os.MkdirTemp("", "ctx-mcp-eval-"); err != nil {
			return err
		}
		defer os.RemoveAll(o.dataDir)
	}
	in, err := os.Open(o.cases)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(o.out)
	if err != nil {
		return err
	}
	c, err := client.NewStdioMCPClient(o.server, nil, "stdio", "--data-dir", o.dataDir, "--log-level", "warn")
	if err != nil {
		return fmt.Errorf("start %s: %w", o.server, err)
	}
	defer c.Close()
	if _, err := c.Initialize(ctx, mcp.InitializeRequest{}); err != nil {
		return fmt.Errorf("initialize: %w", err)
	}
	lines, written := json.NewDecoder(bufio.NewReader(in)), json.NewEncoder(out)
	for n := 1; lines.More(); n++ {
		var l labelled
		if err := lines.Decode(&l); err != nil {
			return fmt.Errorf("case %d: %w", n, err)
		}
		text, err := wrap(ctx, c, l)
		if err != nil {
			return fmt.Errorf("case %s: %w", l.ID, err)
		}
		if err := written.Encode(result{l.ID, text}); err != nil {
			return err
		}
	}
	return out.Close()
}

// wrap returns the text as a model would get it, without the frame around it and not trimmed.
func wrap(ctx context.Context, c *client.Client, l labelled) (string, error) {
	request := mcp.CallToolRequest{}
	request.Params.Name = "wrap_tool_result"
	request.Params.Arguments = map[string]any{
		"tool_call_id": l.ID, "tool": "fetch", "result": l.Text, "strategy": "first_n", "max_tokens": 1_000_000, "frame": false,
	}
	answer, err := c.CallTool(ctx, request)
	if err != nil {
		return "", err
	}
	raw, err := json.Marshal(answer.StructuredContent)
	if err != nil {
		return "", err
	}
	if answer.IsError {
		return "", fmt.Errorf("wrap_tool_result: %s", raw)
	}
	var out struct {
		Message struct {
			Content string `json:"content"`
		} `json:"message"`
	}
	return out.Message.Content, json.Unmarshal(raw, &out)
}
