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
	"math"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/ctx-mcp/ctx-mcp/actions/taint"
	"github.com/ctx-mcp/ctx-mcp/eval/fit"
	"github.com/ctx-mcp/ctx-mcp/weights"
)

func main() {
	log.SetFlags(0)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	data := flag.String("data", "../shared/data", "folder of the evaluation data")
	ablate := flag.Bool("ablate", false, "tell what each indicator is worth, instead of the weights")
	path := flag.String("write", "", "file for the fitted weights, such as actions/taint/weights.tsv")
	flag.Parse()
	if err := run(ctx, *data, *ablate, *path); err != nil {
		log.Fatal("fit actions: ", err)
	}
}

func run(ctx context.Context, data string, ablate bool, path string) error {
	cases, err := readCases(ctx, filepath.Join(data, "actions"))
	if err != nil {
		return err
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
	if path == "" {
		return nil
	}
	return write(path, names, fitted)
}

// write writes the fitted weights as the table of the indicators, with two decimals.
func write(path string, names []string, m fit.Model) error {
	var rows []weights.Row
	for k, name := range names {
		rows = append(rows, weights.Row{Name: name, Weight: math.Round(m.Weights[k]*100) / 100, Source: "fitted by make fit-actions"})
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return weights.Write(f, "The weights of the indicators: the name of an indicator, its weight, and where the weight is from. make fit-actions compares them with a fit.", rows)
}
