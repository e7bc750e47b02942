package ctxmcp_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp/storetest/golden"
)

const architecture = "docs/ARCHITECTURE.md"

// floors returns the packages of layers by floor: one that imports nothing is on floor 0, another on the floor above the
// highest of those that it imports. It panics at a circle.
func floors() [][]string {
	const open = -1 // being looked at
	known := map[string]int{}
	var floorOf func(name string) int
	floorOf = func(name string) int {
		if f, is := known[name]; f == open {
			panic(fmt.Sprintf("layers: a circle of imports goes through %q", name))
		} else if is {
			return f
		}
		known[name] = open
		f := 0
		for _, i := range layers[name].imports {
			f = max(f, 1+floorOf(i))
		}
		known[name] = f
		return f
	}
	var all [][]string
	for _, name := range slices.Sorted(maps.Keys(layers)) {
		f := floorOf(name)
		for len(all) <= f {
			all = append(all, nil)
		}
		all[f] = append(all[f], name)
	}
	return all
}

// floorTable writes the floors, the highest first.
func floorTable() string {
	var b strings.Builder
	b.WriteString("| Floor | Packages |\n| --- | --- |\n")
	all := floors()
	for f := len(all) - 1; f >= 0; f-- {
		fmt.Fprintf(&b, "| %d | ", f)
		for i, name := range all[f] {
			if i > 0 {
				b.WriteString(" · ")
			}
			b.WriteString(folder(name))
		}
		b.WriteString(" |\n")
	}
	return b.String()
}

func folder(name string) string {
	if name == "" {
		return "`./`"
	}
	return "`" + name + "/`"
}

var floorBlock = regexp.MustCompile(`(?s)(<!-- generated: floors -->\n).*?(<!-- end -->)`)

// TestDirection fails when the table of floors no longer follows from layers; -update rewrites it.
func TestDirection(t *testing.T) {
	have := golden.Read(t, architecture)
	if n := len(floorBlock.FindAllString(have, -1)); n != 1 {
		t.Fatalf("%s has %d tables of floors, want 1", architecture, n)
	}
	want := floorBlock.ReplaceAllString(have, "${1}"+floorTable()+"${2}")
	golden.Want(t, architecture, want)
}

var treeRow = regexp.MustCompile("(?m)^\\| (`[^`]+/`) \\| (.*) \\|$")

// TestTree: the table of the tree has a row for each package, and each of its rows is a package.
func TestTree(t *testing.T) {
	_, section, _ := strings.Cut(golden.Read(t, architecture), "## The tree\n")
	section, _, _ = strings.Cut(section, "\n## ")
	rows := map[string]bool{}
	for _, m := range treeRow.FindAllStringSubmatch(section, -1) {
		if rows[m[1]] {
			t.Errorf("%s has two rows for %s", architecture, m[1])
		}
		if strings.TrimSpace(m[2]) == "" {
			t.Errorf("%s does not say what %s owns", architecture, m[1])
		}
		rows[m[1]] = true
	}
	for name := range layers { // TestLayers holds them against the packages that there are
		if !rows[folder(name)] {
			t.Errorf("%s has no row for %s", architecture, folder(name))
		}
		delete(rows, folder(name))
	}
	for row := range rows {
		t.Errorf("%s has a row for %s, which is no package", architecture, row)
	}
}
