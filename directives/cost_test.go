package directives

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp/storetest/canceltest"
	"github.com/ctx-mcp/ctx-mcp/tokens"
)

// TestFilesEndWithTheirContext: neither a large file nor a folder of very many is read for nobody.
func TestFilesEndWithTheirContext(t *testing.T) {
	root := t.TempDir()
	const size, entries = 256 << 10, 2500
	if err := os.WriteFile(filepath.Join(root, "large"), []byte(strings.Repeat("a line\n", size/7)), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(root, "many"), 0o700); err != nil {
		t.Fatal(err)
	}
	for i := range entries {
		if err := os.WriteFile(filepath.Join(root, "many", fmt.Sprintf(".%d", i)), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		rest         string
		bytes, every int
	}{{"large", size, 128 << 10}, {"many", entries, entriesAtOnce}} {
		t.Run(c.rest, func(t *testing.T) {
			canceltest.Law{Bytes: c.bytes, Every: c.every, Work: func(ctx context.Context) error {
				_, err := Filesystem{Roots: []string{root}}.Fetch(ctx, Call{Scheme: "filesystem", Rest: c.rest, Budget: Budget{Bytes: 1 << 20, Items: 10}})
				return err
			}}.Check(t)
		})
	}
}

// TestAssemblingEndsWithItsContext: documents are assembled only while somebody waits.
func TestAssemblingEndsWithItsContext(t *testing.T) {
	a := Assembler{Counter: tokens.Approximate{}}
	in := inputs{Directive: "filesystem:large", MaxTokens: 2000, Counter: a.Counter.Name(), Items: []item{
		{URI: "filesystem:a", Text: strings.Repeat("the harbour was quiet, and nobody spoke of it\n", 3000)},
		{URI: "filesystem:b", Text: "[" + strings.Repeat(`{"a":[[1],{"error":"none"}]},`, 3000) + "0]"},
	}}
	canceltest.Law{Bytes: len(in.Items[0].Text) + len(in.Items[1].Text), Every: 64 << 10, After: 60, Work: func(ctx context.Context) error {
		_, err := a.assemble(ctx, in)
		return err
	}}.Check(t)
}

// TestPagesEndWithTheirContext: nor is a page put into UTF-8 for nobody.
func TestPagesEndWithTheirContext(t *testing.T) {
	page := []byte(strings.Repeat("caf\xe9 ", 20_000))
	canceltest.Law{Bytes: len(page), Every: 8 << 10, Work: func(ctx context.Context) error {
		text, err := decode(ctx, page, "text/plain; charset=iso-8859-1")
		if err == nil && text != strings.Repeat("café ", 20_000) {
			t.Error("the page is not as it was")
		}
		return err
	}}.Check(t)
}
