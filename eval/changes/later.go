package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/ctx-mcp/ctx-mcp/eval/fit"
	"github.com/ctx-mcp/ctx-mcp/memory/later"
)

// fitLater fits the weights of the signs that a later statement leaves an earlier one behind, and prints how many pairs are found among the likeliest,
// each world judged by weights that were fitted without it. With a path it writes them there.
func fitLater(out io.Writer, worlds []world, path string) error {
	var all []fit.Outcome
	for _, w := range worlds {
		all = append(all, w.later...)
	}
	type judged struct {
		odds  float64
		right bool
	}
	var pairs []judged
	found := 0
	for i, left := range worlds {
		var rest []fit.Outcome
		for j, w := range worlds {
			if i != j {
				rest = append(rest, w.later...)
			}
		}
		by := fit.Logistic(rest, shrink, 1)
		for _, o := range left.later {
			pairs = append(pairs, judged{fit.Odds(by, o.Signs), o.Right})
			if o.Right {
				found++
			}
		}
	}
	slices.SortStableFunc(pairs, func(a, b judged) int { return cmp.Compare(b.odds, a.odds) })
	right := 0
	for i, p := range pairs {
		if p.right {
			right++
		}
		if n := i + 1; n%(max(1, found/4)) == 0 && n <= 2*found {
			fmt.Fprintf(out, "left behind: %d of %d among the likeliest %d of %d pairs, from %.2f on\n", right, found, n, len(pairs), p.odds)
		}
	}
	if path == "" {
		return nil
	}
	return fit.WriteTable(path,
		"The weights of the signs that a later statement leaves an earlier one behind: the name of a sign, its weight, and where the weight is from. make fit-changes fits them.",
		fit.Rows("fit-changes", later.SignNames(), fit.Logistic(all, shrink, 1)))
}
