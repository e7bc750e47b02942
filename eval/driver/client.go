package driver

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"
)

// A Client calls the tools of a running ctx-mcp over MCP.
type Client struct{ mcp *client.Client }

// unlearned keeps the answer to one question from changing the rank of memories in the next: each is measured by itself.
const unlearned = "CTX_MCP_MEMORY_LEARN_FROM_USE=false"

// Stdio starts the binary on a data directory, spoken to on stdio, with further variables in its environment. It ends with the client.
func Stdio(ctx context.Context, binary, dataDir string, env ...string) (*Client, error) {
	c, err := client.NewStdioMCPClient(binary, append([]string{unlearned}, env...), "stdio", "--data-dir", dataDir, "--log-level", "warn")
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", binary, err)
	}
	return begin(ctx, c)
}

// begin agrees with the server on the protocol.
func begin(ctx context.Context, c *client.Client) (*Client, error) {
	if _, err := c.Initialize(ctx, mcp.InitializeRequest{}); err != nil {
		return nil, fmt.Errorf("initialize: %w", err)
	}
	return &Client{c}, nil
}

// Close ends the connection, and with it a server on stdio.
func (c *Client) Close() { _ = c.mcp.Close() }

// Call calls a tool and reads its structured result into out. An answer that is an error is one.
func (c *Client) Call(ctx context.Context, tool string, arguments map[string]any, out any) error {
	request := mcp.CallToolRequest{}
	request.Params.Name, request.Params.Arguments = tool, arguments
	result, err := c.mcp.CallTool(ctx, request)
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

// Text calls a tool of a server behind the gateway, with further members of _meta, and returns the texts of its answer, which may be an error's.
func (c *Client) Text(ctx context.Context, tool string, arguments, meta map[string]any) (text string, isError bool, err error) {
	request := mcp.CallToolRequest{}
	request.Params.Name, request.Params.Arguments, request.Params.Meta = tool, arguments, &mcp.Meta{AdditionalFields: meta}
	result, err := c.mcp.CallTool(ctx, request)
	if err != nil {
		return "", false, fmt.Errorf("%s: %w", tool, err)
	}
	for _, c := range result.Content {
		if t, ok := c.(mcp.TextContent); ok {
			text += t.Text + "\n"
		}
	}
	return text, result.IsError, nil
}
