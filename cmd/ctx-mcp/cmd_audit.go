package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/config"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/memory/audit"
	"github.com/ctx-mcp/ctx-mcp/memory/exchange"
	"github.com/ctx-mcp/ctx-mcp/memory/exchange/foreign"
	"github.com/ctx-mcp/ctx-mcp/sqlite"
)

// auditing holds the flags of an audit.
type auditing struct {
	format      string
	asJSON      bool
	failOn      []string
	limit       int
	options     audit.Options
	unconfirmed int // days
	unused      int // days
}

func auditCommand(sys *system, c *config.Config) *cobra.Command {
	a := auditing{options: audit.Defaults()}
	cmd := &cobra.Command{
		Use:   "audit [STORE]",
		Short: "List the faults of the memories in a store or a file; change nothing",
		Long: `List the faults of the memories in a store or a file; change nothing.

STORE is a data directory or a file. By default it is the configured directory, of which the configured tenant is looked at. The form of a
file is recognised by its beginning, unless --format names it:

` + formatHelp() + `
The faults, the worst first:

` + kindHelp() + `
No secret is printed. A store is only read, also while servers use it. The exit code is 0, and with --fail-on it is 1 if
there is a finding of one of the kinds.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.run(cmd.Context(), sys, c, args) },
	}
	f := cmd.Flags()
	f.StringVar(&a.format, "format", formatAuto, "`form` of a file: auto, "+strings.Join(formatNames(), ", "))
	f.BoolVar(&a.asJSON, "json", false, "print the whole report as JSON")
	f.StringSliceVar(&a.failOn, "fail-on", nil, "`kinds` of findings, separated by commas, or any: exit 1 if there are some")
	f.IntVar(&a.limit, "limit", 10, "findings of each kind, and memories of each finding, to print; 0: all")
	f.Float64Var(&a.options.Similarity, "similarity", a.options.Similarity, "share of terms from which texts are near duplicates, above 0 to 1")
	f.IntVar(&a.options.MaxLength, "max-length", a.options.MaxLength, "characters above which a memory is oversized")
	f.IntVar(&a.unconfirmed, "unconfirmed-days", int(a.options.UnconfirmedAfter/day), "days after which what was not said again is stale")
	f.IntVar(&a.unused, "unused-days", int(a.options.UnusedAfter/day), "days after which a memory should have been recalled")
	return mayTakeLong(cmd, nothingChanged)
}

const day = 24 * time.Hour

// kindHelp describes the checks for a help text, one a line.
func kindHelp() string {
	text := ""
	for _, c := range audit.Checks() {
		text += fmt.Sprintf("  %-15s %s\n", c.Kind, c.Doc)
	}
	return text
}

func (a auditing) run(ctx context.Context, sys *system, c *config.Config, args []string) error {
	kinds, err := a.check()
	if err != nil {
		return err
	}
	redactor, err := newRedactor(nil, c)
	if err != nil {
		return err
	}
	redactor = redactor.Without(c.MemoryAllow...)
	a.options.Now, a.options.Redact, a.options.Coexists = ctxmcp.Instant(sys.now()), redactor.Text, c.MemoryOptions().Coexists
	a.options.UnconfirmedAfter, a.options.UnusedAfter = time.Duration(a.unconfirmed)*day, time.Duration(a.unused)*day
	at := audit.New(a.options)
	store := c.DataDir
	if len(args) > 0 {
		store = args[0]
	}
	format, err := a.look(ctx, sys, c, at, store)
	if err != nil {
		return fmt.Errorf("audit: %w", err)
	}
	report, err := at.Report(ctx)
	if err != nil {
		return err
	}
	report.Format = format
	if err := a.print(sys.out, report); err != nil {
		return err
	}
	if n := report.Count(kinds...); n > 0 {
		return ctxmcp.Errorf(ctxmcp.CodeUnavailable, "%d findings of %s", n, strings.Join(a.failOn, ", "))
	}
	return nil
}

// check returns the kinds that fail an audit. It returns a usage error for options that mean nothing.
func (a auditing) check() (kinds []audit.Kind, err error) {
	switch {
	case !(a.options.Similarity > 0 && a.options.Similarity <= 1):
		return nil, usage("--similarity is above 0 and at most 1")
	case a.options.MaxLength <= 0 || a.unconfirmed <= 0 || a.unused <= 0:
		return nil, usage("--max-length, --unconfirmed-days and --unused-days are above 0")
	case a.limit < 0:
		return nil, usage("--limit is not below 0")
	}
	for _, word := range a.failOn {
		if word == "any" {
			return audit.Kinds(), checkFormat(a.format)
		}
		if err := ctxmcp.CheckWord("--fail-on", audit.Kind(word), audit.Kinds()); err != nil {
			return nil, err
		}
		kinds = append(kinds, audit.Kind(word))
	}
	return kinds, checkFormat(a.format)
}

func (a auditing) print(w io.Writer, r audit.Report) error {
	if !a.asJSON {
		return r.Print(w, a.limit)
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

// look adds everything that the store or file holds, and returns its form.
func (a auditing) look(ctx context.Context, sys *system, c *config.Config, at *audit.Audit, path string) (format string, err error) {
	tell, seen := progress(sys, "looked at", "memories", 0), 0
	add := func(r audit.Record) {
		at.Add(r)
		seen++
		tell(seen)
	}
	if path == stdin {
		return lookAtFile(ctx, bufio.NewReaderSize(sys.in, headSize), a.format, add)
	}
	if c.Store != "" && path == c.DataDir {
		return "", usage("audit reads a store in a folder, or an export: write one with ctx-mcp export, and name the file")
	}
	info, err := os.Stat(path)
	switch {
	case err != nil && path == c.DataDir:
		return "", ctxmcp.Errorf(ctxmcp.CodeNotFound, "there is no store in %s", path).WithHint("name a store or a file")
	case err != nil:
		return "", mistakenFile(err)
	case info.IsDir():
		return "store", lookAtStore(ctx, c, path, add)
	case filepath.Base(path) == sqlite.FileName:
		return "store", lookAtStore(ctx, c, filepath.Dir(path), add)
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	return lookAtFile(ctx, bufio.NewReaderSize(f, headSize), a.format, add)
}

func lookAtStore(ctx context.Context, c *config.Config, dir string, add func(audit.Record)) (err error) {
	r, err := sqlite.OpenReading(ctx, dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	if c.ErasureKeys != "" {
		keys, err := openKeys(ctx, c)
		if err != nil {
			return err
		}
		defer func() { _ = keys.Close() }() // only read
		if err := r.UseKeys(ctx, keys); err != nil {
			return err
		}
	}
	everything := memory.Query{Tenant: c.Tenant, Everywhere: true, Unrestricted: true, EveryVersion: true, Archived: true}
	return r.Each(ctx, everything, func(o ctxmcp.ContextObject) error {
		add(audit.Of(o))
		return nil
	})
}

func lookAtFile(ctx context.Context, r *bufio.Reader, format string, add func(audit.Record)) (string, error) {
	form, isForeign, err := formOf(format, r)
	if err != nil {
		return "", err
	}
	if !isForeign {
		return formatObjects, exchange.Read(ctx, r, func(line int, o ctxmcp.ContextObject) {
			record := audit.Of(o)
			record.Line = line
			add(record)
		})
	}
	for m, err := range form.Read(ctx, r) {
		if err != nil {
			return "", err
		}
		add(foreignRecord(m))
	}
	return form.Name, nil
}

// foreignRecord returns the record of another system's memory, with the fields that an audit can know.
func foreignRecord(m foreign.Memory) audit.Record {
	r := audit.Record{
		ID: m.ID, Line: m.Line, Group: m.Owner, Content: m.Content, Claim: m.Claim, Beside: m.Beside,
		Valid: ctxmcp.Interval{From: m.ObservedAt, To: m.ValidUntil}, Confirmed: m.ObservedAt,
		Texts: []audit.Text{{Name: "author", Value: m.Author}, {Name: "place", Value: m.Place}},
	}
	for _, f := range m.Provenance {
		r.Texts = append(r.Texts, audit.Text(f))
	}
	return r
}
