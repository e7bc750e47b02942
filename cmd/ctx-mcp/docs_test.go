package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp/config"
	"github.com/ctx-mcp/ctx-mcp/storetest/golden"
	"github.com/ctx-mcp/ctx-mcp/tools"
)

// generated are the tables in the documents that the code writes, by file and name.
var generated = []struct {
	file, name string
	table      func() string
}{
	{"../../docs/tools.md", "tools", toolTable},
	{"../../docs/settings.md", "settings", settingTable},
	{"../../docs/metrics.md", "metrics", metricTable},
}

// TestReadmeIsCurrent fails when a table in the documents no longer says what the code does; -update rewrites it.
func TestReadmeIsCurrent(t *testing.T) {
	for _, g := range generated {
		block := regexp.MustCompile(`(?s)(<!-- generated: ` + g.name + ` -->\n).*(<!-- end -->)`)
		have := golden.Read(t, g.file)
		if n := strings.Count(have, "<!-- generated: "); n != 1 || !block.MatchString(have) {
			t.Fatalf("%s has %d generated tables, want one, of %s", g.file, n, g.name)
		}
		golden.Want(t, g.file, block.ReplaceAllStringFunc(have, func(was string) string {
			m := block.FindStringSubmatch(was)
			return m[1] + g.table() + m[2]
		}))
	}
}

var figure = regexp.MustCompile(`\[([0-9][0-9.,]*(?: %)?)\]\(docs/evaluation\.md#([a-z-]+)\)`)

// TestFiguresOfTheReadme: each figure that the README quotes stands in the section of the measurements that it links.
func TestFiguresOfTheReadme(t *testing.T) {
	sections := map[string]string{}
	for _, section := range strings.Split(golden.Read(t, "../../docs/evaluation.md"), "\n## ")[1:] {
		name, _, _ := strings.Cut(section, "\n")
		sections[strings.ReplaceAll(strings.ToLower(name), " ", "-")] = section
	}
	all := figure.FindAllStringSubmatch(golden.Read(t, readme), -1)
	for _, m := range all {
		if !strings.Contains(sections[m[2]], m[1]) {
			t.Errorf("the README says %s, which is not in the section %s of docs/evaluation.md", m[1], m[2])
		}
	}
	if len(all) < 5 {
		t.Errorf("the README has %d figures, want 5 or more", len(all))
	}
}

// TestReadmeIsShort: the README is read in two minutes, and its rest is on the pages that it links.
func TestReadmeIsShort(t *testing.T) {
	if n := len(golden.Read(t, readme)); n > 9000 {
		t.Errorf("the README has %d bytes, want 9,000 at most: move a part to a page of docs", n)
	}
}

// TestVersionIsDescribed: the first version that CHANGELOG.md describes is that of the program.
func TestVersionIsDescribed(t *testing.T) {
	_, first, _ := strings.Cut(golden.Read(t, "../../CHANGELOG.md"), "\n## ")
	if first, _, _ = strings.Cut(first, "\n"); first != version {
		t.Errorf("CHANGELOG.md describes %q first, and the program is %q", first, version)
	}
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

// settingTable writes a table for each section of the configuration file.
func settingTable() string {
	var b strings.Builder
	c := config.New()
	c.DataDir, c.User = "the platform's folder for data", "the account's name"
	section := ""
	sectionOf := func(s config.Setting) string {
		if name, _, in := strings.Cut(s.Key, "."); in {
			return name
		}
		return "top level"
	}
	var sections []string
	for _, s := range config.Settings() {
		sections = append(sections, sectionOf(s))
	}
	settings := config.Settings()
	slices.SortStableFunc(settings, func(a, b config.Setting) int { // each section once, where it first occurs
		return slices.Index(sections, sectionOf(a)) - slices.Index(sections, sectionOf(b))
	})
	for _, s := range settings {
		if name := sectionOf(s); name != section {
			section = name
			fmt.Fprintf(&b, "\n### %s\n\n| Key | Default | Meaning |\n| --- | --- | --- |\n", section)
		}
		key := "`" + s.Key + "`"
		if s.Flag != "" {
			key += ", `--" + s.Flag + "`"
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", key, c.Value(s), s.Doc)
	}
	return b.String() + "\n"
}
