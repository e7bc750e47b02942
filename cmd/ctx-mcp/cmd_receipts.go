package main

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/config"
	"github.com/ctx-mcp/ctx-mcp/receipts"
	"github.com/ctx-mcp/ctx-mcp/receipts/keyring"
)

func receiptsCommand(sys *system, c *config.Config) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "receipts",
		Short: "Export the receipts of decisions, and the head of their log",
		Args:  noArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(receiptsExportCommand(sys, c), prints(aDocument, &cobra.Command{
		Use:   "head",
		Short: "Print the signed head of the log; a copy kept elsewhere shows later that nothing was cut off",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withApp(cmd.Context(), sys, c, func(a *app) error {
				head, err := a.receipts.Head(cmd.Context())
				if err == nil {
					_, err = sys.out.Write(head)
				}
				return err
			})
		},
	}))
	return cmd
}

func receiptsExportCommand(sys *system, c *config.Config) *cobra.Command {
	var out, session string
	var force bool
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Write the receipts of the log, or of one ended session, as a bundle that anybody can verify",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := freeToWrite(out, force); err != nil {
				return err
			}
			return withApp(cmd.Context(), sys, c, func(a *app) error {
				write := func(w io.Writer) error {
					n, err := a.exportReceipts(cmd.Context(), session, &lineMeter{Writer: w, tell: progress(sys, "exported", "lines", 0)})
					if err == nil {
						fmt.Fprintf(sys.err, "exported %d receipts\n", n)
					}
					return err
				}
				if out == "-" {
					return write(sys.out)
				}
				return writeWhole(out, write)
			})
		},
	}
	cmd.Flags().StringVar(&out, "out", "-", "`file` to write, - for standard output")
	cmd.Flags().BoolVar(&force, "force", false, "write over a file that exists")
	cmd.Flags().StringVar(&session, "of", "", "`id` of a session, of the configured tenant and user, that has ended; default: the whole log, of all tenants")
	return prints(aDocument, mayTakeLong(cmd, nothingWritten))
}

func (a *app) exportReceipts(ctx context.Context, session string, w io.Writer) (int64, error) {
	if session == "" {
		return a.receipts.Export(ctx, w)
	}
	return a.receipts.ExportSession(ctx, a.config.Tenant, a.config.User, session, w)
}

func verifyCommand(sys *system, c *config.Config) *cobra.Command {
	var keys []string
	var head string
	asJSON := false
	cmd := &cobra.Command{
		Use:   "verify [BUNDLE]",
		Short: "Verify the log of the data directory, or a bundle of receipts with public keys",
		Long: `Verify a bundle of receipts with nothing but public keys. Every change of a bundle is found: an edit, a removal, an
insertion, a swap, a cut. That a whole log was put back to an older state shows only beside a head that was kept: --head.

BUNDLE may be - for standard input. Without it the log of the data directory is verified, with its own keys and the head that is kept beside it. Without
that head nothing is proven.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			var o receipts.VerifyOptions
			if head != "" {
				text, err := readInput(sys, head)
				if err != nil {
					return usage("--head: %v", err)
				}
				o.Kept = text
			}
			if len(args) == 0 {
				return verifyOwn(cmd.Context(), sys, c, o, asJSON)
			}
			return verifyFile(cmd.Context(), sys, args[0], keys, o, asJSON)
		},
	}
	jsonFlag(cmd, &asJSON)
	cmd.Flags().StringArrayVar(&keys, "key", nil, "`file` with public keys in PEM; may be repeated")
	cmd.Flags().StringVar(&head, "head", "", "`file` with a signed head that was kept: the log must be the same, and no shorter")
	return mayTakeLong(cmd, nothingChanged)
}

func verifyFile(ctx context.Context, sys *system, path string, keyFiles []string, o receipts.VerifyOptions, asJSON bool) error {
	var keys []ed25519.PublicKey
	for _, name := range keyFiles {
		text, err := readInput(sys, name)
		if err != nil {
			return usage("--key: %v", err)
		}
		more, err := keyring.ParsePublic(text)
		if err != nil {
			return usage("--key %s: %v", name, err)
		}
		keys = append(keys, more...)
	}
	if len(keys) == 0 {
		return usage("name a file with the public key: --key FILE")
	}
	f, err := openInput(sys, path)
	if err != nil {
		return err
	}
	defer f.Close()
	lines := &lineMeter{Writer: io.Discard, tell: progress(sys, "verified", "lines of the bundle", 0)}
	v, err := receipts.Verify(ctx, io.TeeReader(f, lines), keys, o)
	return reportVerified(sys, v, err, asJSON)
}

// verifyOwn verifies the log of the data directory and reports it.
func verifyOwn(ctx context.Context, sys *system, c *config.Config, o receipts.VerifyOptions, asJSON bool) error {
	v, err := verifiedOwn(ctx, sys, c, o)
	if err != nil {
		return err
	}
	return reportVerified(sys, v, nil, asJSON)
}

// verifiedOwn verifies the log of the data directory as a bundle of it would be.
func verifiedOwn(ctx context.Context, sys *system, c *config.Config, o receipts.VerifyOptions) (v receipts.Verified, err error) {
	err = withApp(ctx, sys, c, func(a *app) error {
		all, err := a.ring.List()
		if err != nil {
			return err
		}
		var keys []ed25519.PublicKey
		for _, k := range all {
			keys = append(keys, k.Key)
		}
		if o.Kept == nil {
			if o.Kept, err = headFile(c).Last(); err != nil {
				return fmt.Errorf("read the head that was kept: %w", err)
			}
		}
		if o.Kept == nil && nothingSigned(ctx, a, len(all)) {
			return nil
		}
		r, w := io.Pipe()
		go func() {
			_, err := a.receipts.Export(ctx, &lineMeter{Writer: w, tell: progress(sys, "verified", "lines of the log", 0)})
			w.CloseWithError(err)
		}()
		v, err = receipts.Verify(ctx, r, keys, o)
		if err = errors.Join(err, r.Close()); err != nil {
			return notValid(err)
		}
		if o.Kept == nil && v.Size > 0 {
			return ctxmcp.Errorf(ctxmcp.CodeUnavailable, "NOT PROVEN: %d receipts fit together, but the head of the log that was kept beside it is gone", v.Receipts).
				WithHint("a log that was cut or put back looks the same: name a head that was kept elsewhere with --head FILE")
		}
		return nil
	})
	return v, err
}

// nothingSigned reports whether no receipt was ever given, as far as is known here: in a folder the first one makes the key, and servers of one database have
// theirs from the start.
func nothingSigned(ctx context.Context, a *app, keys int) bool {
	if keys > 0 && a.store.Facts() == nil {
		return false
	}
	_, err := a.receipts.Head(ctx)
	return ctxmcp.CodeOf(err) == ctxmcp.CodeNotFound
}

func notValid(err error) error {
	return ctxmcp.Errorf(ctxmcp.CodeUnavailable, "NOT VALID").WithCause(err)
}

func reportVerified(sys *system, v receipts.Verified, err error, asJSON bool) error {
	if err != nil {
		return notValid(err)
	}
	if asJSON {
		return writeJSON(sys.out, verifiedReport{true, v})
	}
	if v.Size == 0 {
		_, err = fmt.Fprintln(sys.out, "there are no receipts yet: nothing to verify")
		return err
	}
	_, err = fmt.Fprintf(sys.out, "valid: %d receipts of a %s, %d sessions ended; log %s of %d, head signed by %s\n",
		v.Receipts, v.Of, v.Sessions, v.Origin, v.Size, v.KeyID)
	return err
}

func keysCommand(sys *system, c *config.Config) *cobra.Command {
	var lost, rotatedJSON, listedJSON bool
	cmd := &cobra.Command{
		Use:   "keys",
		Short: "List, export and rotate the keys that sign receipts",
		Args:  noArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	rotate := &cobra.Command{
		Use:   "rotate",
		Short: "Sign with a new key from now on; the old one vouches for it",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withApp(cmd.Context(), sys, c, func(a *app) error {
				r, err := a.receipts.Rotate(cmd.Context(), lost)
				if err != nil {
					return err
				}
				return answer(sys, rotatedJSON, rotatedReport{r.Index, r.KeyID}, "receipt %d introduces the new key, signed by %s", r.Index, r.KeyID)
			})
		},
	}
	rotate.Flags().BoolVar(&lost, "lost", false, "the old private key is gone: the new key introduces itself")
	jsonFlag(rotate, &rotatedJSON)
	list := &cobra.Command{Use: "list", Short: "List the keys", Args: noArgs,
		RunE: func(*cobra.Command, []string) error { return listKeys(sys, c, listedJSON) }}
	jsonFlag(list, &listedJSON)
	cmd.AddCommand(rotate, list,
		prints(aDocument, &cobra.Command{Use: "export", Short: "Print every public key in PEM, to verify receipts with", Args: noArgs,
			RunE: func(*cobra.Command, []string) error { return exportKeys(sys, c) }}))
	return cmd
}

func listKeys(sys *system, c *config.Config, asJSON bool) error {
	all, err := ring(c, sys).List()
	if err != nil {
		return err
	}
	if asJSON {
		reports := []keyReport{}
		for _, k := range all {
			reports = append(reports, keyReport{k.ID, k.Private})
		}
		return writeJSON(sys.out, reports)
	}
	w := tabwriter.NewWriter(sys.out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "KEY\tPRIVATE HALF")
	for _, k := range all {
		half := "gone"
		if k.Private {
			half = "here"
		}
		fmt.Fprintf(w, "%s\t%s\n", k.ID, half)
	}
	return w.Flush()
}

func exportKeys(sys *system, c *config.Config) error {
	all, err := ring(c, sys).List()
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return ctxmcp.Errorf(ctxmcp.CodeNotFound, "there are no keys yet: the first receipt makes one")
	}
	for _, k := range all {
		if _, err := sys.out.Write(k.PEM); err != nil {
			return err
		}
	}
	return nil
}
