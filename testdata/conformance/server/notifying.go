package main

import (
	"context"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// notifying are the tools that say something before they answer, or change a list.
var notifying = []tool{
	{name: "test_tool_with_logging", does: "Sends three log messages",
		run: notify(logMessage, "Tool execution started", "Tool processing data", "Tool execution completed")},
	{name: "test_logging_tool", does: "Sends a log message, if the request asks for them",
		run: notify(logMessage, "Tool called")},
	{name: "test_tool_with_progress", does: "Reports progress three times", run: notify(progress, 0, 50, 100)},
	{name: "test_trigger_tool_change", does: "Changes the list of tools",
		run: func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			s := server.ServerFromContext(ctx)
			addTools(s, []tool{{name: "test_passing", does: "Is gone soon", run: content(mcp.NewTextContent("ok"))}})
			s.DeleteTools("test_passing")
			return mcp.NewToolResultText("changed"), nil
		}},
	{name: "test_trigger_prompt_change", does: "Changes the list of prompts",
		run: func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			s := server.ServerFromContext(ctx)
			addPrompt(s, prompt{name: "test_passing", does: "Is gone soon", run: says(text("ok"))})
			s.DeletePrompts("test_passing")
			return mcp.NewToolResultText("changed"), nil
		}},
}

// pause stands between two notifications of a call, as the suite asks for.
const pause = 50 * time.Millisecond

// notify returns a tool that sends each of the values and then answers at once, so that a last one could get lost.
func notify[V any](send func(context.Context, mcp.CallToolRequest, V) error, values ...V) server.ToolHandlerFunc {
	return func(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		for i, v := range values {
			if i > 0 {
				time.Sleep(pause)
			}
			if err := send(ctx, r, v); err != nil {
				return nil, err
			}
		}
		return mcp.NewToolResultText("done"), nil
	}
}

func logMessage(ctx context.Context, _ mcp.CallToolRequest, line string) error {
	return server.ServerFromContext(ctx).SendLogMessageToClient(ctx,
		mcp.NewLoggingMessageNotification(mcp.LoggingLevelInfo, "conformance", line))
}

func progress(ctx context.Context, r mcp.CallToolRequest, done int) error {
	if r.Params.Meta == nil || r.Params.Meta.ProgressToken == nil {
		return nil
	}
	return server.ServerFromContext(ctx).SendNotificationToClient(ctx, string(mcp.MethodNotificationProgress),
		map[string]any{"progressToken": r.Params.Meta.ProgressToken, "progress": done, "total": 100})
}
