package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions"
)

// publishReceipts writes the receipts of an ended session to a file of their own, a bundle that can be verified anywhere, and
// returns its path.
func (a *app) publishReceipts(ctx context.Context, k actions.Key) (string, error) {
	dir := filepath.Join(a.config.DataDir, "receipts", "sessions")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("publish receipts: %w", err)
	}
	owner := ctxmcp.Digest(strings.Join([]string{k.Tenant, k.User}, "\x00"))[:8]
	path := filepath.Join(dir, fmt.Sprintf("%s-%s.jsonl", k.Session, owner))
	return path, writeWhole(path, func(w io.Writer) error {
		_, err := a.receipts.ExportSession(ctx, k.Tenant, k.User, k.Session, w)
		return err
	})
}
