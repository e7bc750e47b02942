package serve

import (
	"context"
	"sync/atomic"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// Running counts the work that calls have begun and not ended. A call whose client has gone counts until its work has ended:
// by this figure an operator sees that it does. The zero value is ready.
type Running struct{ calls atomic.Int64 }

// Load returns how many calls of tools and reads of resources are under way.
func (r *Running) Load() int64 { return r.calls.Load() }

// Options returns what a server must be made with to be counted. Give them last, so that they stand innermost: what a
// middleware gives up on still counts.
func (r *Running) Options() []server.ServerOption {
	return []server.ServerOption{
		server.WithToolHandlerMiddleware(func(next server.ToolHandlerFunc) server.ToolHandlerFunc {
			return func(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				defer r.begin()()
				return next(ctx, request)
			}
		}),
		server.WithResourceHandlerMiddleware(func(next server.ResourceHandlerFunc) server.ResourceHandlerFunc {
			return func(ctx context.Context, request mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
				defer r.begin()()
				return next(ctx, request)
			}
		}),
	}
}

// begin counts a call, and returns what ends it.
func (r *Running) begin() (end func()) {
	r.calls.Add(1)
	return func() { r.calls.Add(-1) }
}
