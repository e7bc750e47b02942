package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"
)

// server is a running ctx-mcp, spoken to over MCP on stdio.
type server struct{ client *client.Client }

func start(ctx context.Context, binary, dataDir string) (*server, error) {
	c, err := client.NewStdioMCPClient(binary, nil, "stdio", "--data-dir", dataDir, "--log-level", "warn", "--toolsets", "actions")
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", binary, err)
	}
	if _, err := c.Initialize(ctx, mcp.InitializeRequest{}); err != nil {
		return nil, fmt.Errorf("initialize: %w", err)
	}
	return &server{c}, nil
}

func (s *server) close() { _ = s.client.Close() }

// call calls a tool and reads its structured result.
func (s *server) call(ctx context.Context, tool string, arguments map[string]any, out any) error {
	request := mcp.CallToolRequest{}
	request.Params.Name, request.Params.Arguments = tool, arguments
	result, err := s.client.CallTool(ctx, request)
	if err != nil {
		return fmt.Errorf("%s: %w", tool, err)
	}
	raw, err := json.Marshal(result.StructuredContent)
	if err != nil {
		return fmt.Errorf("%s: %w", tool, err)
	}
	if result.IsError {
		return fmt.Errorf("%s: %s", tool, raw)
	}
	return json.Unmarshal(raw, out)
}
