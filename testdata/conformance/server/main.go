// Command server is the product's MCP server with the fixtures of the protocol's conformance suite beside its tools.
//
// It is a test: Go leaves testdata out of ./..., so it is neither built nor shipped with the product. The tools,
// their middleware and the transport are those of the product, over a store in memory; this folder adds the tools,
// resources and prompts that the suite calls by name. It listens on a free port of 127.0.0.1 and prints the URL.
package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/google/uuid"
	"github.com/mark3labs/mcp-go/server"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/redact"
	"github.com/ctx-mcp/ctx-mcp/serve"
	"github.com/ctx-mcp/ctx-mcp/storetest/inmem"
	"github.com/ctx-mcp/ctx-mcp/tokens"
	"github.com/ctx-mcp/ctx-mcp/tools"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	logger := slog.New(slog.NewTextHandler(os.Stderr, nil))
	err := serve.HTTP(ctx, newServer(logger), serve.HTTPOptions{
		Addr:      "127.0.0.1:0",
		Anonymous: ctxmcp.Caller{Tenant: "default", User: "conformance", Authority: ctxmcp.AuthorityUser},
		Logger:    logger,
		OnListen:  func(addr net.Addr) { fmt.Printf("http://%s/mcp\n", addr) },
	})
	if err != nil {
		logger.Error("serve", "error", err)
		os.Exit(1)
	}
}

// newServer returns the product's server with the fixtures. The capabilities that the product does not have are declared
// for them.
func newServer(logger *slog.Logger) *server.MCPServer {
	options := append(serve.Options(logger),
		server.WithToolCapabilities(true),
		server.WithResourceCapabilities(true, true),
		server.WithPromptCapabilities(true),
		server.WithCompletions(),
		server.WithLogging(),
		server.WithElicitation(),
		server.WithRoots())
	s := tools.NewServer(services(logger), tools.Options{Version: "conformance"}, options...)
	s.EnableSampling()
	addTools(s, answering)
	addTools(s, notifying)
	addTools(s, asking)
	addResources(s)
	addPrompts(s)
	return s
}

func services(logger *slog.Logger) *tools.Services {
	hide := redact.New([]byte(rand.Text())).Func()
	return &tools.Services{
		Memory: memory.New(memory.Core{
			Store: &inmem.Store{}, Counter: tokens.Approximate{}, Now: time.Now, NewID: uuid.NewString, Logger: logger,
			Redact: hide,
		}),
		Caller:  serve.CallerFrom,
		Redact:  hide,
		Logger:  logger,
		Observe: func(string, string, time.Duration) {},
		Now:     time.Now,
	}
}
