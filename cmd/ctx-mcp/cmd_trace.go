package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/compiler"
	"github.com/ctx-mcp/ctx-mcp/config"
	"github.com/ctx-mcp/ctx-mcp/redact"
)

// tracing holds the flags of a trace.
type tracing struct {
	asJSON                  bool
	compare, line, snapshot string
}

func traceCommand(sys *system, c *config.Config) *cobra.Command {
	var t tracing
	cmd := &cobra.Command{
		Use:   "trace ID",
		Short: "Explain a compiled context: its tokens, candidates and lines",
		Long: `Explain a compiled context: the zones that took its tokens, the fate of every candidate with its reason, the contradictions, and the
work of each stage. ID is the trace_id or the context_ref that compile_context returned, or a snapshot's file.

The inputs are compiled again on the spot, and the bytes must be the same. The times of the stages are those of that compile.

  --compare OTHER    explain the changes since another one: an id, or a snapshot's file
  --line WHICH       name the object, version, source and rule that put a line there: 12, 10-40, all, or words of the line
  --snapshot FILE    write the messages and their sources, for a post-mortem on any machine`,
		Args: exactly(1, "name the compile: ctx-mcp trace ID; ctx-mcp compile list has the ids"),
		RunE: func(cmd *cobra.Command, args []string) error { return t.run(cmd.Context(), sys, c, args[0]) },

		ValidArgsFunction: completing(sys, c, compilesOf),
	}
	f := cmd.Flags()
	f.BoolVar(&t.asJSON, "json", false, "print all of it as JSON")
	f.StringVar(&t.compare, "compare", "", "`other` compile, to say what changed since")
	f.StringVar(&t.line, "line", "", "`which` lines of the output to explain: 12, 10-40, all, or words")
	f.StringVar(&t.snapshot, "snapshot", "", "`file` to write a snapshot to, - for standard output")
	return mayTakeLong(cmd, nothingChanged)
}

func (t tracing) run(ctx context.Context, sys *system, c *config.Config, name string) error {
	if t.snapshot != "" && (t.asJSON || t.compare != "" || t.line != "") {
		return usage("--snapshot writes a file, and goes with no other flag: ask the snapshot")
	}
	kept, err := findCompile(ctx, sys, c, name)
	if err != nil {
		return err
	}
	if t.snapshot != "" {
		return writeSnapshot(ctx, sys, c, kept, t.snapshot)
	}
	r, err := t.report(ctx, sys, c, kept)
	if err != nil {
		return err
	}
	if err := t.print(sys.out, r); err != nil {
		return err
	}
	if !r.Replay.Same {
		return ctxmcp.Errorf(ctxmcp.CodeUnavailable, "what went in no longer compiles to this: %s differ", strings.Join(r.Replay.Differ, ", ")).
			WithHint("it was changed, or made by another version of this program")
	}
	return nil
}

// report puts the report together by the flags.
func (t tracing) report(ctx context.Context, sys *system, c *config.Config, kept compiler.Kept) (traceReport, error) {
	r, err := newTraceReport(sys.now, kept)
	if err != nil {
		return r, err
	}
	if t.compare != "" {
		other, err := findCompile(ctx, sys, c, t.compare)
		if err != nil {
			return r, err
		}
		changed := kept.Compare(other)
		r.Comparison = &changed
	}
	if t.line != "" {
		r.Lines, err = linesOf(kept, t.line)
	}
	return r, err
}

func (t tracing) print(w io.Writer, r traceReport) error {
	switch {
	case t.asJSON:
		return writeJSON(w, r)
	case t.line != "":
		return r.printLines(w)
	}
	return r.print(w)
}

// findCompile returns the compile of a snapshot's file, which is - or has a dot or a folder in its name, or the one that the caller made.
func findCompile(ctx context.Context, sys *system, c *config.Config, name string) (kept compiler.Kept, err error) {
	if name == stdin || strings.ContainsAny(name, "."+string(filepath.Separator)) {
		f, err := openInput(sys, name)
		if err != nil {
			return kept, err
		}
		defer f.Close()
		if kept, err = compiler.ReadSnapshot(f); err != nil {
			return kept, fmt.Errorf("%s: %w", name, err)
		}
		return kept, nil
	}
	err = withApp(ctx, sys, c, func(a *app) error {
		kept, err = a.compiler.Kept(ctx, c.Person(), ctxmcp.Scope{}, name)
		return inTerms(err, "compile list")
	})
	return kept, err
}

// writeSnapshot writes a compile to a file, unless it holds a secret by today's rules.
func writeSnapshot(ctx context.Context, sys *system, c *config.Config, kept compiler.Kept, path string) error {
	var text bytes.Buffer
	if err := compiler.WriteSnapshot(&text, kept); err != nil {
		return err
	}
	r, err := newRedactor(nil, c)
	if err != nil {
		return err
	}
	found := map[string]bool{}
	err = r.Without(c.MemoryAllow...).Scan(ctx, bytes.NewReader(text.Bytes()), func(h redact.Hit) { found[h.Label] = true })
	if err != nil {
		return err
	}
	if len(found) > 0 {
		return ctxmcp.Errorf(ctxmcp.CodeDenied, "the snapshot would hold a secret (%s)", strings.Join(slices.Sorted(maps.Keys(found)), ", ")).
			WithHint("the rules of redaction know more than when this was compiled: compile again")
	}
	write := func(w io.Writer) error {
		_, err := w.Write(text.Bytes())
		return err
	}
	if path == stdin {
		return write(sys.out)
	}
	if err := writeWhole(path, write); err != nil {
		return err
	}
	_, err = fmt.Fprintf(sys.out, "%s (%d bytes) holds %s\n", path, text.Len(), kept.TraceID)
	return err
}

// traceReport is a trace for people and machines. The names are those of explain_context.
type traceReport struct {
	TraceID     string               `json:"trace_id"`
	ContextRef  string               `json:"context_ref"`
	Instant     time.Time            `json:"instant"`
	Format      compiler.Format      `json:"format"`
	Counter     string               `json:"counter"`
	Zones       []compiler.Zone      `json:"zones"`
	Tokens      int                  `json:"tokens"`
	Budget      int                  `json:"budget"`
	Utilization float64              `json:"utilization"`
	Warnings    []string             `json:"warnings"`
	Trace       compiler.Trace       `json:"trace"`
	Replay      replayReport         `json:"replay"`
	Lines       []numberedLine       `json:"lines,omitempty"`
	Comparison  *compiler.Comparison `json:"comparison,omitempty"`

	kept compiler.Kept
}

// replayReport is the result of compiling the same inputs again.
type replayReport struct {
	Same    bool               `json:"same"`
	Differ  []string           `json:"differ,omitempty"` // members of the output
	StageMS map[string]float64 `json:"stage_ms"`
}

// newTraceReport compiles the inputs again, and puts the report together.
func newTraceReport(now func() time.Time, k compiler.Kept) (traceReport, error) {
	o := k.Output
	r := traceReport{
		TraceID: k.TraceID, ContextRef: k.Ref, Instant: k.Inputs.Instant, Format: o.Format, Counter: o.Counter, Zones: o.Zones, Tokens: o.Tokens,
		Budget: o.Budget, Utilization: o.Utilization, Warnings: o.Warnings, Trace: o.Trace, kept: k,
		Replay: replayReport{StageMS: map[string]float64{}},
	}
	var err error
	r.Replay.Differ, err = compiler.Recompiler{Counters: countersOf}.Replay(k, func(stage string) func(compiler.Step) {
		began := now()
		return func(compiler.Step) { r.Replay.StageMS[stage] = float64(now().Sub(began).Microseconds()) / 1000 }
	})
	r.Replay.Same = len(r.Replay.Differ) == 0
	return r, err
}
