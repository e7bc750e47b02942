package sqlite_test

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/eval/labelled"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/redact"
	"github.com/ctx-mcp/ctx-mcp/sqlite"
	"github.com/ctx-mcp/ctx-mcp/tokens"
)

var million = flag.Bool("sqlite.million", false, "also measure with a million memories: some 3 GB of disk and ten minutes")

// sizes are how many memories the store holds before a benchmark of one more begins.
func sizes() []int {
	if *million {
		return []int{1_000, 10_000, 100_000, 1_000_000}
	}
	return []int{1_000, 10_000, 100_000}
}

// benchService returns memory over a fresh store, as the binary wires it.
func benchService(b *testing.B) (*memory.Service, *sqlite.Store) {
	b.Helper()
	return benchServiceIn(b, b.TempDir())
}

func benchServiceIn(b testing.TB, dir string) (*memory.Service, *sqlite.Store) {
	b.Helper()
	store, err := sqlite.Open(context.Background(), dir, slog.New(slog.DiscardHandler))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = store.Close() })
	hide := redact.New([]byte("benchmark"))
	return memory.New(memory.Core{
		Store: store, Counter: tokens.Approximate{}, Now: time.Now, NewID: func() string { return uuid.Must(uuid.NewV7()).String() },
		Redact: hide.Func(), Logger: slog.New(slog.DiscardHandler),
	}), store
}

var ann = ctxmcp.Caller{Tenant: "acme", User: "ann", Clearance: ctxmcp.HighlyRestricted, Authority: ctxmcp.AuthorityUser}

// prose makes up texts over a vocabulary in which, as in language, few words are frequent.
type prose struct {
	rnd  *rand.Rand
	zipf *rand.Zipf
}

func newProse(seed uint64) *prose {
	rnd := rand.New(rand.NewPCG(seed, 1))
	return &prose{rnd, rand.NewZipf(rnd, 1.07, 8, 50_000)}
}

func (p *prose) words(n int) string {
	words := make([]string, n)
	for i := range words {
		words[i] = fmt.Sprintf("w%dx", p.zipf.Uint64())
	}
	return strings.Join(words, " ")
}

// naming returns a text that names two people and a system; with doubt, one of the people by the first name alone.
func (p *prose) naming(n int, doubt bool) string {
	first := []string{"Anna", "Robert", "Carla", "David", "Elena", "Felix", "Gina", "Henry", "Irene", "Jonas"}
	last := []string{"Weber", "Ortiz", "Novak", "Tanaka", "Lindqvist", "Okafor", "Dubois", "Rossi", "Haddad", "Ivanova"}
	person := func() string { return first[p.rnd.IntN(len(first))] + " " + last[p.rnd.IntN(len(last))] }
	second := person()
	if doubt {
		second = first[p.rnd.IntN(len(first))]
	}
	system := []string{"Kafka", "Grafana", "PostgreSQL", "Terraform"}[n%4]
	return fmt.Sprintf("%s %s asked %s about %s %s", p.words(10), person(), second, system, p.words(12))
}

func draft(text, project string) memory.Draft {
	return memory.Draft{Content: text, Source: memory.Source{Kind: ctxmcp.UserStatement},
		Scope: ctxmcp.Scope{User: "ann", Project: project}}
}

// fill stores n memories of some 30 words, in groups, without a plan for each.
func fill(b testing.TB, store *sqlite.Store, n int, project string) {
	b.Helper()
	p := newProse(uint64(n))
	fillWith(b, store, n, project, func() string { return p.words(30) })
}

// fillWith is fill with the texts that the function returns.
func fillWith(b testing.TB, store *sqlite.Store, n int, project string, text func() string) {
	b.Helper()
	for done := 0; done < n; {
		var c memory.Change
		for ; len(c.Insert) < 500 && done < n; done++ {
			id := uuid.Must(uuid.NewV7()).String()
			now := ctxmcp.Instant(time.Now())
			c.Insert = append(c.Insert, ctxmcp.ContextObject{
				ObjectID: id, FactID: id, Version: 1, Content: text(), ObjectType: ctxmcp.IdentityFact,
				CanonicalEntityIDs: []string{}, SourceOrigin: "user://ann", SourceKind: ctxmcp.UserStatement,
				Classification: ctxmcp.Restricted, TenantID: "acme", UserID: "ann", ProjectID: project,
				Layer: ctxmcp.ProjectLayer, ValidFrom: now, TxStart: now, LastConfirmed: now,
				ApplicableTaskTypes: []ctxmcp.TaskType{}, ContradictionStatus: ctxmcp.Clean, Authority: ctxmcp.AuthorityUser,
			})
		}
		if err := store.Apply(context.Background(), c); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkRemember stores one more memory, durably, with one caller.
func BenchmarkRemember(b *testing.B) {
	for _, n := range sizes() {
		b.Run(fmt.Sprintf("memories=%d", n), func(b *testing.B) {
			s, store := benchService(b)
			fill(b, store, n, "web")
			p := newProse(7)
			measure(b, 1, func(int) error {
				_, err := s.Remember(context.Background(), ann, draft(p.words(30), "web"))
				return err
			})
		})
	}
}

// BenchmarkRememberNames stores one more memory that names two of a hundred people and a system, with the names resolved
// and without, into a project that knows them; with doubt, one of the people is named by the first name alone, which ten
// have. The writes of a pair alternate, so that both see the same machine; the metric is the ratio of their times.
func BenchmarkRememberNames(b *testing.B) {
	for _, doubt := range []bool{false, true} {
		b.Run(fmt.Sprintf("doubt=%v", doubt), func(b *testing.B) { rememberNames(b, doubt) })
	}
}

func rememberNames(b *testing.B, doubt bool) {
	var services [2]*memory.Service // without, with
	for i := range services {
		s, store := benchService(b)
		fill(b, store, 10_000, "web")
		if i == 1 {
			s.Entities = store
		}
		services[i] = s
	}
	p := newProse(11)
	var spent [2]time.Duration
	remember := func(i int, text string) {
		began := time.Now()
		if _, err := services[i].Remember(context.Background(), ann, draft(text, "web")); err != nil {
			b.Fatal(err)
		}
		spent[i] += time.Since(began)
	}
	for n := range 300 { // so that nearly all names are known
		text := p.naming(n, doubt)
		remember(0, text)
		remember(1, text)
	}
	spent = [2]time.Duration{}
	for n := 0; b.Loop(); n++ {
		text := p.naming(n, doubt)
		remember(n%2, text)
		remember(1-n%2, text)
	}
	b.ReportMetric(float64(spent[0].Microseconds())/float64(b.N), "µs-without")
	b.ReportMetric(float64(spent[1].Microseconds())/float64(b.N), "µs-with")
	b.ReportMetric(float64(spent[1])/float64(spent[0]), "ratio")
}

// BenchmarkRecall asks questions of ten words: of a project that holds all memories, and of one that holds a hundred beside
// it. One pass over the questions goes before, so that the pages are in memory.
func BenchmarkRecall(b *testing.B) {
	for _, n := range sizes() {
		dir := b.TempDir()
		_, store := benchServiceIn(b, dir)
		fill(b, store, n, "busy")
		fill(b, store, 100, "small")
		s := memory.New(memory.Core{Store: store, Counter: tokens.Approximate{}, Now: time.Now,
			Redact: redact.Nothing})
		for _, project := range []string{"busy", "small"} {
			b.Run(fmt.Sprintf("memories=%d/project=%s", n, project), func(b *testing.B) {
				p := newProse(9)
				var asks []memory.Ask
				for range 64 {
					asks = append(asks, memory.Ask{Query: p.words(10), Scope: ctxmcp.Scope{User: "ann", Project: project}})
				}
				measure(b, len(asks), func(i int) error {
					_, err := s.Recall(context.Background(), ann, asks[i%len(asks)])
					return err
				})
				b.ReportMetric(float64(heap())/1e6, "heap-MB")
				b.ReportMetric(fileSize(b, dir)/1e6, "file-MB")
			})
		}
	}
}

// BenchmarkRecallEveryday asks everyday questions of a project that holds so many statements in the words of lives (memory/testdata/lives): each
// begins as one of their statements and ends as another.
func BenchmarkRecallEveryday(b *testing.B) {
	lives, err := labelled.ReadLives(filepath.Join("..", "memory", "testdata", "lives"))
	if err != nil {
		b.Fatal(err)
	}
	var texts []string
	var asks []memory.Ask
	for _, l := range lives {
		for _, f := range l.Facts {
			texts = append(texts, f.Text)
		}
		for _, a := range l.Asks {
			asks = append(asks, memory.Ask{Query: a.Text, Scope: ctxmcp.Scope{User: "ann", Project: "busy"}})
		}
	}
	rnd := rand.New(rand.NewPCG(5, 5))
	mixed := func() string {
		begin, end := strings.Fields(texts[rnd.IntN(len(texts))]), strings.Fields(texts[rnd.IntN(len(texts))])
		return strings.Join(slices.Concat(begin[:len(begin)/2], end[len(end)/2:]), " ")
	}
	for _, n := range []int{300, 10_000} {
		b.Run(fmt.Sprintf("memories=%d", n), func(b *testing.B) {
			s, store := benchService(b)
			fillWith(b, store, n, "busy", mixed)
			measure(b, len(asks), func(i int) error {
				_, err := s.Recall(context.Background(), ann, asks[i%len(asks)])
				return err
			})
		})
	}
}

// BenchmarkNearest finds the 200 nearest of 384 dimensions, as a recall does: by copies in memory, by comparing the
// vectors on disk, and for the first time in a process.
func BenchmarkNearest(b *testing.B) {
	const n, dimension = 100_000, 384
	dir := b.TempDir()
	_, store := benchServiceIn(b, dir)
	fill(b, store, n, "busy")
	topics := newTopics(dimension)
	embedAll(b, store, topics)
	q := memory.Query{Tenant: "acme", Namespaces: []string{"user_ann:project_busy"}, Clearance: ctxmcp.HighlyRestricted}
	find := func(s *sqlite.Store) func(int) error {
		return func(int) error {
			_, _, err := s.Nearest(context.Background(), q, "m", topics.vector(), 200)
			return err
		}
	}
	_, onDisk := benchServiceIn(b, dir)
	onDisk.LimitVectorMemory(0)
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			_, fresh := benchServiceIn(b, dir)
			if err := find(fresh)(0); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("memory", func(b *testing.B) { measure(b, 1, find(store)) })
	b.Run("disk", func(b *testing.B) { measure(b, 1, find(onDisk)) })
}

// embedAll stores a vector for every version.
func embedAll(b *testing.B, store *sqlite.Store, topics *topics) {
	b.Helper()
	for {
		rows, err := store.Unembedded(context.Background(), "m", 2000)
		if err != nil {
			b.Fatal(err)
		}
		if len(rows) == 0 {
			return
		}
		var c memory.Change
		for _, o := range rows {
			c.Vectors = append(c.Vectors, memory.Vector{Tenant: "acme", Key: ctxmcp.KeyOf(o), Model: "m", Values: topics.vector()})
		}
		if err := store.Apply(context.Background(), c); err != nil {
			b.Fatal(err)
		}
	}
}

// topics makes up vectors that gather about some directions and have something in common, as embeddings do.
type topics struct {
	rnd   *rand.Rand
	about [][]float32
}

func newTopics(dimension int) *topics {
	t := &topics{rnd: rand.New(rand.NewPCG(4, 4))}
	for range 100 {
		v := make([]float32, dimension)
		for i := range v {
			v[i] = float32(t.rnd.NormFloat64() + 0.5)
		}
		t.about = append(t.about, v)
	}
	return t
}

// vector returns one of unit length.
func (t *topics) vector() []float32 {
	about := t.about[t.rnd.IntN(len(t.about))]
	v, squares := make([]float32, len(about)), 0.0
	for i, x := range about {
		v[i] = x + float32(0.8*t.rnd.NormFloat64())
		squares += float64(v[i]) * float64(v[i])
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(squares))
	}
	return v
}

// measure times each call after some that are not counted, and reports the median, the 95th percentile, and the processor's
// time a call, which other work on the machine disturbs least.
func measure(b *testing.B, before int, call func(int) error) {
	b.Helper()
	for i := range before {
		if err := call(i); err != nil {
			b.Fatal(err)
		}
	}
	var took []time.Duration
	busy := processorTime(b)
	for i := 0; b.Loop(); i++ {
		began := time.Now()
		if err := call(i); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(began))
	}
	busy = processorTime(b) - busy
	slices.Sort(took)
	b.ReportMetric(took[len(took)/2].Seconds()*1e3, "p50-ms")
	b.ReportMetric(took[len(took)*95/100].Seconds()*1e3, "p95-ms")
	b.ReportMetric(busy.Seconds()*1e3/float64(len(took)), "cpu-ms")
}

// processorTime returns the processor time of the process, without the kernel's part.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano())
}

// heap returns the bytes that are in use.
func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// fileSize returns the bytes of the database and of its log.
func fileSize(b *testing.B, dir string) (sum float64) {
	b.Helper()
	files, err := filepath.Glob(filepath.Join(dir, sqlite.FileName+"*"))
	if err != nil {
		b.Fatal(err)
	}
	for _, name := range files {
		info, err := os.Stat(name)
		if err != nil {
			b.Fatal(err)
		}
		sum += float64(info.Size())
	}
	return sum
}

// BenchmarkGroupCommit stores memories with 1, 8 and 64 callers at a time, beside BenchmarkRawSync, which syncs the
// disk for one caller in the same run.
func BenchmarkGroupCommit(b *testing.B) {
	for _, callers := range []int{1, 8, 64} {
		b.Run(fmt.Sprintf("callers=%d", callers), func(b *testing.B) {
			s, _ := benchService(b)
			text := newProse(3)
			drafts := make([]memory.Draft, b.N)
			for i := range drafts {
				drafts[i] = draft(text.words(30), "web")
			}
			var next atomic.Int64
			var wg sync.WaitGroup
			b.ResetTimer()
			for range callers {
				wg.Go(func() {
					for i := next.Add(1) - 1; i < int64(b.N); i = next.Add(1) - 1 {
						if _, err := s.Remember(context.Background(), ann, drafts[i]); err != nil {
							b.Error(err)
							return
						}
					}
				})
			}
			wg.Wait()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "writes/s")
		})
	}
}

// BenchmarkRawSync overwrites 8 KB in place and syncs: the rate of durable writes that the disk allows.
func BenchmarkRawSync(b *testing.B) {
	f, err := os.Create(filepath.Join(b.TempDir(), "raw"))
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	page := make([]byte, 8192)
	for b.Loop() {
		if _, err := f.WriteAt(page, 0); err != nil {
			b.Fatal(err)
		}
		if err := f.Sync(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "writes/s")
}
