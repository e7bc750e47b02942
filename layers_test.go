package ctxmcp_test

import (
	"encoding/json"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/ctx-mcp/ctx-mcp"

// layers says which packages of the product each package may import; "" is the root. What stands in no row does not
// exist. Tests may import more.
var layers = map[string][]string{
	"":          {},
	"analysis":  {},
	"redact":    {},
	"extract":   {},
	"tokens":    {},
	"vectors":   {""},
	"schema":    {""},
	"ijson":     {},
	"access":    {""},
	"admission": {""},
	"embed":     {""},
	"serve":     {"", "admission", "ijson"},
	"telemetry": {},
	"entities":  {""},
	"origin":    {""},
	"memory":    {"", "analysis", "entities", "extract", "memory/ranking", "origin", "redact"},
	"exchange":  {"", "exchange/foreign", "ijson", "memory", "redact", "schema"},
	"tools":     {"", "actions", "admission", "artifacts", "compiler", "directives", "entities", "envelope", "memory", "packets", "redact", "reduce", "schema", "tasks"},

	// How well memories answer a question: pure, below the rules and the stores.
	"memory/ranking": {"", "analysis", "entities"},

	// What becomes of an action, and the proof of it.
	"actions":  {"", "analysis", "policy", "receipts", "redact"},
	"policy":   {""},
	"receipts": {""},
	"keyring":  {"", "receipts"},
	"vault":    {""},
	"events":   {"", "receipts"},

	// Where data ends and instructions begin.
	"containment": {},

	// Tool results and what tasks hand on.
	"pattern":   {""},
	"fields":    {"", "pattern"},
	"seal":      {""},
	"artifacts": {"", "fields", "pattern", "redact", "tokens"},
	"envelope":  {"", "artifacts", "containment", "redact", "tokens"},
	"tasks":     {"", "artifacts", "fields", "redact", "tokens"},

	// What a model was shown.
	"packets":    {"", "artifacts", "memory", "redact"},
	"directives": {"", "artifacts", "envelope", "memory", "packets", "redact", "tasks", "tokens"},
	"upstream":   {"", "directives"},
	// Long conversations.
	"reduce": {"", "artifacts", "containment", "redact", "tokens"},
	"chat":   {""},

	// What a model gets to see.
	"compiler": {"", "analysis", "containment", "envelope", "memory", "origin", "packets", "redact", "tasks"},

	// What is a secret, in tables.
	"redact/rules": {"redact"},

	// What other systems write.
	"exchange/foreign": {"", "ijson"},

	// What is wrong with memories.
	"audit": {"", "analysis", "redact"},

	// The stores point up, at the interfaces that they satisfy.
	"inmem":  {"", "access", "actions", "analysis", "artifacts", "entities", "memory", "memory/ranking", "packets", "receipts", "tasks"},
	"sqlite": {"", "access", "actions", "analysis", "artifacts", "entities", "memory", "memory/ranking", "packets", "receipts", "tasks", "vectors"},
	"blobs":  {"", "artifacts"},

	// Tools of the tests.
	"embed/embedtest": {},
	"canceltest":      {},
	"storetest":       {"", "access", "actions", "analysis", "artifacts", "entities", "inmem", "memory", "memory/ranking", "packets", "receipts", "tasks"},

	// Programs know all they need.
	"cmd/ctx-mcp":            {"", "access", "actions", "admission", "analysis", "artifacts", "audit", "blobs", "chat", "compiler", "containment", "directives", "embed", "envelope", "events", "exchange", "exchange/foreign", "keyring", "memory", "packets", "policy", "receipts", "redact", "redact/rules", "reduce", "schema", "seal", "serve", "sqlite", "tasks", "telemetry", "tokens", "tools", "upstream", "vault"},
	"eval/attack":            {},
	"eval/hostile":           {"eval/attack"},
	"eval/lsa":               {"analysis"},
	"eval/cache":             {"eval/labelled", "tokens"},
	"eval/compile":           {"eval/labelled", "tokens"},
	"eval/labelled":          {},
	"eval/recall":            {"eval/labelled", "eval/lsa"},
	"eval/redaction":         {},
	"eval/reduction":         {},
	"eval/redaction/samples": {"redact", "redact/rules"},
	"eval/tokens":            {"tokens"},
	"eval/tokens/fit":        {"tokens"},
	"eval/actions":           {},
}

// standardOnly lists the packages that import nothing but the standard library and the product.
var standardOnly = []string{"", "access", "admission", "memory", "memory/ranking", "redact", "inmem", "vectors", "artifacts", "containment", "envelope", "tasks", "blobs"}

type listed struct {
	ImportPath string
	Imports    []string
}

func TestLayers(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range list(t) {
		name := relative(p.ImportPath)
		seen[name] = true
		allowed, known := layers[name]
		if !known {
			t.Errorf("package %q stands in no layer: add it to the table, with what it may import", name)
			continue
		}
		for _, i := range p.Imports {
			switch {
			case i == module || strings.HasPrefix(i, module+"/"):
				if !slices.Contains(allowed, relative(i)) {
					t.Errorf("%q imports %q, which its layer may not", name, relative(i))
				}
			case slices.Contains(standardOnly, name) && strings.Contains(strings.Split(i, "/")[0], "."):
				t.Errorf("%q imports %s, but may use the standard library only", name, i)
			}
		}
	}
	for name := range layers {
		if !seen[name] {
			t.Errorf("the table has a row for %q, which does not exist", name)
		}
	}
}

// list returns every package of the product.
func list(t *testing.T) []listed {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "-tags", "sqlite_fts5", "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []listed
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := d.Decode(&p); err == io.EOF {
			return all
		} else if err != nil {
			t.Fatalf("go list: %v", err)
		}
		all = append(all, p)
	}
}

func relative(path string) string { return strings.TrimPrefix(strings.TrimPrefix(path, module), "/") }
