package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// BenchmarkHook measures a hook as a client feels it, from the start of the process to its end, with the real binary: a judged call, beside the
// bare start of the process, which only tells its version, and beside a process that does nothing at all.
func BenchmarkHook(b *testing.B) {
	dir, binary := b.TempDir(), built(b)
	data := "--data-dir=" + filepath.Join(dir, "data")
	ask := func(b *testing.B, input string) {
		c := exec.Command(binary, "hook", "claude-code", data)
		c.Stdin = strings.NewReader(input)
		if out, err := c.CombinedOutput(); err != nil {
			b.Fatalf("%v: %s", err, out)
		}
	}
	const session = `{"session_id": "s", "cwd": "/nowhere", "hook_event_name": `
	ask(b, session+`"UserPromptSubmit", "prompt": "Read the notes."}`) // starts the server
	b.Cleanup(func() {
		if err := exec.Command(binary, "hook", "stop", data).Run(); err != nil {
			b.Error(err)
		}
	})
	calls := 0
	for name, run := range map[string]func(*testing.B){
		"judged call": func(b *testing.B) {
			calls++
			ask(b, fmt.Sprintf(session+`"PreToolUse", "tool_name": "Read", "tool_input": {"file_path": "notes-%d.txt"}, "tool_use_id": "t%[1]d"}`, calls))
		},
		"bare start": func(b *testing.B) {
			if err := exec.Command(binary, "version").Run(); err != nil {
				b.Fatal(err)
			}
		},
		"no program": func(b *testing.B) {
			if err := exec.Command("true").Run(); err != nil {
				b.Fatal(err)
			}
		},
	} {
		b.Run(name, func(b *testing.B) { percentiles(b, run) })
	}
}

// built returns the path of the real binary.
func built(b *testing.B) string {
	binary := filepath.Join(b.TempDir(), "ctx-mcp")
	if out, err := exec.Command("go", "build", "-tags", "sqlite_fts5", "-o", binary, ".").CombinedOutput(); err != nil {
		b.Fatalf("build: %v: %s", err, out)
	}
	return binary
}

// percentiles runs a function b.N times and reports the median and the 99th percentile of its time.
func percentiles(b *testing.B, run func(*testing.B)) {
	var all []time.Duration
	for b.Loop() {
		began := time.Now()
		run(b)
		all = append(all, time.Since(began))
	}
	slices.Sort(all)
	at := func(share float64) float64 { return all[int(share*float64(len(all)-1))].Seconds() * 1000 }
	b.ReportMetric(at(0.5), "p50-ms")
	b.ReportMetric(at(0.99), "p99-ms")
}
