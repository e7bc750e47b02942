// Command fit compares the weights of the ranking of memories, memory/ranking/weights.tsv, with weights that are fitted to
// labelled questions, and tells what each feature is worth. Every figure is of conversations that its fit has not seen: a
// conversation, and in a second table a whole set, is left out, never single questions.
//
// It stores the conversations through the real memory on the real store, and reads the features of the candidates of each
// question before any gate. The data stays outside the repository; the weights in use are changed only by -write.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/eval/fit"
	"github.com/ctx-mcp/ctx-mcp/eval/program"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/memory/ranking"
)

func main() {
	o := options{Flags: fit.DeclareFlags("memory/ranking/weights.tsv")}
	sets := flag.String("sets", "locomo longmemeval-pool everyday", "sets to fit to, of those in the folder")
	flag.BoolVar(&o.ablate, "ablate", false, "tell what each feature is worth, instead of the weights")
	program.Main("fit recall", func(ctx context.Context) error {
		o.sets = strings.Fields(*sets)
		return run(ctx, o)
	})
}

type options struct {
	*fit.Flags
	sets   []string
	ablate bool
}

func run(ctx context.Context, o options) error {
	names, weights := inUse()
	fitted, signs := slices.Clone(weights), []float64(nil)
	var all []fit.List
	for _, set := range o.sets {
		if set == everyday {
			continue
		}
		read, err := readSet(ctx, o.Data, set)
		if err != nil {
			return fmt.Errorf("%s: %w", set, err)
		}
		log.Printf("%s: %d questions with evidence among the candidates", set, len(read))
		all = append(all, read...)
	}
	if len(all) > 0 && o.ablate {
		fit.ReportListAblation(os.Stdout, names, all, weights)
	} else if len(all) > 0 {
		var err error
		if fitted, err = fit.ReportLists(os.Stdout, names, all, weights); err != nil {
			return err
		}
	}
	if slices.Contains(o.sets, everyday) {
		worlds, err := everydayWorlds(ctx, o.Data)
		if err != nil {
			return fmt.Errorf("%s: %w", everyday, err)
		}
		if o.ablate {
			ablateWorlds(os.Stdout, worlds, weights)
			return nil
		}
		told := fit.FitSome(listsOf(worlds), weights, toldOnly())
		for k, free := range toldOnly() {
			if free {
				fitted[k] = told[k]
			}
		}
		signs = reportRelevance(worlds, weights)
	}
	if o.Write == "" {
		return nil
	}
	return writeWeights(o.Write, fitted, signs)
}

// everydayWorlds reads the open worlds from a memory of their own.
func everydayWorlds(ctx context.Context, data string) (worlds []question, err error) {
	err = withMemory(ctx, func(m *memory.Service) error {
		worlds, err = readWorlds(ctx, m, data)
		return err
	})
	return worlds, err
}

// toldOnly tells which weights are of statements told by themselves: those that worlds are fitted to.
func toldOnly() []bool {
	var free []bool
	for _, w := range ranking.Weights() {
		free = append(free, w.Told)
	}
	return free
}

// reportRelevance prints how the questions to worlds are answered by the weights in use, and by those that were fitted without the
// world, and returns the weights of the signs of relevance that are fitted to the outcomes of the latter.
func reportRelevance(worlds []question, weights []float64) []float64 {
	_, inUse := signsInUse()
	reportWorlds(os.Stdout, "everyday worlds by the weights in use", worlds, func(string) ([]float64, []float64) { return weights, inUse })
	held := fit.HeldOutLists(listsOf(worlds), weights, toldOnly())
	outcomes := outcomesOf(worlds, func(group string) []float64 { return held[group] })
	signs := fit.CalibrateHeldOut(outcomes)
	reportWorlds(os.Stdout, "everyday worlds by fits that did not see the world", worlds, func(group string) ([]float64, []float64) { return held[group], signs[group] })
	return fit.Calibrate(outcomes)
}

// ablateWorlds prints what each feature of statements is worth: the hit@1 and hit@3 of fits without it, of worlds that they did not
// see, below those of fits with it.
func ablateWorlds(out io.Writer, worlds []question, weights []float64) {
	_, signs := signsInUse()
	scoreOf := func(without int) worldScore {
		free, lacking := toldOnly(), slices.Clone(weights)
		if without >= 0 {
			free[without], lacking[without] = false, 0
		}
		held := fit.HeldOutLists(listsOf(worlds), lacking, free)
		var s worldScore
		for _, q := range worlds {
			s.add(q, q.found.RankBy(held[q.Group], signs))
		}
		return s
	}
	whole := scoreOf(-1)
	fmt.Fprintf(out, "\nloss on everyday worlds without the feature, fitted without the world\n%-22s %8s %8s %8s\n", "feature", "hit@1", "hit@3", "rec@10")
	for k, w := range ranking.Weights() {
		if w.Told {
			s := scoreOf(k)
			fmt.Fprintf(out, "%-22s %+8.3f %+8.3f %+8.3f\n", w.Name, (whole.first-s.first)/whole.asks, (whole.three-s.three)/whole.asks, (whole.ten-s.ten)/whole.asks)
		}
	}
}
