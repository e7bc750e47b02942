package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"

	ctxmcp "github.com/ctx-mcp/ctx-mcp"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// Options returns the options of a server that this package serves. Give them before any other middleware, so that they stand outermost. They turn a
// panic or a Go error of a tool, prompt or resource into an answer that says nothing about the inside, with the details in the log. They give a call
// the arguments that the library was not shown, deliver its notifications before its result, and let an Asker ask. They set the server's hooks.
func Options(log *slog.Logger) []server.ServerOption {
	return []server.ServerOption{
		server.WithToolHandlerMiddleware(containTool(log)),
		server.WithToolHandlerMiddleware(rejoin),
		server.WithToolHandlerMiddleware(deliver),
		server.WithToolHandlerMiddleware(rounds),
		server.WithHooks(&server.Hooks{
			OnRequestInitialization:    []server.OnRequestInitializationFunc{recallClient},
			OnAfterInitialize:          []server.OnAfterInitializeFunc{noteClient},
			OnAfterSubscriptionsListen: []server.OnAfterSubscriptionsListenFunc{acknowledged},
		}),
		server.WithResourceHandlerMiddleware(containResource(log)),
		server.WithPromptHandlerMiddleware(containPrompt(log)),
	}
}

func containTool(log *slog.Logger) server.ToolHandlerMiddleware {
	return func(next server.ToolHandlerFunc) server.ToolHandlerFunc {
		return func(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return contain(ctx, log, "tool "+request.Params.Name, request, next)
		}
	}
}

func containResource(log *slog.Logger) server.ResourceHandlerMiddleware {
	return func(next server.ResourceHandlerFunc) server.ResourceHandlerFunc {
		return func(ctx context.Context, request mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
			return contain(ctx, log, "resource", request, next)
		}
	}
}

func containPrompt(log *slog.Logger) server.PromptHandlerMiddleware {
	return func(next server.PromptHandlerFunc) server.PromptHandlerFunc {
		return func(ctx context.Context, request mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			return contain(ctx, log, "prompt "+request.Params.Name, request, next)
		}
	}
}

// contain runs a handler and lets no panic and no private error text out of it.
func contain[In, Out any, F ~func(context.Context, In) (Out, error)](
	ctx context.Context, log *slog.Logger, what string, in In, handle F,
) (out Out, err error) {
	defer func() {
		if p := recover(); p != nil {
			log.ErrorContext(ctx, "panic", "in", what, "panic", p, "stack", string(debug.Stack()))
			err = errInternal
		}
	}()
	out, err = handle(ctx, in)
	if err != nil {
		log.WarnContext(ctx, "handler failed", "in", what, "error", err)
		err = public(err)
	}
	return out, err
}

var (
	errInternal  = errors.New("internal error; the details are in the server's log")
	errCancelled = errors.New("cancelled")
)

// public returns the part of an error that a client may read: the text of a ctxmcp.Error is meant for it, any other is not.
func public(err error) error {
	e, ok := errors.AsType[*ctxmcp.Error](err)
	switch {
	case ok && e.Hint != "":
		return fmt.Errorf("%s: %s; %s", e.Code, e.Message, e.Hint)
	case ok:
		return fmt.Errorf("%s: %s", e.Code, e.Message)
	case errors.Is(err, context.Canceled):
		return errCancelled
	default:
		return errInternal
	}
}
