// Package extending_test follows the pages of this folder, and CONTRIBUTING: the names in them exist, and their examples run.
package extending_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp/storetest/golden"
)

// The test of a page takes it at its word: a path in backticks is a file or folder of the tree; after a colon
// and a space follows a name that the file declares; a command of make is a target; go test names packages that exist. A block
// that is headed by a path is a file of the example, or a change of one.
var (
	pathForm    = regexp.MustCompile("`([\\w.-]*/[\\w./-]*|[\\w.-]+\\.(?:go|md|tsv|txt))(?:: ([\\w.]+))?`")
	linkForm    = regexp.MustCompile(`\]\(([^)#:]+)(?:#[^)]*)?\)`)
	commandForm = regexp.MustCompile("(?ms)^ *```sh\n(.*?)^ *```")
	exampleForm = regexp.MustCompile("(?ms)^```(\\w+) (\\S+)\n(.*?)^```")
	stepForm    = regexp.MustCompile(`(?m)^\d\. `)
)

// ownTest are the pages that another package's test follows.
var ownTest = []string{"docs/extending/language.md"}

func extendingPages(t *testing.T) []string {
	t.Helper()
	pages, err := filepath.Glob("docs/extending/*.md")
	if err != nil || len(pages) < 8 {
		t.Fatalf("docs/extending has %d pages, %v", len(pages), err)
	}
	return pages
}

// TestExtendingPages follows each page: at most seven steps, an example, and nothing named that does not exist.
func TestExtendingPages(t *testing.T) {
	t.Chdir("../..")
	index := golden.Read(t, "docs/extending/README.md")
	for _, page := range extendingPages(t) {
		text := golden.Read(t, page)
		if filepath.Base(page) != "README.md" {
			if !strings.Contains(index, "("+filepath.Base(page)+")") {
				t.Errorf("docs/extending/README.md does not list %s", page)
			}
			if n := len(stepForm.FindAllString(text, -1)); n == 0 || n > 7 {
				t.Errorf("%s has %d steps, want 1 to 7", page, n)
			}
			if !strings.Contains(text, "\n## Example") {
				t.Errorf("%s has no example", page)
			}
		}
		if !slices.Contains(ownTest, page) {
			checkNamed(t, page, text)
		}
	}
}

// TestContributing: the names in CONTRIBUTING.md exist, and the README links it and the pages.
func TestContributing(t *testing.T) {
	t.Chdir("../..")
	checkNamed(t, "CONTRIBUTING.md", golden.Read(t, "CONTRIBUTING.md"))
	for _, link := range []string{"(CONTRIBUTING.md)", "(docs/extending/README.md)"} {
		if !strings.Contains(golden.Read(t, "README.md"), link) {
			t.Errorf("README.md does not link %s", link)
		}
	}
}

var ruleRow = regexp.MustCompile("(?m)^\\| [^|]+\\? \\| `[\\w./-]+\\.go: [\\w.]+` \\|")

// TestNewcomer: ten rules, each with the file that holds it and a name in that file, which checkNamed looks up.
func TestNewcomer(t *testing.T) {
	t.Chdir("../..")
	_, section, _ := strings.Cut(golden.Read(t, "CONTRIBUTING.md"), "## Where a rule is\n")
	section, _, _ = strings.Cut(section, "\n## ")
	rows := len(ruleRow.FindAllString(section, -1))
	if all := strings.Count(section, "\n| ") - 2; rows < 10 || rows != all {
		t.Errorf("CONTRIBUTING.md says of %d rules where they are, in %d rows, want 10 or more, each with a file and a name", rows, all)
	}
}

// checkNamed looks for everything that a document names, outside of the files of its example.
func checkNamed(t *testing.T, page, text string) {
	t.Helper()
	for _, m := range commandForm.FindAllStringSubmatch(text, -1) {
		for line := range strings.Lines(m[1]) {
			checkCommand(t, page, strings.TrimSpace(line))
		}
	}
	prose := regexp.MustCompile("(?ms)^ *```.*?^ *```").ReplaceAllString(text, "")
	for _, m := range pathForm.FindAllStringSubmatch(prose, -1) {
		if _, err := os.Stat(m[1]); err != nil {
			t.Errorf("%s names %s, which does not exist", page, m[1])
		} else if m[2] != "" && !slices.Contains(declared(t, m[1]), m[2]) {
			t.Errorf("%s says that %s declares %s, which it does not", page, m[1], m[2])
		}
	}
	for _, m := range linkForm.FindAllStringSubmatch(prose, -1) {
		if _, err := os.Stat(filepath.Join(filepath.Dir(page), m[1])); err != nil {
			t.Errorf("%s links %s, which does not exist", page, m[1])
		}
	}
}

// checkCommand looks for the target of a make, and for the packages of a go test.
func checkCommand(t *testing.T, page, line string) {
	t.Helper()
	words := strings.Fields(line)
	switch {
	case len(words) > 1 && words[0] == "make":
		if !regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(words[len(words)-1]) + `:`).MatchString(golden.Read(t, "Makefile")) {
			t.Errorf("%s runs %q, which is no target", page, line)
		}
	case len(words) > 2 && words[0] == "go" && words[1] == "test":
		for _, w := range words[2:] {
			folder, is := strings.CutPrefix(strings.TrimSuffix(w, "/..."), "./")
			if _, err := os.Stat(folder); is && err != nil {
				t.Errorf("%s runs %q: there is no %s", page, line, folder)
			}
		}
	case len(words) > 0 && words[0] == "git":
	case len(words) > 0:
		if _, err := os.Stat(words[0]); err != nil {
			t.Errorf("%s runs %q, which nobody knows", page, line)
		}
	}
}

// declared lists the names that a file of Go declares: X, and T.M for a method M of T.
func declared(t *testing.T, path string) (all []string) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			name := d.Name.Name
			if d.Recv != nil {
				of := d.Recv.List[0].Type
				if star, is := of.(*ast.StarExpr); is {
					of = star.X
				}
				if id, is := of.(*ast.Ident); is {
					name = id.Name + "." + name
				}
			}
			all = append(all, name)
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					all = append(all, s.Name.Name)
				case *ast.ValueSpec:
					for _, id := range s.Names {
						all = append(all, id.Name)
					}
				}
			}
		}
	}
	return all
}

// exampleFiles returns the files of a page's example: new ones whole, and the others as the example changes them.
func exampleFiles(text string) map[string]string {
	files := map[string]string{}
	for _, m := range exampleForm.FindAllStringSubmatch(text, -1) {
		files[m[2]] = m[3]
		if m[1] == "diff" {
			before, after := sides(m[3])
			have, err := os.ReadFile(m[2])
			if err != nil || strings.Count(string(have), before) != 1 {
				files[m[2]] = "" // TestExamples says so
				continue
			}
			files[m[2]] = strings.Replace(string(have), before, after, 1)
		}
	}
	return files
}

// sides returns the lines that a change of an example takes away, and those that it puts there, both with the lines around them.
func sides(change string) (before, after string) {
	for line := range strings.Lines(change) {
		switch line[0] {
		case '-':
			before += line[1:]
		case '+':
			after += line[1:]
		default:
			before, after = before+line[1:], after+line[1:]
		}
	}
	return before, after
}

// TestExamples lays the example of each page over the tree and runs the command below it: the code that a page tells people
// to write compiles and passes.
func TestExamples(t *testing.T) {
	t.Chdir("../..")
	if testing.Short() {
		t.Skip("builds packages")
	}
	for _, page := range extendingPages(t) {
		if filepath.Base(page) == "README.md" || slices.Contains(ownTest, page) {
			continue
		}
		t.Run(strings.TrimSuffix(filepath.Base(page), ".md"), func(t *testing.T) { runExample(t, golden.Read(t, page)) })
	}
}

func runExample(t *testing.T, text string) {
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	files, over := exampleFiles(text), map[string]string{}
	for path, content := range files {
		if content == "" {
			t.Fatalf("the lines of %s that the example changes are not there, or are there twice", path)
		}
		over[filepath.Join(root, path)] = filepath.Join(t.TempDir(), filepath.Base(path))
		if err := os.WriteFile(over[filepath.Join(root, path)], []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	raw, err := json.Marshal(map[string]any{"Replace": over})
	if err != nil {
		t.Fatal(err)
	}
	overlay := filepath.Join(t.TempDir(), "overlay.json")
	if err := os.WriteFile(overlay, raw, 0o644); err != nil {
		t.Fatal(err)
	}
	_, example, _ := strings.Cut(text, "\n## Example")
	commands := commandForm.FindAllStringSubmatch(example, -1)
	if len(files) == 0 || len(commands) != 1 {
		t.Fatalf("the example has %d files and %d commands, want one or more, and one", len(files), len(commands))
	}
	line, ok := strings.CutPrefix(strings.TrimSpace(commands[0][1]), "go test ")
	if !ok {
		t.Fatalf("the command of the example is %q, want a go test", line)
	}
	out, err := exec.Command("sh", "-c", "exec go test -v -vet=off -overlay '"+overlay+"' "+line).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: ") {
		t.Errorf("go test %s: %v\n%s", line, err, out)
	}
}
