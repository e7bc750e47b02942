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
	"os"
	"path/filepath"

	"github.com/ctx-mcp/ctx-mcp/eval/fit"
	"github.com/ctx-mcp/ctx-mcp/eval/program"
	"github.com/ctx-mcp/ctx-mcp/reduce"
	"github.com/ctx-mcp/ctx-mcp/weights"
)

func main() {
	flags := fit.DeclareFlags("reduce/weights.tsv")
	ablate := flag.Bool("ablate", false, "tell what each feature is worth, instead of the weights")
	only := flag.String("table", "", "names, lines or statements: fit these alone, and keep the other weights")
	program.Main("fit reduce", func(ctx context.Context) error { return run(ctx, os.Stdout, flags, *only, *ablate) })
}

// table is one of the tables of features, with the labelled cases that tell its weights.
type table struct {
	name  string
	inUse []weights.Row
	cases []fit.Case
}

func run(ctx context.Context, out io.Writer, flags *fit.Flags, only string, ablate bool) error {
	names, lines, err := readFacts(ctx, filepath.Join(flags.Data, "transcripts"))
	if err != nil {
		return err
	}
	statements, err := readStatements(ctx, filepath.Join(flags.Data, "conclusions"), filepath.Join(flags.Data, "transcripts"))
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
	if ablate || flags.Write == "" {
		return nil
	}
	return fit.WriteTable(flags.Write, "The weights of the choice of a digest: the feature of a name, of a line or of a statement, "+
		"its weight in log odds, and where the weight is from. make fit-reduce compares them with a fit.", rows)
}

// report prints the quality of a fit to the cases, and returns its weights.
func (t table) report(out io.Writer, ablate bool) []weights.Row {
	var names []string
	inUse := fit.Model{Calibrated: true}
	for _, w := range t.inUse {
		names, inUse.Weights = append(names, w.Name), append(inUse.Weights, w.Weight)
	}
	if ablate {
		fit.ReportAblation(out, names, t.cases, inUse)
		return nil
	}
	return fit.Rows("fit-reduce", names, fit.Report(out, names, t.cases, inUse).Weights)
}
