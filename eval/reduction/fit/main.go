// Command fit compares the weights by which a digest is chosen, reduce/weights.tsv, with weights that are fitted to labelled
// transcripts, and tells what each feature is worth. Every figure of a fit is of a session that the fit did not see: a session is left
// out with all its cuts, never single rows.
//
// It reads the features as package reduce has them, of the messages that would be moved out before each cut. A name or a line is
// positive if the agent used it after the cut without seeing it again, as the labels tell. The data stays outside the repository;
// the weights in use are changed only by -write.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"math"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/ctx-mcp/ctx-mcp/eval/fit"
	"github.com/ctx-mcp/ctx-mcp/reduce"
	"github.com/ctx-mcp/ctx-mcp/weights"
)

func main() {
	log.SetFlags(0)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	data := flag.String("data", "../shared/data", "folder of the evaluation data")
	ablate := flag.Bool("ablate", false, "tell what each feature is worth, instead of the weights")
	path := flag.String("write", "", "file for the fitted weights, such as reduce/weights.tsv")
	only := flag.String("table", "", "names, lines or statements: fit these alone, and keep the other weights")
	flag.Parse()
	if err := run(ctx, os.Stdout, *data, *only, *ablate, *path); err != nil {
		log.Fatal("fit reduce: ", err)
	}
}

// table is one of the tables of features, with the labelled cases that tell its weights.
type table struct {
	name  string
	inUse []weights.Row
	cases []fit.Case
}

func run(ctx context.Context, out io.Writer, data, only string, ablate bool, path string) error {
	names, lines, err := readFacts(ctx, filepath.Join(data, "transcripts"))
	if err != nil {
		return err
	}
	statements, err := readStatements(ctx, filepath.Join(data, "conclusions"), filepath.Join(data, "transcripts"))
	if err != nil {
		return err
	}
	var rows []weights.Row
	for _, t := range []table{
		{"names", reduce.NameWeights(), names}, {"lines", reduce.LineWeights(), lines}, {"statements", reduce.StatementWeights(), statements},
	} {
		if only != "" && only != t.name {
			rows = append(rows, t.inUse...)
			continue
		}
		fmt.Fprintf(out, "\n%s: %d cases of %d sessions\n", t.name, len(t.cases), len(fit.Groups(t.cases)))
		rows = append(rows, t.report(out, ablate)...)
	}
	if ablate || path == "" {
		return nil
	}
	return write(path, rows)
}

// report prints the quality of a fit to the cases, and returns its weights.
func (t table) report(out io.Writer, ablate bool) (rows []weights.Row) {
	var names []string
	inUse := fit.Model{Calibrated: true}
	for _, w := range t.inUse {
		names, inUse.Weights = append(names, w.Name), append(inUse.Weights, w.Weight)
	}
	if ablate {
		fit.ReportAblation(out, names, t.cases, inUse)
		return nil
	}
	fitted := fit.Report(out, names, t.cases, inUse)
	for k, name := range names {
		rows = append(rows, weights.Row{Name: name, Weight: math.Round(fitted.Weights[k]*100) / 100, Source: "fitted by make fit-reduce"})
	}
	return rows
}

// write writes the fitted weights as the table of package reduce.
func write(path string, rows []weights.Row) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return weights.Write(f, "The weights of the choice of a digest: the feature of a name, of a line or of a statement, its weight in log odds, and where the weight is from. make fit-reduce compares them with a fit.", rows)
}
