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
	"os/signal"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/eval/fit"
)

func main() {
	log.SetFlags(0)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var o options
	flag.StringVar(&o.data, "data", "../shared/data", "folder of the evaluation data")
	sets := flag.String("sets", "locomo longmemeval-pool", "sets to fit to, of those in the folder")
	flag.BoolVar(&o.ablate, "ablate", false, "tell what each feature is worth, instead of the weights")
	flag.StringVar(&o.write, "write", "", "file for the fitted weights, such as memory/ranking/weights.tsv")
	flag.Parse()
	o.sets = strings.Fields(*sets)
	if err := run(ctx, o); err != nil {
		log.Fatal("fit: ", err)
	}
}

type options struct {
	data   string
	sets   []string
	ablate bool
	write  string
}

func run(ctx context.Context, o options) error {
	var all []fit.List
	for _, set := range o.sets {
		read, err := readSet(ctx, o.data, set)
		if err != nil {
			return fmt.Errorf("%s: %w", set, err)
		}
		log.Printf("%s: %d questions with evidence among the candidates", set, len(read))
		all = append(all, read...)
	}
	names, weights := inUse()
	if o.ablate {
		fit.ReportListAblation(os.Stdout, names, all, weights)
		return nil
	}
	fitted, err := fit.ReportLists(os.Stdout, names, all, weights)
	if err != nil || o.write == "" {
		return err
	}
	return writeWeights(o.write, fitted)
}
