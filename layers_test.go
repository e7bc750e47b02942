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
	"":                {},
	"language":        {},
	"redact":          {},
	"memory/extract":  {"language"},
	"tokens":          {},
	"memory/vectors":  {""},
	"schema":          {""},
	"schema/ijson":    {},
	"serve/access":    {""},
	"serve/admission": {""},
	"llm/embed":       {""},
	"serve":           {"", "serve/admission", "schema/ijson"},
	"serve/telemetry": {},
	"memory/entities": {"", "language"},
	"quota":           {""},
	"memory/origin":   {""},
	"memory":          {"", "language", "memory/entities", "memory/extract", "memory/ranking", "memory/origin", "quota", "redact"},
	"memory/exchange": {"", "memory/exchange/foreign", "schema/ijson", "memory", "redact", "schema"},
	"tools":           {"", "actions", "actions/taint", "serve/admission", "artifacts", "compiler", "conversation", "directives", "memory/entities", "envelope", "memory", "packets", "redact", "reduce", "schema", "tasks"},

	// How well memories answer a question: pure, below the rules and the stores.
	"memory/ranking": {"", "language", "memory/entities", "weights"},
	"weights":        {},

	// What becomes of an action, and the proof of it.
	"actions":          {"", "actions/policy", "actions/taint", "language", "quota", "receipts", "redact"},
	"actions/taint":    {"", "language", "weights"},
	"actions/policy":   {""},
	"receipts":         {""},
	"receipts/keyring": {"", "receipts"},
	"vault":            {""},
	"receipts/ocsf":    {"", "receipts"},

	// Where data ends and instructions begin.
	"containment": {},

	// Tool results and what tasks hand on.
	"artifacts/pattern": {""},
	"artifacts/fields":  {"", "artifacts/pattern"},
	"artifacts/seal":    {""},
	"artifacts":         {"", "artifacts/fields", "artifacts/pattern", "quota", "redact", "tokens"},
	"envelope":          {"", "artifacts", "containment", "language", "redact", "schema/ijson", "tokens"},
	"tasks":             {"", "artifacts", "artifacts/fields", "redact", "tokens"},

	// What a model was shown.
	"packets":             {"", "artifacts", "memory", "quota", "redact"},
	"directives":          {"", "artifacts", "envelope", "memory", "packets", "redact", "tasks", "tokens"},
	"directives/upstream": {"", "directives"},
	// Long conversations.
	"conversation": {"", "tokens"},
	"reduce":       {"", "artifacts", "containment", "conversation", "language", "redact", "tokens"},
	"llm/chat":     {""},

	// What a model gets to see.
	"compiler": {"", "language", "containment", "conversation", "envelope", "memory", "memory/origin", "packets", "redact", "tasks"},

	// What is a secret, in tables.
	"redact/rules": {"redact"},

	// What other systems write.
	"memory/exchange/foreign": {"", "schema/ijson"},

	// What is wrong with memories.
	"memory/audit": {"", "language", "redact"},

	// The stores point up, at the interfaces that they satisfy.
	"storetest/inmem": {"", "serve/access", "actions", "language", "artifacts", "memory/entities", "memory", "memory/ranking", "packets", "quota", "receipts", "tasks"},
	"sqlite":          {"", "serve/access", "actions", "language", "artifacts", "memory/entities", "memory", "memory/ranking", "packets", "quota", "receipts", "tasks", "memory/vectors"},
	"artifacts/blobs": {"", "artifacts"},

	// Tools of the tests.
	"actions/taint/stories": {},
	"llm/embed/embedtest":   {},
	"storetest/canceltest":  {},
	"storetest":             {"", "serve/access", "actions", "language", "artifacts", "memory/entities", "storetest/inmem", "memory", "memory/ranking", "packets", "quota", "receipts", "tasks"},

	// The settings, and what they make of the options of services.
	"config": {"", "actions", "actions/policy", "directives/upstream", "memory", "packets", "quota", "redact", "reduce", "sqlite", "tokens", "tools", "vault"},

	// Programs know all they need.
	"cmd/ctx-mcp":            {"", "serve/access", "actions", "serve/admission", "language", "artifacts", "memory/audit", "artifacts/blobs", "llm/chat", "compiler", "config", "containment", "directives", "llm/embed", "envelope", "receipts/ocsf", "memory/exchange", "memory/exchange/foreign", "receipts/keyring", "memory", "packets", "quota", "actions/policy", "receipts", "redact", "redact/rules", "reduce", "schema", "artifacts/seal", "serve", "sqlite", "tasks", "serve/telemetry", "tokens", "tools", "directives/upstream", "vault"},
	"eval/attack":            {},
	"eval/hostile":           {"eval/attack"},
	"eval/lsa":               {"language"},
	"eval/cache":             {"eval/labelled", "tokens"},
	"eval/compile":           {"eval/labelled", "tokens"},
	"eval/labelled":          {},
	"eval/recall":            {"eval/labelled", "eval/lsa"},
	"eval/recall/fit":        {"", "eval/labelled", "memory", "memory/ranking", "redact", "sqlite", "tokens"},
	"eval/redaction":         {},
	"eval/reduction":         {},
	"eval/redaction/samples": {"redact", "redact/rules"},
	"eval/tokens":            {"tokens"},
	"eval/tokens/fit":        {"tokens"},
	"eval/actions":           {"eval/labelled"},
	"eval/actions/fit":       {"actions/taint", "eval/fit", "eval/labelled", "redact", "weights"},
	"eval/fit":               {},
}

// standardOnly lists the packages that import nothing but the standard library and the product.
var standardOnly = []string{"", "serve/access", "serve/admission", "memory", "memory/ranking", "redact", "storetest/inmem", "memory/vectors", "artifacts", "containment", "envelope", "tasks", "artifacts/blobs"}

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
