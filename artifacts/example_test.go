package artifacts_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
	"github.com/ctx-mcp/ctx-mcp/artifacts/blobs"
	"github.com/ctx-mcp/ctx-mcp/redact"
	"github.com/ctx-mcp/ctx-mcp/storetest/inmem"
	"github.com/ctx-mcp/ctx-mcp/tokens"
)

// The artifact has no secret in it, and a read returns only the named lines.
func Example() {
	dir, err := os.MkdirTemp("", "blobs")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	held, err := blobs.Open(dir)
	if err != nil {
		fmt.Println(err)
		return
	}
	store := &inmem.Store{}
	s := &artifacts.Service{
		Index: store, Keeper: store, Blobs: held, Counter: tokens.Approximate{}, Redact: redact.New(nil).Func(),
		Now:    func() time.Time { return time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC) },
		NewID:  func() string { return "00000000-0000-7000-8000-000000000001" },
		Logger: slog.New(slog.DiscardHandler),
	}
	ctx, by, at := context.Background(), ctxmcp.Caller{Tenant: "acme", User: "ann", Clearance: ctxmcp.HighlyRestricted}, ctxmcp.Scope{User: "ann"}
	kept, err := s.Put(ctx, by, at, artifacts.Draft{Type: "note", Content: "first\npay to DE89370400440532013000\nlast\n"})
	if err != nil {
		fmt.Println(err)
		return
	}
	slice, err := s.Read(ctx, by, at, artifacts.Ask{ID: kept.Artifact.ID, Lines: "2-2"})
	fmt.Print(slice.Content)
	fmt.Println(kept.Artifact.Classification, err)
	// Output:
	// pay to [IBAN:REDACTED]
	// confidential <nil>
}
