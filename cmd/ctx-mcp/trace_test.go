package main

import (
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/compiler"
	"github.com/ctx-mcp/ctx-mcp/tokens"
)

// compiledOf compiles a question with a system prompt, without a store.
func compiledOf(t *testing.T, system, question string) compiler.Kept {
	t.Helper()
	in := compiler.Inputs{
		Schema: compiler.InputsSchema, Instant: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC), Policy: compiler.DefaultPolicy(),
		Counter: tokens.Approximate{}.Name(), Caller: compiler.Caller{Tenant: "acme", User: "ann", Clearance: ctxmcp.Public},
		Request: compiler.Request{UserMessage: question, Query: question, SystemPrompt: system, MaxTokens: 8000, Format: compiler.Text},
	}
	out, err := compiler.Compiler{Counter: tokens.Approximate{}}.Compile(in)
	if err != nil {
		t.Fatal(err)
	}
	return compiler.Kept{Ref: "sha256:0", TraceID: "tr-0", Inputs: in, Output: out}
}

func TestLinesOf(t *testing.T) {
	k := compiledOf(t, "one\ntwo\nthree", "what is two?")
	all, err := linesOf(k, "all")
	if err != nil || len(all) < 4 {
		t.Fatalf("linesOf all = %v, %v, want every line", all, err)
	}
	for which, want := range map[string][]int{
		"2": {2}, "1-2": {1, 2}, "2-": numbers(all[1:]), "2-99999999999999999999": numbers(all[1:]), "two": {2, len(all)}, "THREE": {3},
	} {
		got, err := linesOf(k, which)
		if diff := cmp.Diff(want, numbers(got)); err != nil || diff != "" {
			t.Errorf("linesOf(%q) = %v (-want +got):\n%s", which, err, diff)
		}
	}
	for _, which := range []string{"0", "99", "3-2", "99999999999999999999", "no such words"} {
		if got, err := linesOf(k, which); err == nil {
			t.Errorf("linesOf(%q) = %v, want an error", which, got)
		}
	}
}

func numbers(lines []numberedLine) (all []int) {
	for _, l := range lines {
		all = append(all, l.Number)
	}
	return all
}

func TestBar(t *testing.T) {
	for n, want := range map[int]int{0: 0, 1: 1, 500: 20, 1000: barWidth} {
		if got := strings.Count(bar(n, 1000), "█"); got != want {
			t.Errorf("bar(%d, 1000) has %d blocks, want %d", n, got, want)
		}
	}
}

// TestATraceMovesNoCursor prints texts that try to clear the terminal, to go up a line, and to turn the text around.
func TestATraceMovesNoCursor(t *testing.T) {
	const hostile = "\x1b[2J\x1b[1Agone\u202e\u009b2J\r\x07 ok"
	k := compiledOf(t, "be brief\n"+hostile, hostile)
	k.Output.Warnings = []string{hostile}
	k.Output.Trace.Conflicts = []compiler.Conflict{{Slot: hostile, Objects: []string{hostile}}}
	k.Output.Trace.Omitted = []compiler.Omitted{{ObjectID: hostile, Detail: hostile}}
	r, err := newTraceReport(time.Now, k)
	if err != nil {
		t.Fatal(err)
	}
	if r.Lines, err = linesOf(k, "all"); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := r.print(&out); err != nil {
		t.Fatal(err)
	}
	if err := r.printLines(&out); err != nil {
		t.Fatal(err)
	}
	if i := strings.IndexFunc(out.String(), func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }); i >= 0 {
		t.Errorf("the trace holds %q", out.String()[i:min(i+20, out.Len())])
	}
	if !strings.Contains(out.String(), "gone") {
		t.Errorf("the trace holds nothing of the text")
	}
}
