package main

import (
	"cmp"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/compiler"
)

// numberedLine is a line of the output with its number, from 1, and its origin.
type numberedLine struct {
	Number int `json:"line"`
	compiler.Origin
}

// linesInput is how lines are asked for by their numbers.
var linesInput = regexp.MustCompile(`^(\d+)(-(\d+)?)?$`)

// linesOf returns the lines that were asked for: 12, 10-40, 10-, all, or those that hold the words. It returns CodeNotFound if
// there are none.
func linesOf(k compiler.Kept, which string) ([]numberedLine, error) {
	var all []numberedLine
	for i, o := range k.Explain("") {
		all = append(all, numberedLine{i + 1, o})
	}
	chosen := all
	if m := linesInput.FindStringSubmatch(which); m != nil {
		first, last, err := lineRange(m, len(all))
		if err != nil {
			return nil, err
		}
		chosen = slices.DeleteFunc(all, func(l numberedLine) bool { return l.Number < first || l.Number > last })
	} else if which != "all" {
		held := map[compiler.Origin]bool{}
		for _, o := range k.Explain(which) {
			held[o] = true
		}
		chosen = slices.DeleteFunc(all, func(l numberedLine) bool { return !held[l.Origin] })
	}
	if len(chosen) == 0 {
		return nil, ctxmcp.Errorf(ctxmcp.CodeNotFound, "the output has no such line").WithHint("--line all lists them")
	}
	return chosen, nil
}

// lineRange reads the two ends of 12, 10-40 or 10-.
func lineRange(m []string, lines int) (first, last int, err error) {
	if first, err = strconv.Atoi(m[1]); err != nil {
		return 0, 0, usage("--line %s: there are %d lines", m[0], lines)
	}
	switch {
	case m[2] == "":
		return first, first, nil
	case m[3] == "":
		return first, lines, nil
	}
	if last, err = strconv.Atoi(m[3]); err != nil {
		last = lines
	}
	return first, last, nil
}

// printLines writes each line as the model sees it, under its origin.
func (r traceReport) printLines(w io.Writer) error {
	p := &tracePrinter{w: w}
	for _, l := range r.Lines {
		from := l.Source
		if l.ObjectID != "" {
			from = fmt.Sprintf("%s version %d, from %s", l.ObjectID, l.Version, cmp.Or(l.Source, "nowhere"))
		}
		p.line("%4d  %s", l.Number, printable(l.Text))
		p.line("      %s, by %s, in zone %s", printable(oneLine(from)), printable(oneLine(l.Rule)), l.Zone)
	}
	return p.err
}
