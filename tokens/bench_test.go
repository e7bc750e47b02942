package tokens

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"strings"
	"syscall"
	"testing"
	"time"
)

// contents makes text of each class of content, the same each time.
func contents() []struct{ name, text string } {
	random := rand.New(rand.NewPCG(1, 2))
	pick := func(from ...string) string { return from[random.IntN(len(from))] }
	word := func() string {
		return pick("the", "service", "request", "of", "database", "failed", "an", "because", "connection", "user", "retry", "is", "index")
	}
	lines := func(line func() string) string {
		var b strings.Builder
		for b.Len() < 100_000 {
			b.WriteString(line())
		}
		return b.String()
	}
	noise := make([]byte, 75_000)
	for i := range noise {
		noise[i] = byte(random.Uint32())
	}
	return []struct{ name, text string }{
		{"prose", lines(func() string { return word() + " " + word() + ", " + word() + " " + word() + ". " })},
		{"code", lines(func() string {
			return fmt.Sprintf("\tif err := s.%s%s(ctx, %d); err != nil {\n\t\treturn err\n\t}\n", word(), word(), random.IntN(100))
		})},
		{"json", lines(func() string {
			return fmt.Sprintf("{\"id\": %d, \"%s\": \"%s %s\", \"ok\": true},\n", random.IntN(1e6), word(), word(), word())
		})},
		{"log", lines(func() string {
			return fmt.Sprintf("2026-01-02T03:%02d:%02d.%03dZ INFO %s id=%08x\n", random.IntN(60), random.IntN(60), random.IntN(1000), word(), random.Uint32())
		})},
		{"base64", base64.StdEncoding.EncodeToString(noise)},
		{"chinese", lines(func() string {
			return pick("我们决定继续使用", "数据库因为团队", "对它很熟悉，", "请求失败了。", "索引")
		})},
		{"run", strings.Repeat("a", 1_000_000)},
		{"blanks", strings.Repeat(" ", 1_000_000)},
	}
}

// BenchmarkCount counts each class of content anew, as kept counts do not help with new texts.
func BenchmarkCount(b *testing.B) {
	counters := []struct {
		name  string
		count func(string, func() bool) Size
	}{{o200k.name, o200k.count}, {"claude", claudeEstimate.count}}
	for _, c := range contents() {
		for _, counter := range counters {
			b.Run(c.name+"/"+counter.name, func(b *testing.B) {
				counter.count(c.text, never)
				perCPU(b, len(c.text), func() { counter.count(c.text, never) })
			})
		}
	}
}

// perCPU runs a benchmark and reports the megabytes that it does in a second of the processor's, which other work on the
// machine does not slow down.
func perCPU(b *testing.B, size int, run func()) {
	began := processorTime(b)
	for b.Loop() {
		run()
	}
	b.ReportMetric(float64(size)*float64(b.N)/1e6/(processorTime(b)-began).Seconds(), "MB/CPU-s")
}

func processorTime(b *testing.B) time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// BenchmarkLongRun counts runs of one character: ten times the length takes ten times the time.
func BenchmarkLongRun(b *testing.B) {
	for _, n := range []int{10_000, 100_000, 1_000_000} {
		text := strings.Repeat("a", n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			perCPU(b, n, func() { o200k.count(text, never) })
		})
	}
}

// BenchmarkVocabulary measures the reading of a vocabulary, which the first count by an encoding costs beside.
func BenchmarkVocabulary(b *testing.B) {
	for b.Loop() {
		mustRead("o200k_base")
	}
}
