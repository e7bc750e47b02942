// Command recall measures recall: it stores every turn of labelled conversations through a real ctx-mcp server over
// MCP, asks every question, and writes the answers as a run for the scorer.
//
// One conversation is one project. The data stays outside the repository.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/ctx-mcp/ctx-mcp/eval/labelled"
	"github.com/ctx-mcp/ctx-mcp/eval/program"
)

func main() {
	var o options
	flag.StringVar(&o.server, "server", "bin/ctx-mcp", "the server's binary")
	flag.StringVar(&o.dataDir, "data-dir", "", "data directory of the server; default a temporary one")
	flag.StringVar(&o.corpus, "corpus", "", "turns, JSON Lines, plain or .gz")
	flag.StringVar(&o.queries, "queries", "", "questions, JSON Lines, plain or .gz")
	flag.StringVar(&o.out, "out", "", "file for the run")
	flag.IntVar(&o.workers, "workers", 8, "conversations at a time")
	flag.BoolVar(&o.together, "together", false, "all conversations in one project")
	flag.BoolVar(&o.embeddings, "embeddings", false, "give the server an embeddings endpoint, by latent semantic analysis of the turns")
	flag.BoolVar(&o.alone, "vectors-alone", false, "rank by the vectors of that endpoint alone, without the server")
	program.Main("eval recall", func(ctx context.Context) error { return measure(ctx, o) })
}

type options struct {
	server, dataDir, corpus, queries, out string
	workers                               int
	together, embeddings, alone           bool
}

func measure(ctx context.Context, o options) error {
	turns, err := labelled.Read[labelled.Turn](o.corpus)
	if err != nil {
		return err
	}
	queries, err := labelled.Read[labelled.Query](o.queries)
	if err != nil {
		return err
	}
	convs := labelled.Group(turns, queries, o.together)
	var vectors *endpoint
	if o.embeddings || o.alone {
		if vectors, err = serveEmbeddings(turns); err != nil {
			return err
		}
	}
	if o.alone {
		err = each(o.workers, convs, func(c *labelled.Conversation) error { vectors.rank(c); return nil })
	} else {
		err = askServer(ctx, o, vectors, convs)
	}
	if err != nil {
		return err
	}
	return write(o.out, convs)
}

// askServer stores the conversations in a server, with the endpoint if there is one, and asks their questions.
func askServer(ctx context.Context, o options, vectors *endpoint, convs []*labelled.Conversation) error {
	if o.dataDir == "" {
		dir, err := os.MkdirTemp("", "ctx-mcp-eval-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		o.dataDir = dir
	}
	var env []string
	if vectors != nil {
		env = append(env, "CTX_MCP_EMBEDDINGS_BASE_URL="+vectors.url, "CTX_MCP_EMBEDDINGS_MODEL=lsa")
	}
	s, err := labelled.Start(ctx, o.server, o.dataDir, env...)
	if err != nil {
		return err
	}
	defer s.Close()
	steps := []func(context.Context, *labelled.Conversation) error{s.Store, func(ctx context.Context, c *labelled.Conversation) error { return ask(ctx, s, c) }}
	if vectors != nil {
		steps = slices.Insert(steps, 1, func(ctx context.Context, c *labelled.Conversation) error { return untilEmbedded(ctx, s, c) })
	}
	for _, step := range steps {
		if err := each(o.workers, convs, func(c *labelled.Conversation) error { return step(ctx, c) }); err != nil {
			return err
		}
	}
	log.Printf("turns: %v", s.Outcomes())
	return nil
}

// each runs do over the conversations, a few at a time, and returns the first error.
func each(workers int, convs []*labelled.Conversation, do func(*labelled.Conversation) error) error {
	var wg sync.WaitGroup
	var failed atomic.Pointer[error]
	work := make(chan *labelled.Conversation)
	for range workers {
		wg.Go(func() {
			for c := range work {
				if failed.Load() != nil {
					continue
				}
				if err := do(c); err != nil {
					err = fmt.Errorf("%s: %w", c.Name, err)
					failed.CompareAndSwap(nil, &err)
				}
			}
		})
	}
	for _, c := range convs {
		work <- c
	}
	close(work)
	wg.Wait()
	if err := failed.Load(); err != nil {
		return *err
	}
	return nil
}
