package audit

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// Form names the shape of a Report in JSON. A change that is not an addition gives it another number.
const Form = "ctx-mcp/audit/1"

// Report is the result of an audit.
type Report struct {
	Form     string    `json:"form"`
	Format   string    `json:"format"` // of the input
	At       time.Time `json:"at"`
	Records  int       `json:"records"`  // memories that count now
	Versions int       `json:"versions"` // looked at, past ones included
	Kinds    []Count   `json:"kinds"`    // of every check, the worst first
	Findings []Finding `json:"findings"` // in the order of the kinds, the worst of a kind first
}

// Count says how often a check found something.
type Count struct {
	Kind     Kind   `json:"kind"`
	Doc      string `json:"doc"`
	Findings int    `json:"findings"`
	Records  int    `json:"records"` // memories that the findings name
}

// Finding is one thing that is wrong.
type Finding struct {
	Kind    Kind    `json:"kind"`
	Why     string  `json:"why"`
	Records []Place `json:"records"`
	weight  float64 // how bad, among those of its kind
}

// Count returns the number of findings that are of the kinds.
func (r Report) Count(kinds ...Kind) int {
	n := 0
	for _, c := range r.Kinds {
		for _, k := range kinds {
			if c.Kind == k {
				n += c.Findings
			}
		}
	}
	return n
}

// Print writes the report for a person: the counts, then at most limit findings of each kind with at most limit records; 0
// is all of them.
func (r Report) Print(w io.Writer, limit int) error {
	p := &printer{w: w, limit: limit}
	p.line("%s (%s), on %s: %s", counted(r.Records, "memory", "memories"), r.Format, date(r.At), counted(len(r.Findings), "finding", "findings"))
	findings := r.Findings
	for _, c := range r.Kinds {
		p.line("  %-15s %6d  %s", c.Kind, c.Findings, c.Doc)
	}
	for _, c := range r.Kinds {
		if c.Findings > 0 {
			p.kind(c, findings[:c.Findings])
		}
		findings = findings[c.Findings:]
	}
	return p.err
}

// counted returns a number with its noun.
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// printer keeps the first error.
type printer struct {
	w     io.Writer
	limit int
	err   error
}

func (p *printer) line(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintln(p.w, strings.TrimRight(fmt.Sprintf(format, args...), " "))
	}
}

func (p *printer) kind(c Count, findings []Finding) {
	p.line("")
	p.line("%s", c.Kind)
	for i, f := range findings {
		if p.limit > 0 && i == p.limit {
			p.line("  and %d more", len(findings)-i)
			return
		}
		p.finding(f)
	}
}

func (p *printer) finding(f Finding) {
	p.line("  %s", f.Why)
	for i, place := range f.Records {
		if p.limit > 0 && i == p.limit {
			p.line("    and %d more", len(f.Records)-i)
			return
		}
		p.line("    %s  %s", place.name(), place.Excerpt)
	}
}

// name returns how a person finds the memory: by its line in a file, by its id and namespace in a store.
func (p Place) name() string {
	var parts []string
	if p.Line > 0 {
		parts = append(parts, fmt.Sprintf("line %d", p.Line))
	}
	for _, part := range []string{p.ID, p.Group} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, " ")
}
