package vectors_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"runtime"
	"syscall"
	"testing"

	"github.com/ctx-mcp/ctx-mcp/memory/vectors"
)

var million = flag.Bool("vectors.million", false, "also search a million vectors of 1536 dimensions: some 3 GB and minutes")

// BenchmarkSearch finds the 10 nearest, beside a comparison of all in the same run.
func BenchmarkSearch(b *testing.B) {
	sizes := []struct{ n, dimension int }{{10_000, 384}, {100_000, 384}, {100_000, 1536}}
	if *million {
		sizes = append(sizes, struct{ n, dimension int }{1_000_000, 1536})
	}
	for _, size := range sizes {
		b.Run(fmt.Sprintf("%dx%d", size.n, size.dimension), func(b *testing.B) {
			rnd := rand.New(rand.NewPCG(9, 9))
			all := clustered(rnd, min(size.n, 100_000), size.dimension)
			questions := noisy(rnd, all, 64)
			s := fillSegment(b, rnd, all, size.n)
			b.Run("segment", func(b *testing.B) {
				measure(b, func(i int) { s.Search(questions[i%len(questions)], 10, nil) })
			})
			b.Run("all", func(b *testing.B) {
				measure(b, func(i int) { compareAll(all, questions[i%len(questions)], size.n/len(all)) })
			})
		})
	}
}

// measure reports the processor's time a call, which other work on the machine disturbs least.
func measure(b *testing.B, call func(int)) {
	b.Helper()
	var before, after syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &before); err != nil {
		b.Fatal(err)
	}
	for i := 0; b.Loop(); i++ {
		call(i)
	}
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &after); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(after.Utime.Nano()-before.Utime.Nano())/1e6/float64(b.N), "cpu-ms")
}

// fillSegment puts n vectors: those of all, and then relatives of them.
func fillSegment(b *testing.B, rnd *rand.Rand, all [][]float32, n int) *vectors.Segment {
	b.Helper()
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	s := vectors.NewSegment(len(all[0]))
	for done := 0; done < n; done += 1000 {
		batch := make([][]float32, 1000)
		ids := make([]int64, 1000)
		for i := range batch {
			ids[i], batch[i] = int64(done+i), all[(done+i)%len(all)]
			if done+i >= len(all) {
				batch[i] = noisy(rnd, batch[i:i+1], 1)[0]
			}
		}
		s.Put(ids, batch)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	b.Logf("%d MB in memory", (after.HeapAlloc-before.HeapAlloc)>>20)
	return s
}

// compareAll is the search by brute force: every vector, times over, with the ten best kept.
func compareAll(all [][]float32, q []float32, times int) {
	var top [10]float32
	for range times {
		for _, v := range all {
			var a, b, c, d float32
			for i := 0; i+4 <= len(v); i += 4 {
				a += v[i] * q[i]
				b += v[i+1] * q[i+1]
				c += v[i+2] * q[i+2]
				d += v[i+3] * q[i+3]
			}
			sum := a + b + c + d
			for j := range top {
				if sum > top[j] {
					sum, top[j] = top[j], sum
				}
			}
		}
	}
}
