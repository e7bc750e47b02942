package main

import (
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/ctx-mcp/ctx-mcp/config"
	"github.com/ctx-mcp/ctx-mcp/storetest/golden"
)

var (
	fenced     = regexp.MustCompile("(?s)```.*?```")
	codeSpan   = regexp.MustCompile("`([^`\n]+)`")
	keyForm    = regexp.MustCompile(`^[a-z_]+(\.[a-z_]+)+$`)
	fileForm   = regexp.MustCompile(`\.(json|jsonl|key|txtar)$`)
	makeTarget = regexp.MustCompile(`(?m)^([a-z0-9-]+):`)
)

// TestNamesInDocuments: each command, flag, make target and setting that a document names in a sentence exists.
func TestNamesInDocuments(t *testing.T) {
	n := namesOf(t)
	for _, document := range everyDocument(t) {
		text := fenced.ReplaceAllString(golden.Read(t, document), "")
		for _, m := range codeSpan.FindAllStringSubmatch(text, -1) {
			if fault := n.fault(m[1]); fault != "" {
				t.Errorf("%s: `%s`: %s", document, m[1], fault)
			}
		}
	}
}

// everyDocument returns the paths of all documents of the repository.
func everyDocument(t *testing.T) []string {
	t.Helper()
	all, err := filepath.Glob("../../*.md")
	if err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir("../../docs", func(path string, e fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".md") {
			all = append(all, path)
		}
		return err
	})
	if err != nil || len(all) < 20 {
		t.Fatalf("there are %d documents, %v", len(all), err)
	}
	return all
}

// names is everything that a document may name.
type names struct {
	root           *cobra.Command
	targets        []string
	keys, sections []string
}

func namesOf(t *testing.T) names {
	t.Helper()
	n := names{root: newRoot(realSystem())}
	n.root.InitDefaultVersionFlag()
	n.root.InitDefaultCompletionCmd("completion")
	for _, m := range makeTarget.FindAllStringSubmatch(golden.Read(t, "../../Makefile"), -1) {
		n.targets = append(n.targets, m[1])
	}
	for _, s := range config.Settings() {
		section, _, _ := strings.Cut(s.Key, ".")
		n.keys, n.sections = append(n.keys, s.Key), append(n.sections, section)
	}
	return n
}

// fault returns why a piece of code names nothing; "" if it names something, or is of another kind.
func (n names) fault(code string) string {
	words := strings.Fields(code)
	switch {
	case len(words) > 1 && words[0] == "ctx-mcp":
		return n.command(words[1:])
	case len(words) == 2 && words[0] == "make" && !slices.Contains(n.targets, words[1]):
		return "there is no such target"
	case len(words) == 1 && keyForm.MatchString(code) && !fileForm.MatchString(code):
		section, _, _ := strings.Cut(code, ".")
		begins := func(key string) bool { return key == code || strings.HasPrefix(key, code+".") }
		if slices.Contains(n.sections, section) && !slices.ContainsFunc(n.keys, begins) {
			return "there is no such setting"
		}
	}
	return ""
}

// command returns why words name no command with its flags. Of "a|b" both are looked up.
func (n names) command(words []string) string {
	for i, w := range words {
		if first, others, is := strings.Cut(w, "|"); is {
			for _, one := range []string{first, others} {
				if fault := n.command(slices.Concat(words[:i], []string{one}, words[i+1:])); fault != "" {
					return fault
				}
			}
			return ""
		}
	}
	if words[0] == "..." || words[0] == "…" {
		return ""
	}
	cmd, rest, err := n.root.Find(words)
	if err != nil || cmd == n.root && !strings.HasPrefix(words[0], "-") {
		return "there is no such command"
	}
	if cmd.HasSubCommands() && len(rest) > 0 && !strings.HasPrefix(rest[0], "-") && cmd.ValidateArgs(rest[:1]) != nil {
		return "there is no such command"
	}
	for _, w := range rest {
		name, is := strings.CutPrefix(w, "--")
		name, _, _ = strings.Cut(name, "=")
		if is && cmd.Flags().Lookup(name) == nil && cmd.InheritedFlags().Lookup(name) == nil {
			return "there is no flag --" + name
		}
	}
	return ""
}

// TestNamesAreLookedUp: the check finds names of commands, flags, targets and settings that do not exist.
func TestNamesAreLookedUp(t *testing.T) {
	n := namesOf(t)
	for _, test := range []struct{ code, fault string }{
		{"ctx-mcp trace ID --line 3", ""},
		{"ctx-mcp review resolve ID DECISION", ""},
		{"ctx-mcp memory forget ID --mode hard_delete", ""},
		{"ctx-mcp --version", ""},
		{"ctx-mcp config cursor", ""},
		{"ctx-mcp completion bash", ""},
		{"ctx-mcp memory list|show|tell ID", "no such command"},
		{"ctx-mcp remember", "no such command"},
		{"ctx-mcp memory tell", "no such command"},
		{"ctx-mcp trace ID --lines 3", "no flag --lines"},
		{"make site", ""},
		{"make sites", "no such target"},
		{"memory.rules", ""},
		{"memory.rule", "no such setting"},
		{"context_accumulator.risk_signals", ""},
		{"policy.json", ""},
	} {
		if got := n.fault(test.code); (got == "") != (test.fault == "") || !strings.Contains(got, test.fault) {
			t.Errorf("fault(%q) = %q, want %q", test.code, got, test.fault)
		}
	}
}
