package main

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp/config"
	"github.com/ctx-mcp/ctx-mcp/storetest/golden"
	"github.com/ctx-mcp/ctx-mcp/tools"
)

const readme = "../../README.md"

// generated holds the texts between the markers of the README.
var generated = map[string]func() string{
	"tools":    toolTable,
	"settings": settingTable,
}

var marked = regexp.MustCompile(`(?s)(<!-- generated: (\w+) -->\n).*?(<!-- end -->)`)

// TestReadmeIsCurrent fails when a table in the README no longer says what the code does; -update rewrites it.
func TestReadmeIsCurrent(t *testing.T) {
	have, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	want := marked.ReplaceAllFunc(have, func(block []byte) []byte {
		m := marked.FindSubmatch(block)
		found++
		return []byte(string(m[1]) + generated[string(m[2])]() + string(m[3]))
	})
	if found != len(generated) {
		t.Fatalf("the README has %d generated parts, want %d", found, len(generated))
	}
	golden.Want(t, readme, string(want))
}

func toolTable() string {
	var b strings.Builder
	b.WriteString("| Tool | Toolset | | What it does |\n| --- | --- | --- | --- |\n")
	for _, t := range tools.Select(tools.Options{Toolsets: tools.Toolsets()}) {
		effect := "writes"
		if t.ReadOnly() {
			effect = "reads"
		}
		what, _, _ := strings.Cut(t.MCP.Description, ". ")
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s. |\n", t.Name, t.Toolset, effect, strings.TrimSuffix(what, "."))
	}
	return b.String()
}

func settingTable() string {
	var b strings.Builder
	b.WriteString("| Key | Flag | Environment | Default | |\n| --- | --- | --- | --- | --- |\n")
	c := config.New()
	c.DataDir, c.User = "the platform's folder for data", "the account's name"
	for _, s := range config.Settings() {
		flag := ""
		if s.Flag != "" {
			flag = "`--" + s.Flag + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s | `%s` | %s | %s |\n", s.Key, flag, s.Env(), c.Value(s), s.Doc)
	}
	return b.String()
}
