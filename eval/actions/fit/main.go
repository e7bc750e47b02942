// Command fit compares the weights of the indicators, actions/taint/weights.tsv, with weights that are fitted to labelled sessions,
// and tells what each indicator is worth. Every figure of a fit is of a suite that the fit did not see: a suite is left out as a
// whole, never single actions.
//
// It plays the sessions through package taint, and reads the counts of the indicators for every sentence that an action is compared
// with. An action is one case, scored by its best sentence. The actions before it are judged by the weights in use. The data stays
// outside the repository; the weights in use are changed only by -write.
package main

import (
	"context"
	"flag"
	"log"
	"os"
	"path/filepath"

	"github.com/ctx-mcp/ctx-mcp/actions/taint"
	"github.com/ctx-mcp/ctx-mcp/eval/fit"
	"github.com/ctx-mcp/ctx-mcp/eval/program"
)

func main() {
	flags := fit.DeclareFlags("actions/taint/weights.tsv")
	ablate := flag.Bool("ablate", false, "tell what each indicator is worth, instead of the weights")
	loo := flag.Bool("loo", false, "with the written sessions too")
	blind := flag.Bool("blind", false, "with -loo: with the suites that are held back")
	program.Main("fit actions", func(ctx context.Context) error { return run(ctx, flags, *ablate, *loo, *blind) })
}

func run(ctx context.Context, flags *fit.Flags, ablate, loo, blind bool) error {
	cases, err := readCases(ctx, filepath.Join(flags.Data, "actions"), false)
	if err != nil {
		return err
	}
	if loo {
		written, err := readCases(ctx, filepath.Join(flags.Data, "actions-authored"), blind)
		if err != nil {
			return err
		}
		cases = append(cases, written...)
	}
	log.Printf("%d actions that can do harm, of %d suites", len(cases), len(fit.Groups(cases)))
	inUse := fit.Model{Threshold: taint.Threshold}
	var names []string
	for _, i := range taint.Indicators() {
		names, inUse.Weights = append(names, i.Name), append(inUse.Weights, i.Weight)
	}
	if ablate {
		fit.ReportAblation(os.Stdout, names, cases, inUse)
		return nil
	}
	fitted := fit.Report(os.Stdout, names, cases, inUse)
	if flags.Write == "" {
		return nil
	}
	return fit.WriteTable(flags.Write,
		"The weights of the indicators: the name of an indicator, its weight, and where the weight is from. make fit-actions compares them with a fit.",
		fit.Rows("fit-actions", names, fitted.Weights))
}
