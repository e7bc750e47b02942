package main

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/ctx-mcp/ctx-mcp/eval/fit"
	"github.com/ctx-mcp/ctx-mcp/memory/ranking"
)

// rivalOutcomes returns the pairs of candidates of the questions: an outdated statement before the answer is to give way, and an answer before
// anything else is not.
func rivalOutcomes(questions []question, weights []float64) (all []fit.Outcome) {
	for _, q := range questions {
		if slices.Contains(composed, q.Kind) {
			continue
		}
		is := func(i int, in func(statement string) bool) bool {
			return slices.ContainsFunc(q.told[q.found.Object(i).ObjectID], in)
		}
		answers := func(s string) bool { return q.Relevant[s] == 2 }
		outdated := func(s string) bool { return slices.Contains(q.Outdated, s) }
		for _, p := range q.found.PairsBy(weights) {
			right := is(p.Older, outdated) && is(p.Newer, answers)
			if right || is(p.Older, answers) && !is(p.Newer, answers) {
				all = append(all, fit.Outcome{Group: q.Group, Signs: p.Values, Right: right, Counts: 1})
			}
		}
	}
	return all
}

// judgeRivals prints how the questions are answered where rivals are judged by weights that did not see the world, and the weights that are
// fitted to all.
func (w *worlds) judgeRivals(ctx context.Context, out io.Writer, weights []float64) error {
	outcomes := rivalOutcomes(w.questions, weights)
	right := 0
	for _, o := range outcomes {
		if o.Right {
			right++
		}
	}
	held, all := map[string][]float64{}, fit.Logistic(outcomes, 0.5, 1)
	for _, q := range w.questions {
		if held[q.Group] == nil {
			held[q.Group] = fit.Logistic(slices.DeleteFunc(slices.Clone(outcomes), func(o fit.Outcome) bool { return o.Group == q.Group }), 0.5, 1)
		}
	}
	_, signs := signsInUse()
	by := func(group string) ([]float64, []float64) { return weights, signs }
	w.rivals = func(group string) []float64 { return held[group] }
	defer func() { w.rivals = nil }()
	if err := w.report(ctx, out, fmt.Sprintf("everyday worlds with rivals by fits that did not see the world, of %d pairs, %d rivals", len(outcomes), right), by); err != nil {
		return err
	}
	for k, name := range ranking.RivalNames() {
		fmt.Fprintf(out, "%s\t%.2f\tfitted by make fit-recall\n", name, all[k])
	}
	return nil
}
