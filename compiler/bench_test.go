package compiler_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
	"github.com/ctx-mcp/ctx-mcp/artifacts/blobs"
	"github.com/ctx-mcp/ctx-mcp/compiler"
	"github.com/ctx-mcp/ctx-mcp/envelope"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/packets"
	"github.com/ctx-mcp/ctx-mcp/redact"
	"github.com/ctx-mcp/ctx-mcp/sqlite"
	"github.com/ctx-mcp/ctx-mcp/tasks"
	"github.com/ctx-mcp/ctx-mcp/tokens"
)

var ann = ctxmcp.Caller{Tenant: "acme", User: "ann", Clearance: ctxmcp.HighlyRestricted, Authority: ctxmcp.AuthorityUser}

// service returns a compiler over a fresh store, as the binary wires it.
func service(tb testing.TB) (*compiler.Service, *sqlite.Store) {
	tb.Helper()
	dir, logger := tb.TempDir(), slog.New(slog.DiscardHandler)
	store, err := sqlite.Open(context.Background(), dir, logger)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = store.Close() })
	kept, err := blobs.Open(dir + "/blobs")
	if err != nil {
		tb.Fatal(err)
	}
	hide := redact.New([]byte("benchmark"))
	redacted := hide.Func()
	id, counter := func() string { return uuid.Must(uuid.NewV7()).String() }, tokens.Approximate{}
	files := &artifacts.Service{Index: store, Keeper: store, Blobs: kept, Counter: counter, Redact: redacted, Now: time.Now, NewID: id, Logger: logger}
	handed := &tasks.Service{Store: store, Artifacts: files, Counter: counter, Redact: redacted, Now: time.Now}
	files.Lineage = handed
	return &compiler.Service{
		Memory:   memory.New(memory.Core{Store: store, Counter: counter, Now: time.Now, NewID: id, Redact: redacted, Logger: logger, Entities: store}),
		Tasks:    handed,
		Shelf:    files,
		Results:  &envelope.Service{Keeper: files, Ledger: store, Counter: counter, Redact: redacted, Key: []byte("key"), Now: time.Now, Logger: logger},
		Packets:  &packets.Service{Store: store, Blobs: kept, Digests: store, Objects: store, Artifacts: store, Redact: redacted, Personal: redacted, Now: time.Now, Logger: logger},
		Prefixes: store, Counter: func(string) compiler.Counter { return counter }, Redact: redacted, Now: time.Now, Logger: logger,
	}, store
}

// prose makes up texts over a vocabulary in which, as in language, few words are frequent.
type prose struct{ zipf *rand.Zipf }

func newProse() prose { return prose{rand.NewZipf(rand.New(rand.NewPCG(1, 1)), 1.07, 8, 50_000)} }

func (p prose) words(n int) string {
	words := make([]string, n)
	for i := range words {
		words[i] = fmt.Sprintf("w%dx", p.zipf.Uint64())
	}
	return strings.Join(words, " ")
}

// fill stores n memories of some 30 words in a project; the first of a hundred are preferences.
func fill(tb testing.TB, store *sqlite.Store, n int, project string) {
	tb.Helper()
	p := newProse()
	for done := 0; done < n; {
		var c memory.Change
		for ; len(c.Insert) < 500 && done < n; done++ {
			id, now := uuid.Must(uuid.NewV7()).String(), ctxmcp.Instant(time.Now())
			o := ctxmcp.ContextObject{
				ObjectID: id, FactID: id, Version: 1, Content: p.words(30), ObjectType: ctxmcp.IdentityFact, CanonicalEntityIDs: []string{},
				SourceOrigin: "user://ann", SourceKind: ctxmcp.UserStatement, SourceAuthority: 0.9, ConfidenceScore: 0.95,
				Classification: ctxmcp.Restricted, TenantID: "acme", UserID: "ann", ProjectID: project, Layer: ctxmcp.ProjectLayer,
				Authority: ctxmcp.AuthorityUser, ValidFrom: now, TxStart: now, LastConfirmed: now, ContradictionStatus: ctxmcp.Clean,
				ApplicableTaskTypes: []ctxmcp.TaskType{}, RetirementRule: ctxmcp.Archive,
			}
			if done%100 == 0 && done < 5000 {
				o.ObjectType, o.WhyItMatters = ctxmcp.Preference, p.words(3)
			}
			c.Insert = append(c.Insert, o)
		}
		if err := store.Apply(context.Background(), c); err != nil {
			tb.Fatal(err)
		}
	}
}

// BenchmarkCompile compiles with some 42 candidates, and with a store of 100,000 objects. It reports the median and the 95th
// percentile of a whole compile and of its parts: gather (reads the store), the ten stages, and what keeps the packet; and the
// time of the processors that each part takes on average, which a busy machine does not lengthen.
func BenchmarkCompile(b *testing.B) {
	for _, n := range []int{42, 100_000} {
		b.Run(fmt.Sprintf("objects=%d", n), func(b *testing.B) {
			s, store := service(b)
			fill(b, store, n, "web")
			p, c := newProse(), watch(b, s)
			for b.Loop() {
				_, err := s.Compile(context.Background(), ann, ctxmcp.Scope{User: "ann", Project: "web"},
					compiler.Ask{UserMessage: p.words(8), TaskType: ctxmcp.CodeGeneration, SystemPrompt: "You write code.", MaxTokens: 2000})
				if err != nil {
					b.Fatal(err)
				}
			}
			c.report(b)
		})
	}
}

// BenchmarkResults compiles with a hundred results of tools, each of which is longer than its share and so is kept as an artifact.
func BenchmarkResults(b *testing.B) {
	s, _ := service(b)
	p, c := newProse(), watch(b, s)
	for b.Loop() {
		ask := compiler.Ask{UserMessage: p.words(8), MaxTokens: 20_000}
		for i := range 100 {
			text, err := json.Marshal(p.words(500))
			if err != nil {
				b.Fatal(err)
			}
			ask.ToolResults = append(ask.ToolResults, compiler.ToolResult{CallID: fmt.Sprint("call-", i), Tool: "list", Value: text})
		}
		if _, err := s.Compile(context.Background(), ann, ctxmcp.Scope{User: "ann", Project: "web"}, ask); err != nil {
			b.Fatal(err)
		}
	}
	c.report(b)
}

// clocks holds the times that the parts of compiles took.
type clocks struct {
	compiles int
	took     map[string][]time.Duration
	computed map[string]time.Duration
}

// watch times the compiles of a service.
func watch(b *testing.B, s *compiler.Service) *clocks {
	c := &clocks{took: map[string][]time.Duration{}, computed: map[string]time.Duration{}}
	s.Step = func(ctx context.Context, name string) (context.Context, func(map[string]int)) {
		before := computed(b)
		return ctx, func(map[string]int) { c.computed[group(strings.TrimPrefix(name, "compile "))] += computed(b) - before }
	}
	s.Observe = func(r compiler.Result) {
		sums := map[string]time.Duration{"whole": r.Took}
		for _, t := range r.Stages {
			sums[group(t.Stage)] += t.Took
			if t.Stage != "seal" && t.Stage != "admit" {
				sums["without-packet"] += t.Took
			}
		}
		for name, took := range sums {
			c.took[name] = append(c.took[name], took)
		}
		c.compiles++
	}
	return c
}

func (c *clocks) report(b *testing.B) {
	for name, all := range c.took {
		slices.Sort(all)
		b.ReportMetric(ms(all[len(all)/2]), name+"-p50-ms")
		b.ReportMetric(ms(all[len(all)*95/100]), name+"-p95-ms")
	}
	for name, sum := range c.computed {
		b.ReportMetric(ms(sum)/float64(c.compiles), name+"-cpu-ms")
	}
}

// computed returns the time that the process has computed, in user mode and in the kernel.
func computed(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// group returns the part of a compile that a stage is of.
func group(stage string) string {
	switch stage {
	case "gather", "admit", "seal":
		return stage
	}
	return "stages"
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
