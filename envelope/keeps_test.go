package envelope

import (
	"fmt"
	"strings"
	"testing"
)

// repeated returns n lines of a form with their number in it.
func repeated(n int, form string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, strings.ReplaceAll(form, "%", "%[1]d"), i)
	}
	return b.String()
}

// wideTableWith returns a table of 60 columns, the 38th of which has a value in one of its rows.
func wideTableWith(value string) string {
	var b strings.Builder
	for i := range 400 {
		for c := range 60 {
			switch {
			case i == 0:
				fmt.Fprintf(&b, "s%d,", c)
			case c == 0:
				fmt.Fprintf(&b, "t%d,", i)
			case i == 231 && c == 37:
				b.WriteString(value + ",")
			default:
				fmt.Fprintf(&b, "%d.%d,", 19+(i*7+c)%3, (i*13+c*5)%10)
			}
		}
		b.WriteString("end\n")
	}
	return b.String()
}

// TestKeeps: a small budget of the long output of a program holds the lines that a reader looks for, and not those that
// drowned them.
func TestKeeps(t *testing.T) {
	for _, tt := range []struct {
		name, kind, text string
		want, not        []string
	}{
		{"compiler errors that differ in numbers", "build_output", repeated(90, "store/file%.go:4%:2: undefined: name%\n"),
			[]string{"file0.go:40:2: undefined: name0\n", "name1\n", "name89\n", "undefined: name14..name82 (×69 lines)", "of 90 lines shown"}, nil},
		{"a manifest with one failed part", "text", "apiVersion: v1\nitems:\n" + repeated(40, "- kind: Pod\n  metadata:\n    name: web-%\n    namespace: prod\n") +
			"  status:\n    reason: CrashLoopBackOff\n" + repeated(40, "- kind: Pod\n  name: last-%\n"),
			[]string{"apiVersion: v1", "CrashLoopBackOff", "last-39"}, nil},
		{"a plan of changes", "text", repeated(60, "\n  # app_server.web[%] will be destroyed\n  - resource \"app_server\" \"web\" {\n      - size = % -> null\n        # (12 unchanged attributes hidden)\n    }\n") +
			"\nPlan: 0 to add, 0 to change, 60 to destroy.\n",
			[]string{"web[0] will be destroyed", "web[1] will be destroyed", "Plan: 0 to add"}, []string{"line 1 left out"}},
		{"a diff of many files", "diff", repeated(8, "diff --git a/f%.go b/f%.go\nindex 1..2 100644\n--- a/f%.go\n+++ b/f%.go\n@@ -1,3 +1,3 @@ func F() {\n same\n-old%\n+new%\n same\n"),
			[]string{"diff --git a/f0.go", "diff --git a/f7.go", "-old0", "+new0"}, nil},
		{"an access log with two faults", "log", strings.Replace(repeated(400, "10.0.0.% - - [05/Jan/2026:10:00:00 +0000] \"GET /items/% HTTP/1.1\" 200 7% \"-\"\n"), "/items/77 HTTP/1.1\" 200", "/items/77 HTTP/1.1\" 503", 1),
			[]string{"/items/77 HTTP/1.1\" 503", "(×393 lines)"}, nil},
		{"blank lines between what counts", "stack_trace", "panic: no\n\ngoroutine 1 [running]:\nmain.f()\n\t/app/f.go:7 +0x1d\n\n" +
			repeated(60, "goroutine % [chan receive]:\nmain.g(0x%)\n\t/app/g.go:% +0x1d\n\n"),
			[]string{"panic: no\n\ngoroutine 1", "goroutine 0..59 [chan receive]: (×60 lines)"}, []string{"\n\n…"}},
		{"one failed package among many", "test_output", repeated(40, "ok  \tgithub.com/k/m%\t0.0%s\n") +
			"--- FAIL: TestRefund (0.00s)\n    refund_test.go:31: got 20.01, want 20.00\n    --- FAIL: TestRefund/partial (0.00s)\nFAIL\nFAIL\tgithub.com/k/refund\t0.012s\n" +
			repeated(40, "ok  \tgithub.com/k/z%\t0.0%s\n") + "FAIL\n",
			[]string{"--- FAIL: TestRefund (0.00s)\n    refund_test.go:31: got 20.01, want 20.00\n    --- FAIL: TestRefund/partial", "FAIL\tgithub.com/k/refund"}, nil},
		{"one failed test behind the points of many", "test_output", "===== test session starts =====\ncollected 412 items\n\n" + repeated(30, "tests/test_m%.py ....... [ 3%]\n") +
			"===== FAILURES =====\n_____ test_rounds _____\n\n>       assert a.total() == 1\nE       AssertionError: assert 0 == 1\n\ntests/test_ledger.py:48: AssertionError\n===== warnings summary =====\n" +
			repeated(40, "tests/test_m%.py::test_a\n  /usr/lib/x/y%.py:12: DeprecationWarning: old\n    warnings.warn(\n\n") + "===== 1 failed, 409 passed in 12.31s =====\n",
			[]string{"test_rounds", "AssertionError: assert 0 == 1", "test_ledger.py:48", "1 failed, 409 passed"}, nil},
		{"colours", "log", repeated(200, "\x1b[32m[INFO]\x1b[0m 10:00:00 built module %\n") + "\x1b[31m[ERROR]\x1b[0m \x1b]0;t\x07cannot find symbol\n",
			[]string{"[INFO] 10:00:00 built module 3..197 (×195 lines)", "[ERROR] cannot find symbol"}, []string{"\x1b"}},
		{"a wide table with one value far out", "csv", wideTableWith("873.4"),
			[]string{",s37\n", ",873.4\n", "t231,", " of 61 columns shown: 1-", ", 38\n", " of 400 lines shown"}, nil},
		{"NUL", "text", repeated(500, "./file%\x00"), []string{"./file0␀./file1␀", "characters left out"}, []string{"\x00"}},
		{"one long line", "text", repeated(9000, "a%b "), []string{"a0b a1b a2b", "characters left out"}, nil},
		{"words of one letter", "text", strings.Repeat("x", 30_000), []string{"xxx", "characters left out"}, []string{"base64"}},
		{"Windows line ends", "log", repeated(200, "2026-01-02 10:00:00 INFO step %\r\n") + "2026-01-02 10:09:00 ERROR disk full\r\n",
			[]string{"INFO step 3..197 (×195 lines)\n", "ERROR disk full\n"}, []string{"\r"}},
		{"a configuration", "text", repeated(400, "key%: value%\n"), []string{"key0: value0\nkey1: value1", "key399: value399"}, []string{"(×"}},
	} {
		s, _ := service()
		out := wrap(t, s, Result{Value: quoted(tt.text), MaxTokens: 330})
		if out.Kind != tt.kind {
			t.Errorf("%s: taken for %s, want %s", tt.name, out.Kind, tt.kind)
		}
		for _, want := range tt.want {
			if !strings.Contains(out.Content, want) {
				t.Errorf("%s: %q is not in\n%s", tt.name, want, out.Content)
			}
		}
		for _, not := range tt.not {
			if strings.Contains(out.Content, not) {
				t.Errorf("%s: %q is in\n%s", tt.name, not, out.Content)
			}
		}
	}
}
