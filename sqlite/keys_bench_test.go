package sqlite_test

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
	"github.com/ctx-mcp/ctx-mcp/artifacts/blobs"
	"github.com/ctx-mcp/ctx-mcp/artifacts/blobs/sealed"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/redact"
	"github.com/ctx-mcp/ctx-mcp/sqlite"
	"github.com/ctx-mcp/ctx-mcp/tokens"
)

// bench is a store with its bytes in a folder, sealed or not.
type bench struct {
	memory    *memory.Service
	artifacts *artifacts.Service
	n         int
}

func newBench(b *testing.B, seal bool) *bench {
	b.Helper()
	service, store := benchService(b)
	files, err := blobs.Open(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	var kept artifacts.Blobs = files
	if seal {
		keys, err := sqlite.OpenKeys(b.Context(), b.TempDir())
		if err == nil {
			err = store.UseKeys(context.Background(), keys, true)
		}
		if err != nil {
			b.Fatal(err)
		}
		kept = sealed.Over(files, keys, store.BlobNames(), true)
	}
	p := newProse(1)
	fillWith(b, store, 1000, "p", func() string { return p.words(30) })
	return &bench{memory: service, artifacts: &artifacts.Service{
		Index: store, Keeper: store, Blobs: kept, Counter: tokens.Approximate{}, Redact: redact.New([]byte("benchmark")).Func(), Now: time.Now,
		NewID: service.NewID, Logger: slog.New(slog.DiscardHandler),
	}}
}

// BenchmarkSealing measures what sealing costs a call, by the clock and in time of the processor: run it with -count, and compare medians.
func BenchmarkSealing(b *testing.B) {
	at := ctxmcp.Scope{User: "ann", Project: "p"}
	stores := map[string]*bench{"plain": newBench(b, false), "sealed": newBench(b, true)}
	for _, call := range []struct {
		name string
		do   func(s *bench) error
	}{
		{"remember", func(s *bench) error {
			_, err := s.memory.Remember(b.Context(), ann, draft(fmt.Sprintf("The crate %d of the harbour holds %d kilograms of barley.", s.n, s.n*7), "p"))
			return err
		}},
		{"recall", func(s *bench) error {
			_, err := s.memory.Recall(b.Context(), ann, memory.Ask{Query: fmt.Sprintf("w%dx w%dx", s.n%500, s.n%90), Scope: at})
			return err
		}},
		{"put_artifact", func(s *bench) error {
			_, err := s.artifacts.Put(b.Context(), ann, at, artifacts.Draft{Content: strings.Repeat(fmt.Sprintf("line %d\n", s.n), 400), Type: "log"})
			return err
		}},
		{"get_artifact", func(s *bench) error {
			kept, err := s.artifacts.Put(b.Context(), ann, at, artifacts.Draft{Content: strings.Repeat("line\n", 200_000), Type: "log", Once: true})
			for i := range 20 {
				if err == nil {
					_, err = s.artifacts.Read(b.Context(), ann, at, artifacts.Ask{ID: kept.Artifact.ID, Lines: fmt.Sprintf("%d-", 1000+i)})
				}
			}
			return err
		}},
	} {
		for _, kind := range []string{"plain", "sealed", "plain", "sealed"} {
			b.Run(call.name+"/"+kind, func(b *testing.B) {
				s, used := stores[kind], processorTime(b)
				for b.Loop() {
					s.n++
					if err := call.do(s); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(processorTime(b)-used)/float64(b.N), "cpu-ns/op")
			})
		}
	}
}
