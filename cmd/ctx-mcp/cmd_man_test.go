package main

import (
	"strings"
	"testing"
)

// TestManual: each command has a page with its flags, and no page has a path or a name of the machine that wrote it.
func TestManual(t *testing.T) {
	t.Setenv("HOME", "/home/zebra")
	pages := manual(newRoot(realSystem()))
	for name, wants := range map[string][]string{
		"ctx-mcp.1":            {`.TH CTX\-MCP 1`, `\-\-data\-dir`, `.BR ctx\-mcp\-token (1),`},
		"ctx-mcp-token-list.1": {`ctx\-mcp\-token\-list \- List the tokens`, `\-\-json`, `.BR ctx\-mcp\-token (1)`},
		"ctx-mcp-import.1":     {".SH DESCRIPTION\nStore the memories", "Default: document."},
	} {
		for _, want := range wants {
			if !strings.Contains(pages[name], want) {
				t.Errorf("%s has no %q:\n%s", name, want, pages[name])
			}
		}
	}
	for name, page := range pages {
		if strings.Contains(page, "zebra") {
			t.Errorf("%s names the machine:\n%s", name, page)
		}
		for line := range strings.Lines(page) {
			if strings.HasPrefix(line, ".") && !strings.ContainsAny(line[1:2], "TSBPnfb") {
				t.Errorf("%s has the request %q", name, line)
			}
		}
	}
}
