package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/ctx-mcp/ctx-mcp/config"
	"github.com/ctx-mcp/ctx-mcp/memory/exchange"
)

func exportCommand(sys *system, c *config.Config) *cobra.Command {
	var out string
	var force bool
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Write every version of the tenant's context objects as JSON Lines",
		Args:  noArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return export(cmd.Context(), sys, c, out, force) },
	}
	cmd.Flags().StringVar(&out, "out", "-", "`file` to write, - for standard output")
	cmd.Flags().BoolVar(&force, "force", false, "write over a file that exists")
	return prints(aDocument, mayTakeLong(cmd, nothingWritten))
}

func export(ctx context.Context, sys *system, c *config.Config, out string, force bool) (err error) {
	if err := freeToWrite(out, force); err != nil {
		return err
	}
	a, err := openApp(ctx, sys, c)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.close()) }()
	write := func(w io.Writer) error {
		n, err := exchange.Export(ctx, a.store, c.Tenant, &lineMeter{Writer: w, tell: progress(sys, "exported", "versions", 0)})
		if err == nil {
			fmt.Fprintf(sys.err, "exported %d versions of tenant %s\n", n, c.Tenant)
		}
		return err
	}
	if out == "-" {
		return write(sys.out)
	}
	return writeWhole(out, write)
}

// freeToWrite refuses the name of a file that exists, unless it may be written over.
func freeToWrite(out string, force bool) error {
	if info, err := os.Stat(out); out != "-" && !force && err == nil && info.Mode().IsRegular() {
		return usage("%s exists: name another file, or add --force to write over it", out)
	}
	return nil
}

// writeWhole writes a file that only its owner can read, whole or not at all. The target of a link is replaced, not
// the link. A device or a pipe is written to as it is.
func writeWhole(path string, write func(io.Writer) error) (err error) {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	switch info, err := os.Stat(path); {
	case err == nil && info.IsDir():
		return usage("%s is a folder: name a file", path)
	case err == nil && !info.Mode().IsRegular():
		return writeThrough(path, write)
	}
	if _, err := os.Stat(filepath.Dir(path)); errors.Is(err, fs.ErrNotExist) {
		return usage("%s cannot be written: there is no folder %s", path, filepath.Dir(path))
	}
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	if err := errors.Join(write(f), f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

func writeThrough(path string, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return errors.Join(write(f), f.Close())
}
