package memory_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/storetest/inmem"
)

// benchmarkStore returns a service over a store in memory with so many statements of a few sessions, and questions to it.
func benchmarkStore(b *testing.B, n int) (*memory.Service, []memory.Ask) {
	b.Helper()
	s, clock := newService(&inmem.Store{})
	random := rand.New(rand.NewPCG(1, 2))
	some := func(k int) string {
		var w []string
		for range k {
			w = append(w, fmt.Sprintf("w%d", int(400*random.Float64()*random.Float64())))
		}
		return strings.Join(w, " ")
	}
	for i := range n {
		clock.set(start.Add(time.Duration(i) * time.Minute))
		d := memory.Draft{Content: some(20), Author: "ann", Source: memory.Source{Kind: ctxmcp.UserStatement}, Level: ctxmcp.UserLayer,
			Scope: ctxmcp.Scope{User: "ann", Session: fmt.Sprintf("s%d", i/40)}}
		if _, err := s.Remember(b.Context(), ann, d); err != nil {
			b.Fatal(err)
		}
	}
	var asks []memory.Ask
	for range 16 {
		asks = append(asks, memory.Ask{Query: "When did I say " + some(6) + "?", Scope: atHome})
	}
	return s, asks
}

// BenchmarkRecall answers questions over a store in memory: the search is its least part, the reading of the question and the
// ranking its most.
func BenchmarkRecall(b *testing.B) {
	s, asks := benchmarkStore(b, 1000)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if _, err := s.Recall(b.Context(), ann, asks[i%len(asks)]); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkRemember stores statements that nothing else is about.
func BenchmarkRemember(b *testing.B) {
	s, _ := benchmarkStore(b, 100)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		d := memory.Draft{Content: fmt.Sprintf("Statement %d says that item%d is in box%d.", i, i, i),
			Source: memory.Source{Kind: ctxmcp.UserStatement}, Scope: atHome}
		if _, err := s.Remember(b.Context(), ann, d); err != nil {
			b.Fatal(err)
		}
	}
}
