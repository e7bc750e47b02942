package redact

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// benchSize is the size in bytes of each text that BenchmarkRedact redacts.
const benchSize = 8 << 20

// BenchmarkRedact measures megabytes a second: of ordinary text, which holds next to no secrets, of one secret after
// another, of JSON in JSON, and of the texts that are made to cost the most.
func BenchmarkRedact(b *testing.B) {
	r := New([]byte("key"))
	for _, text := range []struct{ name, text string }{
		{"ordinary", ordinaryText(b)},
		{"dense", denseText()},
		{"json", escapedJSON()},
	} {
		b.Run(text.name, func(b *testing.B) { benchmarkText(b, r, text.text) })
	}
	b.Run("stream", func(b *testing.B) {
		text := ordinaryText(b)
		perCPU(b, len(text), func() {
			if _, err := r.Copy(context.Background(), io.Discard, strings.NewReader(text)); err != nil {
				b.Fatal(err)
			}
		})
	})
}

// BenchmarkHostile measures texts of four megabytes that are made of one false start.
func BenchmarkHostile(b *testing.B) {
	r := New([]byte("key"))
	for _, piece := range hostile {
		b.Run(fmt.Sprintf("%q", piece), func(b *testing.B) { benchmarkText(b, r, strings.Repeat(piece, (4<<20)/len(piece))) })
	}
}

func benchmarkText(b *testing.B, r *Redactor, text string) {
	perCPU(b, len(text), func() { r.Text(text) })
}

// perCPU measures do, which redacts size bytes, by the time that the process computes: beside others, the clock tells
// nothing.
func perCPU(b *testing.B, size int, do func()) {
	b.ReportAllocs()
	before := computed(b)
	for b.Loop() {
		do()
	}
	spent := computed(b) - before
	b.ReportMetric(float64(size)*float64(b.N)/1e6/spent.Seconds(), "MB/cpu-s")
	b.ReportMetric(0, "ns/op")
}

// computed returns the time that the process has computed, in user mode and in the kernel.
func computed(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// ordinaryText is the source and the documents of this module, and lines of a log between them, again and again.
func ordinaryText(tb testing.TB) string {
	var all strings.Builder
	for n := 0; all.Len() < benchSize; n++ {
		err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() && path == filepath.Join("..", "redact") {
				return filepath.SkipDir
			}
			if ext := filepath.Ext(path); d.IsDir() || ext != ".go" && ext != ".md" && ext != ".sql" && ext != ".json" {
				return nil
			}
			text, err := os.ReadFile(path)
			all.Write(text)
			for i := range 40 {
				fmt.Fprintf(&all, "2026-01-%02dT10:%02d:07Z INFO request method=GET path=/v1/items/%d?page=%d status=200 bytes=%d took=%dms\n",
					1+i%28, i, 7919*i+n, i, 311*i, i%90)
			}
			return err
		})
		if err != nil {
			tb.Fatal(err)
		}
	}
	return all.String()[:benchSize]
}

// denseText has a secret about every seventy bytes.
func denseText() string {
	var all strings.Builder
	for i := 0; all.Len() < benchSize; i++ {
		fmt.Fprintf(&all, "service-%d:\n  url: postgres://app:w%dX!moose@db.example.com/users\n  password: kettle-%d!?\n"+
			"  token: %s%s\n  owner: a%d@example.com\n  card: 4242 4242 4242 4242\n", i, i, i, "ghp_", fill(alnum, 36), i)
	}
	return all.String()[:benchSize]
}

// escapedJSON is one line of JSON with a log in a string.
func escapedJSON() string {
	var all strings.Builder
	all.WriteString(`{"log": "`)
	for i := 0; all.Len() < benchSize-2; i++ {
		fmt.Fprintf(&all, `{\"level\":\"info\",\"msg\":\"request done\",\"path\":\"/v1/items/%d\",\"status\":200}\n`, i)
	}
	all.WriteString(`"}`)
	return all.String()
}
