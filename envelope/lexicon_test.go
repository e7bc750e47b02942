package envelope

import (
	"context"
	"testing"
)

// TestFailureWords: words of failure are found as programs write them, and not where they are denied or part of another.
func TestFailureWords(t *testing.T) {
	for text, want := range map[string]bool{
		"ERROR disk full": true, "level=error msg=x": true, "ValueError: bad": true, "java.lang.NullPointerException": true,
		"FailedScheduling": true, "OOMKilled": true, "it timed out": true, "Connection refused": true, "upstream_error": true,
		`{"note":"a\nerror"}`: true, "2 errors, 0 warnings": true, "10 failed": true, "errors: 3": true,
		"no errors": false, "0 failed": false, "error=null": false, `"error": null`: false, "Failures: 0, Errors: 0": false, "errors: []": false,
		"error_rate 3": false, "terror": false, "mirrors": false, "the errorless way": false, "": false,
	} {
		if got := failureWord.MatchString(text); got != want {
			t.Errorf("failure in %q = %v, want %v", text, got, want)
		}
	}
}

// TestReadJSON: values are found where they stand, whatever the white space, the escapes and the depth.
func TestReadJSON(t *testing.T) {
	n := readJSON(watching(context.Background()), " { \"a\\\"\" : [1 , -2.5e3,\"x\\\\\", null ,[[]] ] ,\"b\":{}, \"\\u00e9\":true}\n")
	if got, want := len(n.names()), 3; got != want {
		t.Fatalf("%d keys, want %d: %q", got, want, n.names())
	}
	if n.keys[0] != `a"` || n.keys[2] != "é" {
		t.Errorf("keys = %q", n.keys)
	}
	list := n.child(0)
	for i, want := range []string{"1", "-2.5e3", `"x\\"`, "null", "[[]]"} {
		if list.len() != 5 || list.child(i).src != want {
			t.Errorf("element %d of %d is %q, want %q", i, list.len(), list.child(i).src, want)
		}
	}
	if n.child(1).len() != 0 || n.child(2).src != "true" || list.child(2).text() != `x\` {
		t.Errorf("the rest is %q, %q, %q", n.child(1).src, n.child(2).src, list.child(2).text())
	}
	if lines := readJSON(watching(context.Background()), "{\"a\":1}\r\n\n[2]\n"); lines.kind != jsonLines || lines.len() != 2 || lines.child(1).src != "[2]" {
		t.Errorf("JSON Lines = %+v", lines)
	}
}

// FuzzOpening: the bytes that are looked at before an expression is asked change none of its answers.
func FuzzOpening(f *testing.F) {
	for _, text := range []string{
		"error: x", "  - Failed", "[FATAL] x", "é panic", "\xffpanic", "___error", "12 error", "# title", "  # a will be b", "Plans: 1", " Plan: 1", "#", "", "Terror", "....error",
		"\u00a0# x will be y", "##x", "ſailed", "PLAN: 2",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, o := range []opening{outcry, documentMark} {
			if got, want := o.MatchString(text), o.Pattern.MatchString(text); got != want {
				t.Errorf("%s on %q: %t, want %t", o.Regexp(), text, got, want)
			}
		}
	})
}
