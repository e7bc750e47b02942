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
	start := unfitted(weights)
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
		err := withMemory(ctx, func(m *memory.Service) error {
			w, err := readWorlds(ctx, m, o.Data)
			if err != nil {
				return err
			}
			if o.ablate {
				return w.ablate(ctx, os.Stdout, start)
			}
			told := fit.FitSome(listsOf(w.questions), start, toldOnly())
			for k, free := range toldOnly() {
				if free {
					fitted[k] = told[k]
				}
			}
			signs, err = w.judge(ctx, os.Stdout, weights)
			return err
		})
		if err != nil {
			return fmt.Errorf("%s: %w", everyday, err)
		}
	}
	if o.ablate {
		return nil
	}
	if o.Write == "" {
		return nil
	}
	return writeWeights(o.Write, fitted, signs)
}

// toldOnly tells which weights are of statements told by themselves: those that worlds are fitted to.
func toldOnly() []bool {
	var free []bool
	for _, w := range ranking.Weights() {
		free = append(free, w.Told)
	}
	return free
}

// unfitted returns the weights with 0 for those that worlds are fitted to: a fit that began with the weights in use would begin with what
// the world that it leaves out has taught them.
func unfitted(weights []float64) []float64 {
	start := slices.Clone(weights)
	for k, free := range toldOnly() {
		if free {
			start[k] = 0
		}
	}
	return start
}
