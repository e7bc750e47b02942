// Command changes fits the weights of the features of a change, memory/change/weights.tsv, to labelled pairs of statements, and tells
// how well changes are found among statements that the fit did not see: a world of statements is left out as a whole.
//
// A world's questions say which statement is current and which are outdated: those are the pairs that are a change, and all others of
// the world are none. Only questions with one or two current answers label pairs: lists name statements that merely belong together.
// The pairs of the repository (memory/change/testdata/pairs.txt, but for the halves marked "b" and "e") are one more world. The data stays outside the
// repository; the weights in use are changed only by -write.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/ctx-mcp/ctx-mcp/eval/fit"
	"github.com/ctx-mcp/ctx-mcp/eval/program"
	"github.com/ctx-mcp/ctx-mcp/memory/change"
)

func main() {
	flags := fit.DeclareFlags("memory/change/weights.tsv")
	behind := flag.String("write-later", "", "file for the fitted weights of what is left behind, such as memory/later/signs.tsv")
	pairs := flag.String("pairs", "memory/change/testdata/pairs.txt", "file of the repository's pairs")
	program.Main("fit changes", func(ctx context.Context) error { return run(ctx, flags, *pairs, *behind) })
}

func run(ctx context.Context, flags *fit.Flags, pairs, behind string) error {
	worlds, err := readWorlds(filepath.Join(flags.Data, "everyday"))
	if err != nil {
		return err
	}
	lives, err := readLives()
	if err != nil {
		return err
	}
	worlds = append(worlds, lives...)
	own, err := readPairs(pairs)
	if err != nil {
		return err
	}
	if err := report(ctx, os.Stdout, worlds, own); err != nil {
		return err
	}
	if err := fitLater(os.Stdout, worlds, behind); err != nil {
		return err
	}
	fitted := weightsOf(slices.Concat(cases(worlds), own["a"], own["c"], own["d"]))
	if flags.Write == "" {
		return nil
	}
	return fit.WriteTable(flags.Write,
		"The weights of the features of a change: the name of a feature, its weight, and where the weight is from. make fit-changes fits them.",
		fit.Rows("fit-changes", change.FeatureNames(), fitted))
}

// report prints how well the pairs of each world are found by weights that were fitted without it, and those of the repository.
func report(ctx context.Context, w io.Writer, worlds []world, own map[string][]fit.Outcome) error {
	var total tally
	train := slices.Concat(own["a"], own["c"], own["d"])
	for i, left := range worlds {
		if err := ctx.Err(); err != nil {
			return err
		}
		rest := slices.Delete(slices.Clone(worlds), i, i+1)
		t := judge(left.examples, weightsOf(slices.Concat(cases(rest), train)))
		fmt.Fprintf(w, "%s left out\t%s\n", left.name, t)
		total = total.plus(t)
	}
	fmt.Fprintf(w, "all left out\t%s\n", total)
	without := weightsOf(cases(worlds))
	for _, half := range []string{"a", "b", "d", "e"} {
		fmt.Fprintf(w, "pairs %s, fitted to worlds alone\t%s\n", half, judge(own[half], without))
	}
	for _, half := range []string{"b", "e"} {
		fmt.Fprintf(w, "pairs %s, fitted to all else\t%s\n", half, judge(own[half], weightsOf(slices.Concat(cases(worlds), train))))
	}
	return nil
}

// shrink is the weight of the squares of the weights.
const shrink = 0.5

// weightsOf fits the weights. The first feature is the bias.
func weightsOf(pairs []fit.Outcome) []float64 { return fit.Logistic(pairs, shrink, 1) }

// tally counts pairs by their label and how likely the weights take them for a change.
type tally struct{ changes, others, sure, likely, falseSure, falseLikely int }

func (t tally) plus(o tally) tally {
	return tally{t.changes + o.changes, t.others + o.others, t.sure + o.sure, t.likely + o.likely, t.falseSure + o.falseSure, t.falseLikely + o.falseLikely}
}

func (t tally) String() string {
	return fmt.Sprintf("sure %d and likely %d of %d changes; wrongly sure %d and likely %d of %d others",
		t.sure, t.likely, t.changes, t.falseSure, t.falseLikely, t.others)
}

func judge(examples []fit.Outcome, by []float64) (t tally) {
	for _, e := range examples {
		p := fit.Odds(by, e.Signs)
		count := func(all, sure, likely *int) {
			*all++
			if p >= change.SureFrom {
				*sure++
			}
			if p >= change.LikelyFrom {
				*likely++
			}
		}
		if e.Right {
			count(&t.changes, &t.sure, &t.likely)
		} else {
			count(&t.others, &t.falseSure, &t.falseLikely)
		}
	}
	return t
}
