// Package gitleaks compares the speed of redact with that of gitleaks as a library, on the same text.
package gitleaks

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/zricethezav/gitleaks/v8/detect"

	"github.com/ctx-mcp/ctx-mcp/redact"
	"github.com/ctx-mcp/ctx-mcp/redact/rules"
)

// size of the text in bytes. It is one fragment, as the result of a tool is.
const size = 1 << 20

// BenchmarkOrdinary measures megabytes per second of computing on the source and the documents of the product.
func BenchmarkOrdinary(b *testing.B) {
	text := ordinary(b)
	list, err := rules.Vendors()
	if err != nil {
		b.Fatal(err)
	}
	r, err := redact.New([]byte("key")).With(list...)
	if err != nil {
		b.Fatal(err)
	}
	scanner, err := detect.NewDetectorDefaultConfig()
	if err != nil {
		b.Fatal(err)
	}
	b.Run("redact", func(b *testing.B) { perCPU(b, func() { r.Text(text) }) })
	b.Run("gitleaks", func(b *testing.B) { perCPU(b, func() { scanner.DetectString(text) }) })
}

func ordinary(b *testing.B) string {
	var all strings.Builder
	err := filepath.WalkDir("../../..", func(path string, d fs.DirEntry, err error) error {
		if ext := filepath.Ext(path); err != nil || d.IsDir() || strings.Contains(path, "redact") || ext != ".go" && ext != ".md" {
			return err
		}
		text, err := os.ReadFile(path)
		all.Write(text)
		return err
	})
	if err != nil || all.Len() < size {
		b.Fatalf("read %d bytes of text: %v", all.Len(), err)
	}
	return all.String()[:size]
}

func perCPU(b *testing.B, do func()) {
	before := computed(b)
	for b.Loop() {
		do()
	}
	b.ReportMetric(float64(size)*float64(b.N)/1e6/(computed(b)-before).Seconds(), "MB/cpu-s")
	b.ReportMetric(0, "ns/op")
}

// computed returns the time that the process has computed.
func computed(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
