// Command compile measures the evidence that compile_context puts into a prompt: it stores every turn of labelled
// conversations through a real ctx-mcp server over MCP, compiles the context of every question at several budgets, and prints
// the share of the evidence that is in it, and the share of its tokens that is evidence. Beside them stand those of the top
// results of recall, and of the most recent turns, within the same budget.
//
// The data stays outside the repository.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/ctx-mcp/ctx-mcp/eval/labelled"
	"github.com/ctx-mcp/ctx-mcp/eval/program"
)

func main() {
	var o options
	flag.StringVar(&o.server, "server", "bin/ctx-mcp", "the server's binary")
	flag.StringVar(&o.corpus, "corpus", "", "turns, JSON Lines, plain or .gz")
	flag.StringVar(&o.queries, "queries", "", "questions, JSON Lines, plain or .gz")
	flag.StringVar(&o.exclude, "exclude", "", "category of questions to leave out")
	flag.IntVar(&o.every, "every", 1, "ask every n-th question only")
	program.Main("eval compile", func(ctx context.Context) error { return measure(ctx, o) })
}

type options struct {
	server, corpus, queries, exclude string
	every                            int
}

var budgets = []int{1000, 2000, 4000}

func measure(ctx context.Context, o options) error {
	turns, err := labelled.Read[labelled.Turn](o.corpus)
	if err != nil {
		return err
	}
	queries, err := labelled.Read[labelled.Query](o.queries)
	if err != nil {
		return err
	}
	queries = slices.DeleteFunc(queries, func(q labelled.Query) bool { return o.exclude != "" && q.Category == o.exclude })
	dir, err := os.MkdirTemp("", "ctx-mcp-eval-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	s, err := labelled.Start(ctx, o.server, dir)
	if err != nil {
		return err
	}
	defer s.Close()
	var t table
	var wg sync.WaitGroup
	failed := make(chan error, len(turns))
	for _, c := range labelled.Group(turns, queries, false) {
		wg.Go(func() {
			if err := one(ctx, s, c, o.every, &t); err != nil {
				failed <- fmt.Errorf("%s: %w", c.Name, err)
			}
		})
	}
	wg.Wait()
	close(failed)
	if err := <-failed; err != nil {
		return err
	}
	fmt.Print(t.String())
	return nil
}

// one measures the questions of one conversation.
func one(ctx context.Context, s *labelled.Server, c *labelled.Conversation, every int, t *table) error {
	if err := s.Store(ctx, c); err != nil {
		return err
	}
	for i, q := range c.Queries {
		if i%every != 0 {
			continue
		}
		if err := ask(ctx, s, c, q, t); err != nil {
			return fmt.Errorf("question %s: %w", q.ID, err)
		}
	}
	return nil
}

// table sums up figures by budget and by way.
type table struct {
	mu   sync.Mutex // guards rows
	rows map[string]*row
}

type row struct {
	n                                  int
	recall, precision, tokens, objects float64
	over                               int // outputs over their budget
}

func (t *table) add(name string, f figures, budget int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.rows == nil {
		t.rows = map[string]*row{}
	}
	if t.rows[name] == nil {
		t.rows[name] = &row{}
	}
	r := t.rows[name]
	r.n++
	r.recall += f.recall
	r.precision += f.precision
	r.tokens += float64(f.tokens)
	r.objects += float64(f.objects)
	if budget > 0 && f.tokens > budget {
		r.over++
	}
}

func (t *table) String() string {
	names := []string{}
	for name := range t.rows {
		names = append(names, name)
	}
	slices.Sort(names)
	var b strings.Builder
	fmt.Fprintf(&b, "%-28s %9s %9s %9s %8s %8s %6s\n", "", "questions", "recall", "precision", "tokens", "objects", "over")
	for _, name := range names {
		r := t.rows[name]
		n := float64(r.n)
		fmt.Fprintf(&b, "%-28s %9d %9.3f %9.3f %8.0f %8.1f %6d\n", name, r.n, r.recall/n, r.precision/n, r.tokens/n, r.objects/n, r.over)
	}
	return b.String()
}
