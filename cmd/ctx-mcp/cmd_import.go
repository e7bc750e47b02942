package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/ctx-mcp/ctx-mcp/exchange"
)

func importCommand(sys *system, c *config) *cobra.Command {
	var in string
	o := exchange.ImportOptions{}
	cmd := &cobra.Command{
		Use:   "import",
		Short: "Store the context objects of a JSON Lines file, all of them or none",
		Long: `Store the context objects of a JSON Lines file, all of them or none.

Every line is checked before anything is stored, and its secrets are redacted. What is held already stays as it is, so
a file can be imported twice.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return importFrom(cmd.Context(), sys, c, in, o) },
	}
	cmd.Flags().StringVar(&in, "in", "-", "`file` to read, - for standard input")
	cmd.Flags().BoolVar(&o.DryRun, "dry-run", false, "check everything and store nothing")
	cmd.Flags().BoolVar(&o.Rewrite, "rewrite-tenant", false, "take over objects of any tenant as the configured tenant's")
	return cmd
}

func importFrom(ctx context.Context, sys *system, c *config, in string, o exchange.ImportOptions) (err error) {
	a, err := openApp(ctx, sys, c)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.close()) }()
	source := sys.in
	if in != "-" {
		f, err := os.Open(in)
		if err != nil {
			return usage("%v", err)
		}
		defer f.Close()
		source = f
	}
	o.Tenant, o.Redact, o.Now, o.Progress = c.Tenant, a.redact, sys.now, progress(sys.err)
	report, err := exchange.Import(ctx, a.store, source, o)
	if err != nil {
		return err
	}
	done := "imported"
	if o.DryRun {
		done = "would import"
	}
	_, err = fmt.Fprintf(sys.out, "%s %d of %d versions; %d were held already, %d held secrets that are hidden now\n",
		done, report.Imported, report.Read, report.Unchanged, report.Redacted)
	return err
}

// progress says on w how far a long import is.
func progress(w io.Writer) func(int) {
	const every = 10_000
	return func(done int) {
		if done%every == 0 {
			fmt.Fprintf(w, "read %d versions\n", done)
		}
	}
}
