package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"unicode"

	"github.com/ctx-mcp/ctx-mcp/compiler"
)

// barWidth is how many characters the longest bar of tokens has.
const barWidth = 40

// print writes the trace for a person: the tokens by zone, the candidates, the contradictions, and the stages.
func (r traceReport) print(w io.Writer) error {
	p := &tracePrinter{w: w}
	p.line("%s  %s  %s  %s  %s", r.TraceID, r.Instant.Format("2006-01-02 15:04:05"), r.Format, r.kept.Inputs.Request.Scope.Namespace(), r.Trace.Status)
	p.line("%s", r.ContextRef)
	p.line("%d of %d tokens (%.0f %%), counted by %s; %.0f %% can be cached", r.Tokens, r.Budget, 100*r.Utilization, r.Counter, 100*r.Trace.Metrics.CacheableShare)
	p.zones(r)
	p.candidates(r)
	p.list("warnings", r.Warnings)
	p.conflicts(r.Trace.Conflicts)
	p.stages(r)
	if r.Comparison != nil {
		p.comparison(*r.Comparison)
	}
	return p.err
}

// tracePrinter keeps the first error.
type tracePrinter struct {
	w   io.Writer
	err error
}

func (p *tracePrinter) line(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintln(p.w, strings.TrimRight(fmt.Sprintf(format, args...), " "))
	}
}

// table writes rows with aligned columns, indented, under a title.
func (p *tracePrinter) table(title string, rows [][]string) {
	if len(rows) == 0 || p.err != nil {
		return
	}
	p.line("\n%s", title)
	var text strings.Builder
	t := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		cells := make([]string, len(row))
		for i, cell := range row {
			cells[i] = printable(oneLine(cell))
		}
		if _, err := fmt.Fprintln(t, "  "+strings.Join(cells, "\t")); err != nil {
			p.err = err
		}
	}
	if err := t.Flush(); err != nil {
		p.err = err
	}
	for line := range strings.Lines(text.String()) {
		p.line("%s", strings.TrimSuffix(line, "\n"))
	}
}

func (p *tracePrinter) list(title string, items []string) {
	var rows [][]string
	for _, item := range items {
		rows = append(rows, []string{item})
	}
	p.table(title, rows)
}

func (p *tracePrinter) zones(r traceReport) {
	most := 1
	for _, z := range r.Zones {
		most = max(most, z.Tokens)
	}
	var rows [][]string
	for _, z := range r.Zones {
		kept := "changes with every call"
		if z.Cacheable {
			kept = "can be cached  " + z.Digest[:min(len(z.Digest), 12)]
		}
		rows = append(rows, []string{string(z.Name), fmt.Sprintf("%6d", z.Tokens), bar(z.Tokens, most), kept})
	}
	p.table("tokens by zone", rows)
}

// bar draws a figure beside the greatest one. A figure above 0 is at least one sign long.
func bar(n, most int) string {
	width := (n*barWidth + most/2) / most
	if n > 0 {
		width = max(width, 1)
	}
	return strings.Repeat("█", width)
}

// candidates writes a row for every candidate.
func (p *tracePrinter) candidates(r traceReport) {
	t := r.Trace
	rows := [][]string{{"FATE", "OBJECT", "VERSION", "KIND", "TIER", "RUNG", "WHY", "TOKENS", "TEXT"}}
	texts := textsOf(r.kept)
	for _, c := range t.Compiled {
		rung := fmt.Sprintf("%d %s", c.Rung, c.CompiledAs)
		if c.Form != "full" {
			rung += ", " + c.Form
		}
		rows = append(rows, []string{"compiled", c.ObjectID, fmt.Sprint(c.Version), string(c.Kind), string(c.Tier), rung, c.Why,
			fmt.Sprint(c.Tokens), excerpt(texts[compiler.Pin{ObjectID: c.ObjectID, Version: c.Version}])})
	}
	for _, o := range t.Omitted {
		rows = append(rows, []string{"omitted", o.ObjectID, fmt.Sprint(o.Version), string(o.Kind), string(o.Tier), "",
			because(o.Stage, o.Reason, o.By, o.Detail), "", excerpt(texts[compiler.Pin{ObjectID: o.ObjectID, Version: o.Version}])})
	}
	for _, q := range t.Quarantined {
		rows = append(rows, []string{"quarantined", q.ObjectID, fmt.Sprint(q.Version), string(q.Kind), "", "",
			because(q.Stage, q.Reason, q.By, q.Detail), "", excerpt(texts[compiler.Pin{ObjectID: q.ObjectID, Version: q.Version}])})
	}
	title := fmt.Sprintf("%s: %d compiled, %d omitted, %d quarantined", plural(len(rows)-1, "candidate"), len(t.Compiled), len(t.Omitted), len(t.Quarantined))
	p.table(title, rows)
}

// textsOf returns the texts of the candidates.
func textsOf(k compiler.Kept) map[compiler.Pin]string {
	all := map[compiler.Pin]string{}
	for _, c := range k.Inputs.Candidates {
		all[compiler.Pin{ObjectID: c.Object.ObjectID, Version: max(c.Object.Version, 1)}] = c.Object.Content
	}
	return all
}

// because words the decision of a stage.
func because(stage string, reason compiler.Reason, by, detail string) string {
	text := stage + ": " + strings.ReplaceAll(string(reason), "_", " ")
	if by != "" {
		text += ", by " + by
	}
	if detail != "" {
		text += ", " + detail
	}
	return text
}

// excerpt returns the beginning of a text, for a table.
func excerpt(text string) string {
	const most = 48
	line := []rune(oneLine(text))
	if len(line) > most {
		return string(line[:most-1]) + "…"
	}
	return string(line)
}

// printable returns a line for a terminal: a character that would move the cursor or turn the text around is shown as a sign.
func printable(line string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t':
			return ' '
		case !unicode.IsPrint(r) && r != '\u200d': // the joiner of emoji and of scripts
			return unicode.ReplacementChar
		}
		return r
	}, line)
}

func (p *tracePrinter) conflicts(all []compiler.Conflict) {
	var rows [][]string
	for _, c := range all {
		rows = append(rows, []string{c.Slot, strings.Join(c.Objects, ", ")})
	}
	p.table("contradictions that wait for a person", rows)
}

// stages writes the counts of each stage, and how long it took when it was compiled again.
func (p *tracePrinter) stages(r traceReport) {
	rows := [][]string{{"STAGE", "IN", "OUT", "MS", "LEFT OUT"}}
	for _, s := range r.Trace.Steps {
		var drops []string
		for _, reason := range slices.Sorted(maps.Keys(s.Drops)) {
			drops = append(drops, fmt.Sprintf("%s %d", reason, s.Drops[reason]))
		}
		rows = append(rows, []string{s.Stage, fmt.Sprint(s.In), fmt.Sprint(s.Out), fmt.Sprintf("%.3f", r.Replay.StageMS[s.Stage]), strings.Join(drops, ", ")})
	}
	outcome := "the same bytes"
	if !r.Replay.Same {
		outcome = "not the same: " + strings.Join(r.Replay.Differ, ", ") + " differ"
	}
	p.table("compiled again: "+outcome, rows)
}

func (p *tracePrinter) comparison(c compiler.Comparison) {
	same := "other bytes"
	if c.Same {
		same = "the same bytes"
	}
	p.line("\nsince %s: %+d tokens, %s", c.With, c.Tokens, same)
	if len(c.Request) > 0 {
		p.line("  asked otherwise: %s", strings.Join(c.Request, ", "))
	}
	rows := [][]string{{"OBJECT", "BEFORE", "AFTER", "WHY"}}
	for _, change := range c.Changes {
		rows = append(rows, []string{change.ObjectID, change.Before, change.After, change.Why})
	}
	if len(c.Changes) > 0 {
		p.table(plural(len(c.Changes), "change"), rows)
	}
}
