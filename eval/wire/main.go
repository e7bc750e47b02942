// Command wire measures the real binary as a client feels it: over stdio and HTTP, beside server-memory and a loop of writes that each
// wait for the disk, in one run. It prints the median of several runs of each row, the goals of the row, and ratios.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"

	"github.com/ctx-mcp/ctx-mcp/eval/program"
)

func main() {
	var b bench
	flag.StringVar(&b.server, "server", "bin/ctx-mcp", "the server's binary")
	flag.StringVar(&b.peer, "peer", "", "the script of server-memory that node runs; empty: no peer")
	flag.IntVar(&b.runs, "runs", 5, "runs, of which each row prints the median")
	flag.IntVar(&b.held, "held", 10_000, "memories that the store holds")
	flag.StringVar(&b.filled, "data", "", "a data directory that holds them already, which is written to; empty: one is made")
	only := flag.String("only", "", "measure the rows that this expression matches")
	guard := flag.String("guard", "", "compare processor times with the ratios in this file, and measure nothing else")
	other := flag.String("beside", "", "another binary, such as that of the commit before: print the processor time of calls as a share of its own, in turns, and nothing else")
	store := flag.Bool("store", false, "with -guard: write the file")
	program.Main("eval wire", func(ctx context.Context) error {
		if *guard != "" {
			return b.within(func() error { return b.guard(ctx, *guard, *store) })
		}
		which, err := regexp.Compile(*only)
		if err != nil {
			return err
		}
		if *other != "" {
			return b.within(func() error { return b.beside(ctx, *other, which) })
		}
		return b.within(func() error { return b.measure(ctx, which) })
	})
}

// within does work with a folder for data, and removes it.
func (b *bench) within(work func() error) (err error) {
	if b.work, err = os.MkdirTemp("", "ctx-mcp-wire-"); err != nil {
		return err
	}
	defer os.RemoveAll(b.work)
	return work()
}

// measure prints a line for each row that the expression matches.
func (b *bench) measure(ctx context.Context, which *regexp.Regexp) error {
	fmt.Printf("%-52s %10s %10s %10s %10s\n", "work", "median", "processor", "at least", "aim")
	for _, r := range rows {
		if !which.MatchString(r.name) || r.peer && b.peer == "" {
			continue
		}
		var all, used []float64
		for range b.runs {
			m, err := r.measure(ctx, b)
			if err != nil {
				return fmt.Errorf("%s: %w", r.name, err)
			}
			all, used = append(all, m.value), append(used, m.processor)
		}
		fmt.Printf("%-52s %10.2f %10s %10s %10s\n", r.name+", "+r.unit, median(all), shown(median(used)), shown(r.least), shown(r.aim))
	}
	return nil
}

func median(of []float64) float64 {
	slices.Sort(of)
	return of[len(of)/2]
}

// shown writes a number; nothing for 0, which is no figure.
func shown(n float64) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%.2f", n)
}
