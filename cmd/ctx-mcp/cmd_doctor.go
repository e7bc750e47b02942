package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts/blobs/bucket"
	"github.com/ctx-mcp/ctx-mcp/config"
	"github.com/ctx-mcp/ctx-mcp/receipts/keyring"
	"github.com/ctx-mcp/ctx-mcp/sqlite"
)

func doctorCommand(sys *system, c *config.Config) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check the installation and say what to do",
		Long: `Check the installation and say what to do: the data directory and who can read it, the database and its search, artifacts, quotas, keys, receipts, the
policy, the endpoints of embeddings and summaries, the clients that are connected, tokens, and the address of ctx-mcp http.

Where no embeddings are configured, it asks this machine's usual ports for a program that serves them, and says how to use it. Nothing is sent
to it but the question for its models.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return diagnose(cmd.Context(), sys, c, asJSON) },
	}
	jsonFlag(cmd, &asJSON)
	return mayTakeLong(cmd, nothingChanged)
}

// check is one thing that the doctor looks at. It returns the finding, or the fault with a hint.
type check struct {
	name string
	run  func(context.Context, *patient) (string, error)
	page audience
}

// audience is who sees a check on the page of health, which calls no network and has 300 ms. Each includes those before it.
type audience int

const (
	nobody audience = iota // it takes long, asks the network, or tells of other tenants: ctx-mcp doctor alone runs it
	owner                  // the person at this machine: it tells of the installation
	anyone                 // who has a token
)

// patient is the installation that the checks look at. The database is open for the checks behind its own.
type patient struct {
	config *config.Config
	sys    *system
	store  *sqlite.Store
	vaults bool     // the store is of the checks alone, and is read with its key once that is known to fit
	local  []string // addresses at which programs for models usually serve on this machine
}

var checks = []check{
	{"data directory", checkDirectory, owner},
	{"database", checkDatabase, nobody},
	{"row-level security", checkFence, nobody},
	{"full-text search", checkSearch, nobody},
	{"artifacts", checkBlobs, nobody},
	{"quotas", checkQuotas, nobody},
	{"permissions", checkPermissions, anyone},
	{"encryption", checkEncryption, anyone},
	{"keys of memories", checkKeys, nobody},
	{"receipts", checkReceipts, owner},
	{"policy", checkPolicy, anyone},
	{"rules", checkRules, anyone},
	{"embeddings", checkEmbeddings, nobody},
	{"chat", checkChat, nobody},
	{"judge", checkJudge, nobody},
	{"clients", checkClients, owner},
	{"tokens", checkTokens, owner},
	{"authorization server", checkIssuer, nobody},
	{"certificate", checkCertificate, nobody},
	{"address", checkAddress, nobody},
}

// errSkipped marks a check that cannot run because an earlier one failed.
var errSkipped = errors.New("not checked")

func diagnose(ctx context.Context, sys *system, c *config.Config, asJSON bool) error {
	p := &patient{config: c, sys: sys, local: usualServers}
	defer func() {
		if p.store != nil {
			_ = p.store.Close() // it was only read
		}
	}()
	bad, all := 0, []finding{}
	for i, ck := range checks {
		sys.pulse.at(fmt.Sprintf("doctor, check %d of %d: %s", i+1, len(checks), ck.name))
		f := ck.look(ctx, p)
		if f.Status == "FAIL" {
			bad++
		}
		if all = append(all, f); !asJSON {
			f.print(sys.out)
		}
	}
	if asJSON {
		if err := writeJSON(sys.out, all); err != nil {
			return err
		}
	}
	if bad > 0 {
		return ctxmcp.Errorf(ctxmcp.CodeUnavailable, "%d of %d checks failed", bad, len(checks))
	}
	return nil
}

// finding is the outcome of a check.
type finding struct {
	Check  string `json:"check"`
	Status string `json:"status"` // ok, skip or FAIL
	Found  string `json:"found"`
	Hint   string `json:"hint,omitempty"`
}

// look runs the check.
func (ck check) look(ctx context.Context, p *patient) finding {
	found, err := ck.run(ctx, p)
	switch {
	case errors.Is(err, errSkipped):
		return finding{ck.name, "skip", err.Error(), ""}
	case err == nil:
		return finding{ck.name, "ok", found, ""}
	}
	f := finding{ck.name, "FAIL", err.Error(), ""}
	if e, ok := errors.AsType[*ctxmcp.Error](err); ok {
		f.Hint = e.Hint
	}
	return f
}

func (f finding) print(w io.Writer) {
	fmt.Fprintf(w, "%-5s %s: %s\n", f.Status, f.Check, strings.ReplaceAll(f.Found, "\n", "\n      "))
	if f.Hint != "" {
		fmt.Fprintf(w, "      %s\n", f.Hint)
	}
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
	s, err := openStore(ctx, p.config, newLogger(p.sys.err, p.config))
	if err != nil {
		return "", err
	}
	p.store, p.vaults = s, true
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
	if p.config.Store != "" {
		return "index sound", nil
	}
	return "FTS5, index sound", nil
}

func checkBlobs(ctx context.Context, p *patient) (string, error) {
	if p.store == nil {
		return "", errSkipped
	}
	kept, err := openBlobs(ctx, p.config)
	if err != nil {
		return "", err
	}
	n, err := kept.Check(ctx)
	found := fmt.Sprintf("%d sound", n)
	if remote, ok := kept.(*bucket.Store); ok && remote.Versioned(ctx) {
		found += "; the bucket keeps versions, so erased bytes stay in it until its lifecycle rules end them"
	}
	return found, err
}

func checkPermissions(_ context.Context, p *patient) (string, error) {
	if p.store == nil {
		return "", errSkipped
	}
	for _, path := range []string{p.config.DataDir, filepath.Join(p.config.DataDir, sqlite.FileName), filepath.Join(p.config.Keys(), redactionKeyFile)} {
		info, err := os.Stat(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return "", fmt.Errorf("look at %s: %w", path, err)
		}
		safe := keyring.Guarded(info)
		if info.IsDir() {
			safe = info.Mode().Perm()&0o022 == 0 // its names are no secret
		}
		if !safe {
			return "", ctxmcp.Errorf(ctxmcp.CodeUnavailable, "other accounts can use %s (mode %04o)", path, info.Mode().Perm()).
				WithHint("chmod go= %s", quoted(path))
		}
	}
	return "only this account can read the data", nil
}

func checkEmbeddings(ctx context.Context, p *patient) (string, error) {
	if p.config.EmbeddingsURL == "" {
		return "none configured: recall goes by words and what English words mean, and embeddings.base_url with embeddings.model would add the meaning of sentences" + p.offered(ctx), nil
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
