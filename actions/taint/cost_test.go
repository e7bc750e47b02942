package taint

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp/storetest/canceltest"
)

// TestReadingEndsWithItsContext: a result is taken apart in a microsecond or two for each byte, and no longer than somebody waits.
func TestReadingEndsWithItsContext(t *testing.T) {
	for name, text := range map[string]string{
		"prose":  strings.Repeat("The harbour was quiet, and nobody spoke of it. ", 1000),
		"values": "[0" + strings.Repeat(",0", 10_000) + "]",
		"fields": strings.Repeat("name: a value\n", 3000),
		"lists":  "x:\n" + strings.Repeat("[\n", 20_000),
		"table":  "name  value\n" + strings.Repeat("a     b\n", 4000),
	} {
		t.Run(name, func(t *testing.T) {
			canceltest.Law{Bytes: len(text), Every: 1 << 10, Work: func(ctx context.Context) error {
				_, err := Read(ctx, text)
				return err
			}}.Check(t)
		})
	}
	sentence := strings.Repeat("the harbour was quiet and ", 2000)
	canceltest.Law{Bytes: len(sentence), Every: len(sentence) / 10, Work: func(ctx context.Context) error {
		_, err := Read(ctx, sentence)
		return err
	}}.Check(t)
}

// TestParametersEndWithTheirContext: so it is with the parameters of an action.
func TestParametersEndWithTheirContext(t *testing.T) {
	var names strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&names, `"m%d":1,`, i)
	}
	for name, c := range map[string]struct {
		text  string
		every int
	}{
		"names":  {`{` + names.String() + `"z":1}`, 8 << 10},
		"values": {`{"a":[1` + strings.Repeat(",1", 50_000) + `]}`, 4 << 10},
		"long":   {`{"a":"` + strings.Repeat("a.", 50_000) + `"}`, 50_000},
		"calls":  {`{"calls":[{}` + strings.Repeat(`,{"tool":"a","args":{}}`, 3000) + `]}`, 64 << 10},
	} {
		t.Run(name, func(t *testing.T) {
			canceltest.Law{Bytes: len(c.text), Every: c.every, Work: func(ctx context.Context) error {
				parameters := DecodeObject(ctx, []byte(c.text))
				if _, err := Judgeable(ctx, parameters); err != nil {
					return err
				}
				_, err := Resolve(ctx, "x", "x", parameters)
				return err
			}}.Check(t)
		})
	}
}

// memoryOf returns how many bytes the reader asks for to find the cells of a text.
func memoryOf(text string) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	cellsOf(text)
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestHostileTextsAreReadOnce: no line and no string makes the reader go through, or copy, the whole text again.
func TestHostileTextsAreReadOnce(t *testing.T) {
	for name, part := range map[string]string{"lines": "x\n", "fields": "ab: x\n", "items": "- x\n"} {
		few, many := memoryOf(strings.Repeat(part, 4000)), memoryOf(strings.Repeat(part, 16_000))
		if many > 8*few {
			t.Errorf("%s: four times the lines took %d bytes of memory instead of %d: more than in proportion", name, many, few)
		}
	}
	for name, part := range map[string]string{"double": "ab: \"x\n", "single": "ab: 'x\n"} {
		r := &reader{text: strings.Repeat(part, 1000), unclosed: map[byte]bool{}}
		quote := r.text[4]
		if got := r.quoted(4, len(part)); got != 0 || !r.unclosed[quote] {
			t.Fatalf("%s: quoted = %d, and the search is not remembered", name, got)
		}
		r.text += string(quote) + "\n" // which a search that went on would find
		if got := r.quoted(len(part)+4, 2*len(part)); got != 0 {
			t.Errorf("%s: the text was searched again", name)
		}
	}
	r := &reader{text: strings.Repeat(`{"`, 2000), parents: []int{-1}, unclosed: map[byte]bool{}}
	if r.nested(0, len(r.text), 0); len(r.parents) > maxNested+2 || len(r.cells) != 1 {
		t.Errorf("strings in strings: %d records and %d cells, want the text beyond %d in one cell", len(r.parents), len(r.cells), maxNested)
	}
}

// FuzzQuoted: that a search which failed is remembered changes the end of no value that follows.
func FuzzQuoted(f *testing.F) {
	f.Add("a: 'x\nb: '' \nc: \"y\\\"\nd: \"z\" \n")
	f.Add("a: '''\nb: 'x''\nc: ''''\n")
	f.Add("a: \"\\\nb: \"\" \nc: \"\\\\\"\n")
	f.Fuzz(func(t *testing.T, text string) {
		r := &reader{text: text, unclosed: map[byte]bool{}}
		for at := range len(text) {
			if at > 0 && !strings.ContainsRune(" \n", rune(text[at-1])) {
				continue // a value begins after white space
			}
			fresh := &reader{text: text, unclosed: map[byte]bool{}}
			got, want := r.quoted(at, at), fresh.quoted(at, at)
			if got != want {
				t.Fatalf("quoted(%q, %d) = %d after searches that failed, want %d", text, at, got, want)
			}
		}
	})
}
