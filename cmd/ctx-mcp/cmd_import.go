package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/config"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/memory/exchange"
	"github.com/ctx-mcp/ctx-mcp/memory/exchange/foreign"
	"github.com/ctx-mcp/ctx-mcp/trail"
)

// importing holds the flags of an import.
type importing struct {
	in      string
	format  string
	as      string
	dryRun  bool
	rewrite bool
	erased  bool
	asJSON  bool
}

func importCommand(sys *system, c *config.Config) *cobra.Command {
	var i importing
	cmd := &cobra.Command{
		Use:   "import [FILE]",
		Short: "Store the memories of a file: an export of ctx-mcp, server-memory or mem0",
		Long: `Store the memories of a file. Its form is recognised by its beginning, unless --format names it:

` + formatHelp() + `
Context objects are stored all of them or none, with the history and the authority that they are written with. The
memories of another system are remembered one after the other, as the configured user's, in the project of --project
or else at user level. They pass the write gate and are reconciled with the memories that are held. They count as a
document that somebody wrote; --as user_statement attests that the user said all of it.

Every line is read before anything is stored, and secrets are redacted. Memories that are held already stay as they are, so a
file can be imported twice.`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 || len(args) == 1 && cmd.Flags().Changed("in") {
				return usage("%s takes one file", cmd.CommandPath())
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				i.in = args[0]
			}
			return i.run(cmd.Context(), sys, c)
		},
	}
	jsonFlag(cmd, &i.asJSON)
	cmd.Flags().StringVar(&i.in, "in", "-", "`file` to read, - for standard input")
	cmd.Flags().StringVar(&i.format, "format", formatAuto, "`form` of the file: auto, "+strings.Join(formatNames(), ", "))
	cmd.Flags().StringVar(&i.as, "as", string(ctxmcp.Document), "`kind` of source that foreign memories count as: "+ctxmcp.Words(attestable()))
	cmd.Flags().BoolVar(&i.dryRun, "dry-run", false, "check everything and store nothing")
	cmd.Flags().BoolVar(&i.rewrite, "rewrite-tenant", false, "take over context objects of any tenant as the configured tenant's")
	cmd.Flags().BoolVar(&i.erased, "erased", false, "bring back context objects that were erased here too")
	return mayTakeLong(cmd, "what was stored stays; run the command again, nothing is stored twice")
}

// attestable lists the channels that an import may say the memories of another system came through.
func attestable() []ctxmcp.SourceKind {
	return []ctxmcp.SourceKind{ctxmcp.Document, ctxmcp.Inference, ctxmcp.UserStatement}
}

func (i importing) run(ctx context.Context, sys *system, c *config.Config) (err error) {
	if err := i.check(); err != nil {
		return err
	}
	source, err := openInput(sys, i.in)
	if err != nil {
		return err
	}
	defer source.Close()
	r := bufio.NewReaderSize(source, headSize)
	form, isForeign, err := formOf(i.format, r)
	if err != nil {
		return err
	}
	a, err := openApp(ctx, sys, c)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.close()) }()
	if isForeign {
		return i.foreign(ctx, a, form, r)
	}
	return i.objects(ctx, a, r)
}

func (i importing) check() error {
	if err := checkFormat(i.format); err != nil {
		return err
	}
	return ctxmcp.CheckWord("--as", ctxmcp.SourceKind(i.as), attestable())
}

// done returns the verb of the report.
func (i importing) done() string {
	if i.dryRun {
		return "would import"
	}
	return "imported"
}

// objects imports context objects.
func (i importing) objects(ctx context.Context, a *app, r io.Reader) error {
	erased := a.erasedBy
	if i.erased {
		erased = nil
	}
	report, err := exchange.Import(ctx, a.store, r, exchange.ImportOptions{
		Erased: erased, Tenant: a.config.Tenant, Rewrite: i.rewrite, Redact: a.redactMemory, DryRun: i.dryRun, Now: a.sys.now,
		Progress: progress(a.sys, "read", "versions", 0),
	})
	if err != nil {
		return err
	}
	if i.asJSON {
		return writeJSON(a.sys.out, importReport{DryRun: i.dryRun, Read: report.Read, Imported: report.Imported, Held: report.Unchanged, Erased: report.Erased, Redacted: report.Redacted})
	}
	_, err = fmt.Fprintf(a.sys.out, "%s %d of %d versions; %d were held already, %d held secrets that are hidden now\n",
		i.done(), report.Imported, report.Read, report.Unchanged, report.Redacted)
	if report.Erased > 0 {
		fmt.Fprintf(a.sys.out, "%d were erased here since and are left out; --erased brings them back\n", report.Erased)
	}
	return err
}

// linesAtOnce is the number of lines of the audit trail that are read at a time.
const linesAtOnce = 1000

// erasedBy returns the ids of the objects that a user has erased, by the audit trail.
func (a *app) erasedBy(ctx context.Context, tenant, user string) (map[string]bool, error) {
	ids := map[string]bool{}
	q := trail.Query{Tenant: tenant, User: user, Action: "forget." + string(memory.Erase), Limit: linesAtOnce}
	for {
		found, err := a.store.Events(ctx, q)
		for _, e := range found {
			ids[e.ObjectID] = true
		}
		if err != nil || len(found) < q.Limit {
			return ids, err
		}
		q.Before = found[len(found)-1].Seq
	}
}

// foreign imports the memories of another system.
func (i importing) foreign(ctx context.Context, a *app, form foreign.Format, r io.Reader) error {
	var memories []foreign.Memory
	for m, err := range form.Read(ctx, r) {
		if err != nil {
			return fmt.Errorf("import: %w", err)
		}
		memories = append(memories, m)
	}
	by := a.config.Caller()
	scope, err := by.Resolve(ctxmcp.Scope{}, ctxmcp.Scope{Project: a.config.Project, Session: a.config.Session})
	if err != nil {
		return err
	}
	report, err := exchange.Adoption{
		Into: a.memory, Before: a.store, By: by, Scope: scope, As: ctxmcp.SourceKind(i.as), System: form.Name,
		Coexists: a.memory.Options.Coexists, Redact: a.redactMemory, DryRun: i.dryRun, Progress: progress(a.sys, "imported", "memories", len(memories)),
	}.Adopt(ctx, memories)
	if i.asJSON {
		err = errors.Join(err, writeJSON(a.sys.out, reportOfAdopted(report, i.dryRun)))
	} else {
		printAdopted(a.sys, i.done(), form.Name, report)
	}
	if err != nil {
		return fmt.Errorf("import: %w", err)
	}
	if n := len(report.Refused); n > 0 {
		return ctxmcp.Errorf(ctxmcp.CodeUnavailable, "%d of %d memories were refused", n, report.Read).
			WithHint("the lines above say why; what was stored stays, and is not stored twice")
	}
	return nil
}

func printAdopted(sys *system, done, system string, r exchange.Adopted) {
	fmt.Fprintf(sys.out, "%s %d of %d memories of %s; %d were held already, %d held secrets that are hidden now\n",
		done, r.Stored, r.Read, system, r.Held, r.Redacted)
	for _, line := range []struct {
		count int
		text  string
	}{
		{r.Replaced, "took the place of what was held"},
		{r.Quarantined, "contradict what stands on higher authority: they are kept, and not recalled"},
		{r.Unclaimed, "are stored without their claim: the file gives it several values, and no times"},
	} {
		if line.count > 0 {
			fmt.Fprintf(sys.out, "%d %s\n", line.count, line.text)
		}
	}
	for _, u := range r.Unkept {
		fmt.Fprintf(sys.out, "no place for %s, of %d memories\n", u.Name, u.Count)
	}
	for _, refusal := range r.Refused {
		fmt.Fprintf(sys.out, "line %d: refused: %s\n", refusal.Line, refusal.Reason)
	}
}
