package main

import (
	"context"
	"os/exec"
	"testing"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"
)

// BenchmarkStart starts the built binary over stdio and waits for its first tools/list reply: on a new data directory,
// and on one that exists. It needs bin/ctx-mcp, which `make build` makes.
func BenchmarkStart(b *testing.B) {
	binary, err := exec.LookPath("../../bin/ctx-mcp")
	if err != nil {
		b.Skip("there is no bin/ctx-mcp: run make build")
	}
	kept := b.TempDir()
	for _, bb := range []struct {
		name string
		dir  func() string
	}{
		{"new", b.TempDir},
		{"existing", func() string { return kept }},
	} {
		b.Run(bb.name, func(b *testing.B) {
			for b.Loop() {
				c, err := client.NewStdioMCPClient(binary, nil, "stdio", "--log-level", "error", "--data-dir", bb.dir())
				if err != nil {
					b.Fatal(err)
				}
				if _, err := c.Initialize(context.Background(), mcp.InitializeRequest{}); err != nil {
					b.Fatal(err)
				}
				if _, err := c.ListTools(context.Background(), mcp.ListToolsRequest{}); err != nil {
					b.Fatal(err)
				}
				_ = c.Close()
			}
		})
	}
}
