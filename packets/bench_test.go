package packets_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/packets"
)

// BenchmarkSeal admits and seals what a compile of 42 candidates gives: some 100 KB of inputs and output, with a row for each
// candidate. Its time on the processor is what the keeping of a packet adds to a compile; the blobs are written as ever.
func BenchmarkSeal(b *testing.B) {
	s := newBench(b)
	inputs, output, sources := s.compileOf(b, 42)
	b.ReportMetric(float64(len(inputs)+len(output))/1000, "KB")
	for n := 0; b.Loop(); n++ {
		admitted, err := s.Admit(b.Context(), ann, inputs, nil)
		if err != nil {
			b.Fatal(err)
		}
		_, err = s.Seal(b.Context(), ann, desk, packets.Draft{
			Kind: packets.Compile, Trace: fmt.Sprintf("tr-%d", n), At: epoch, Inputs: admitted.Inputs, Output: output, Sources: sources, Metadata: admitted.Metadata,
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}

// compileOf returns inputs, output and sources of the size and shape of a compile with n candidates.
func (s *bench) compileOf(b *testing.B, n int) (inputs, output []byte, sources []packets.Source) {
	b.Helper()
	r := rand.New(rand.NewPCG(1, 1))
	var candidates, rows []map[string]any
	for range n {
		var words []string
		for range 30 {
			words = append(words, fmt.Sprintf("w%dx", r.IntN(50_000)))
		}
		id := fmt.Sprintf("%08x-0000-7000-8000-%012x", r.Uint32(), r.Uint64N(1<<48))
		o := ctxmcp.ContextObject{
			ObjectID: id, FactID: id, Version: 1, Content: strings.Join(words, " "), ObjectType: ctxmcp.IdentityFact, CanonicalEntityIDs: []string{},
			SourceOrigin: "user://ann", Classification: ctxmcp.Restricted, TenantID: "acme", UserID: "ann", Layer: ctxmcp.UserLayer,
			ValidFrom: epoch, TxStart: epoch, LastConfirmed: epoch, ApplicableTaskTypes: []ctxmcp.TaskType{}, Authority: ctxmcp.AuthorityUser,
		}
		if err := s.store.Apply(b.Context(), memory.Change{Insert: []ctxmcp.ContextObject{o}}); err != nil {
			b.Fatal(err)
		}
		source, err := packets.Object(o)
		if err != nil {
			b.Fatal(err)
		}
		sources = append(sources, source)
		candidates = append(candidates, map[string]any{"kind": "memory", "object": o, "score": r.Float64()})
		rows = append(rows, map[string]any{"object_id": id, "stage": "rank", "tier": "useful", "why": "it bears on the task", "text": o.Content, "tokens": 60, "score": r.Float64()})
	}
	for _, v := range []struct {
		to   *[]byte
		what any
	}{{&inputs, map[string]any{"candidates": candidates}}, {&output, map[string]any{"rows": rows}}} {
		raw, err := packets.Canonical(b.Context(), v.what)
		if err != nil {
			b.Fatal(err)
		}
		*v.to = raw
	}
	return inputs, output, sources
}
