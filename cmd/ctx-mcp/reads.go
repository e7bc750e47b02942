package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/config"
	"github.com/ctx-mcp/ctx-mcp/sqlite"
)

// ofHeld lists the commands, each with all below it, that are about what a store holds already.
var ofHeld = []string{
	"artifact", "bundle", "compile", "doctor", "entity", "export", "gc", "memory", "receipts export", "receipts head", "rekey", "review", "session", "task", "token list", "token revoke", "trace",
}

// needStore refuses a command about what is held in a data directory that the command line names and that has no store: a mistyped
// name would look like loss. memory add makes the store, and says so; the directory of the environment, of the configuration or of the platform is
// made on first use.
func needStore(sys *system, cmd *cobra.Command, c *config.Config) error {
	path := strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name()+" ")
	held := slices.ContainsFunc(ofHeld, func(name string) bool { return strings.HasPrefix(path+" ", name+" ") })
	if !held || c.Store != "" || !given(cmd.Flags())("data-dir") || !cmd.Runnable() || cmd.HasSubCommands() && path != "review" {
		return nil
	}
	if _, err := os.Stat(filepath.Join(c.DataDir, sqlite.FileName)); !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if path == "memory add" {
		fmt.Fprintf(sys.err, "there is no store in %s yet: made one\n", c.DataDir)
		return nil
	}
	return ctxmcp.Errorf(ctxmcp.CodeNotFound, "there is no store in %s", c.DataDir).
		WithHint("check --data-dir; memory add and import make a store there; without --data-dir the store is that of ctx-mcp config show")
}
