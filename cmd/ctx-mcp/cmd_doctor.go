package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts/blobs"
	"github.com/ctx-mcp/ctx-mcp/config"
	"github.com/ctx-mcp/ctx-mcp/sqlite"
)

func doctorCommand(sys *system, c *config.Config) *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "Check the installation and say what to do",
		Long:  "Check the data directory, the database, full-text search, permissions and the embeddings endpoint, and say what to do.",
		Args:  noArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return diagnose(cmd.Context(), sys, c) },
	}
}

// check is one thing that the doctor looks at. It returns the finding, or the fault with a hint.
type check struct {
	name string
	run  func(context.Context, *patient) (string, error)
}

// patient is the installation that the checks look at. The database is open for the checks behind its own.
type patient struct {
	config *config.Config
	sys    *system
	store  *sqlite.Store
}

var checks = []check{
	{"data directory", checkDirectory},
	{"database", checkDatabase},
	{"full-text search", checkSearch},
	{"artifacts", checkBlobs},
	{"quotas", checkQuotas},
	{"permissions", checkPermissions},
	{"encryption", checkEncryption},
	{"receipts", checkReceipts},
	{"policy", checkPolicy},
	{"embeddings", checkEmbeddings},
}

// errSkipped marks a check that cannot run because an earlier one failed.
var errSkipped = errors.New("not checked")

func diagnose(ctx context.Context, sys *system, c *config.Config) error {
	p := &patient{config: c, sys: sys}
	defer func() {
		if p.store != nil {
			_ = p.store.Close() // it was only read
		}
	}()
	bad := 0
	for _, ck := range checks {
		found, err := ck.run(ctx, p)
		switch {
		case errors.Is(err, errSkipped):
			fmt.Fprintf(sys.out, "skip  %s: %v\n", ck.name, err)
		case err != nil:
			bad++
			fmt.Fprintf(sys.out, "FAIL  %s: %v\n", ck.name, err)
			if e, ok := errors.AsType[*ctxmcp.Error](err); ok && e.Hint != "" {
				fmt.Fprintf(sys.out, "      %s\n", e.Hint)
			}
		default:
			fmt.Fprintf(sys.out, "ok    %s: %s\n", ck.name, found)
		}
	}
	if bad > 0 {
		return ctxmcp.Errorf(ctxmcp.CodeUnavailable, "%d of %d checks failed", bad, len(checks))
	}
	return nil
}

func checkDirectory(_ context.Context, p *patient) (string, error) {
	dir := p.config.DataDir
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", ctxmcp.Errorf(ctxmcp.CodeUnavailable, "cannot make %s", dir).WithCause(err).
			WithHint("choose another place with --data-dir or CTX_MCP_DATA_DIR")
	}
	f, err := os.CreateTemp(dir, "doctor-*")
	if err != nil {
		return "", ctxmcp.Errorf(ctxmcp.CodeUnavailable, "cannot write in %s", dir).WithCause(err).
			WithHint("make it writable for this account, or choose another place with --data-dir")
	}
	return dir, errors.Join(f.Close(), os.Remove(f.Name()))
}

func checkDatabase(ctx context.Context, p *patient) (string, error) {
	s, err := sqlite.Open(ctx, p.config.DataDir, newLogger(p.sys.err, p.config))
	if err != nil {
		return "", err
	}
	p.store = s
	if err := s.Check(ctx); err != nil {
		return "", err
	}
	return "sound", nil
}

func checkSearch(ctx context.Context, p *patient) (string, error) {
	if p.store == nil {
		return "", errSkipped
	}
	if err := p.store.CheckIndex(ctx); err != nil {
		return "", err
	}
	return "FTS5, index sound", nil
}

func checkBlobs(ctx context.Context, p *patient) (string, error) {
	if p.store == nil {
		return "", errSkipped
	}
	kept, err := blobs.Open(filepath.Join(p.config.DataDir, "blobs"))
	if err != nil {
		return "", err
	}
	n, err := kept.Check(ctx)
	return fmt.Sprintf("%d sound", n), err
}

func checkPermissions(_ context.Context, p *patient) (string, error) {
	if p.store == nil {
		return "", errSkipped
	}
	for _, name := range []string{".", sqlite.FileName, "redaction.key"} {
		path := filepath.Join(p.config.DataDir, name)
		info, err := os.Stat(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return "", fmt.Errorf("look at %s: %w", path, err)
		}
		forbidden := fs.FileMode(0o077)
		if info.IsDir() {
			forbidden = 0o022 // its names are no secret
		}
		if info.Mode().Perm()&forbidden != 0 {
			return "", ctxmcp.Errorf(ctxmcp.CodeUnavailable, "other accounts can use %s (mode %04o)", path, info.Mode().Perm()).
				WithHint("chmod go= %s", quoted(path))
		}
	}
	return "only this account can read the data", nil
}

func checkEmbeddings(ctx context.Context, p *patient) (string, error) {
	if p.config.EmbeddingsURL == "" {
		return "none configured: recall works by words, and embeddings.base_url with embeddings.model would add their meaning", nil
	}
	client, err := embedder(p.config)
	if err != nil {
		return "", err
	}
	timed, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	vectors, err := client.Embed(timed, []string{"hello"})
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s answers with %d dimensions", client.Model(), len(vectors[0])), nil
}
