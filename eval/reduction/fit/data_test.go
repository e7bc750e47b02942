package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp/eval/fit"
)

// TestReadFacts: every fact that the agent used again is a positive case, and a sample of the rest stands for the rest.
func TestReadFacts(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "facts"), 0o755); err != nil {
		t.Fatal(err)
	}
	result := `total_amount = 4411\n` + strings.Repeat(`some_other_name\n`, 2) + `  other_name_9 = 1\n`
	for i := range 40 {
		result += `other line of words ` + strings.Repeat("x", i+3) + `\n`
	}
	session := `{"role":"user","content":"Count the money."}
{"role":"assistant","content":"","tool_calls":[{"id":"1","type":"function","function":{"name":"read","arguments":"{\"path\":\"a.txt\"}"}}]}
{"role":"tool","tool_call_id":"1","content":"` + result + `"}
` + strings.Repeat(`{"role":"user","content":"Go on."}`+"\n"+`{"role":"assistant","content":"Yes."}`+"\n", 4)
	for path, text := range map[string]string{
		"s.jsonl":            session,
		"facts/s.facts.json": `{"id":"s","cuts":[{"cut":11,"facts":[{"s":"total_amount","kind":"ident"},{"s":"other_name_9 = 1","kind":"line"}]}]}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, path), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	names, lines, err := readFacts(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	for what, cases := range map[string][]fit.Case{"names": names, "lines": lines} {
		positive, stands := 0, 0.0
		for _, c := range cases {
			if c.Label {
				positive++
			} else {
				stands += c.Times
			}
		}
		if positive != 1 || stands < 32 || stands > 64 || cases[0].Group != "s" {
			t.Errorf("%s: %d positive cases, negative ones that stand for %v; want 1 and most of 45", what, positive, stands)
		}
	}
}

// TestWholeWords: a name is used where it stands as a whole word, a line where it holds the whole of a fact.
func TestWholeWords(t *testing.T) {
	if !inAny([]string{"see a.total and total2"}, "total") || inAny([]string{"total2 subtotal"}, "total") {
		t.Error("a name is found in a part of a word, or not as a word")
	}
	if !holdsAny("x = total(1)", []string{" total(1) "}) || holdsAny("total", []string{"total(1)"}) {
		t.Error("a line is used by a part of a fact, or not by the whole of one")
	}
}
