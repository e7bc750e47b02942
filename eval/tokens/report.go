package main

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// exact prints how many counts are not exact, with the first of them.
func exact(rows []*row, tokens func(row) float64) (wrong int) {
	for _, r := range rows {
		if r.size.Tokens != tokens(*r) || r.size.AtMost != tokens(*r) {
			if wrong++; wrong <= 5 {
				fmt.Printf("  %s: %.0f, want %.0f\n", r.Class, r.size.Tokens, tokens(*r))
			}
		}
	}
	fmt.Printf("  exact: %d of %d\n", len(rows)-wrong, len(rows))
	return wrong
}

// singles prints the relative errors of single texts, and how often the bound is exceeded. A provider's count that
// cannot be of the text alone is told apart.
func singles(rows []*row, tokens func(row) float64) {
	var all, some []float64
	over, odd := 0, 0
	for _, r := range rows {
		e := math.Abs(r.size.Tokens/tokens(*r) - 1)
		all = append(all, e)
		if r.impossible() {
			odd++
			continue
		}
		some = append(some, e)
		if tokens(*r) > r.size.AtMost {
			over++
		}
	}
	line("single texts", all)
	if odd > 0 {
		line(fmt.Sprintf("without %d impossible", odd), some)
	}
	fmt.Printf("  %-24s %d of %d, %.2f %%\n", "over the bound", over, len(some), 100*float64(over)/float64(len(some)))
}

// sessions prints the errors of texts that stood together: those of one session, or rows that follow each other.
func sessions(rows []*row, tokens func(row) float64) {
	sums := map[string][2]float64{}
	for i, r := range rows {
		name := r.Source
		if name == "" {
			name = fmt.Sprint("rows ", i/30)
		} else if !strings.HasPrefix(name, "transcript") {
			continue
		}
		if !r.impossible() {
			sums[name] = [2]float64{sums[name][0] + r.size.Tokens, sums[name][1] + tokens(*r)}
		}
	}
	var all []float64
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		all = append(all, math.Abs(sums[name][0]/sums[name][1]-1))
	}
	line("whole sessions", all)
}

// anchored prints the errors of prompts of which all but the row's texts was reported.
func anchored(rows []*row) {
	var all []float64
	for _, r := range rows {
		if r.Prompt > 0 {
			all = append(all, math.Abs(r.size.Tokens-r.Tokens)/r.Prompt)
		}
	}
	if len(all) > 0 {
		line("anchored prompts", all)
	}
}

func line(name string, errors []float64) {
	slices.Sort(errors)
	at := func(q float64) float64 { return 100 * errors[min(len(errors)-1, int(q*float64(len(errors))))] }
	fmt.Printf("  %-24s %4d: median %5.2f %%, p95 %5.2f %%, p99 %5.2f %%, worst %6.2f %%\n", name, len(errors), at(0.5), at(0.95), at(0.99), at(1))
}
