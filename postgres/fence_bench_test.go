package postgres

import (
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/redact"
	"github.com/ctx-mcp/ctx-mcp/sqlite"
	"github.com/ctx-mcp/ctx-mcp/tokens"
)

// BenchmarkFence compares calls of the owner of the tables with those of a role whom row-level security binds, in a store of 5,000 memories.
func BenchmarkFence(b *testing.B) {
	if server == nil {
		b.Skip("SKIPPED: no PostgreSQL is installed")
	}
	owner, app := fenced(b)
	by := ctxmcp.Caller{Tenant: "acme", User: "ann", Clearance: ctxmcp.Restricted, Authority: ctxmcp.AuthorityUser}
	n := 0
	remember := func(s *memory.Service) {
		n++
		d := memory.Draft{Content: fmt.Sprintf("The crate %d of the harbour holds %d kilograms of barley.", n, n*7)}
		if _, err := s.Remember(b.Context(), by, d); err != nil {
			b.Fatal(err)
		}
	}
	services := map[string]*memory.Service{"owner": serviceOver(openStore(b, owner)), "role": serviceOver(openStore(b, app))}
	for range 5000 {
		remember(services["owner"])
	}
	for _, call := range []struct {
		name string
		do   func(s *memory.Service)
	}{
		{"remember", remember},
		{"recall", func(s *memory.Service) {
			if _, err := s.Recall(b.Context(), by, memory.Ask{Query: fmt.Sprintf("which crate holds %d kilograms", n)}); err != nil {
				b.Fatal(err)
			}
		}},
	} {
		for _, who := range []string{"owner", "role", "owner", "role"} {
			b.Run(call.name+"/"+who, func(b *testing.B) {
				for b.Loop() {
					call.do(services[who])
				}
			})
		}
	}
}

// serviceOver returns memory over a store, as the binary wires it.
func serviceOver(s *sqlite.Store) *memory.Service {
	return memory.New(memory.Core{Store: s, Counter: tokens.Approximate{}, Now: time.Now, Redact: redact.New([]byte("tests")).Func(),
		NewID: func() string { return uuid.Must(uuid.NewV7()).String() }, Logger: slog.New(slog.DiscardHandler)})
}
