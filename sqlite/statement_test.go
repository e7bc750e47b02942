package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp/storetest/golden"
)

// TestStatementsPrepare finds a statement that names a table or column that the schema does not have.
func TestStatementsPrepare(t *testing.T) {
	s := openStore(t, t.TempDir())
	if _, err := s.writes.Exec(markUnfinished + ";" + makeKeys); err != nil { // a table that a store has while it is being filled, and that of keys
		t.Fatal(err)
	}
	found := statements(t)
	if len(found) < 30 {
		t.Fatalf("found %d statements in the source, want them all", len(found))
	}
	for _, st := range found {
		prepared, err := s.writes.Prepare(st.text)
		if err != nil {
			t.Errorf("%s: %v", st.name, err)
			continue
		}
		if err := prepared.Close(); err != nil {
			t.Errorf("%s: %v", st.name, err)
		}
	}
}

// TestLimits: no statement has a bare parameter for its LIMIT, which SQLite would compile anew for each use; those that copy tables run seldom.
func TestLimits(t *testing.T) {
	bare := regexp.MustCompile(`LIMIT [:?]`)
	for _, st := range statements(t) {
		if !st.copies && bare.MatchString(st.text) {
			t.Errorf("%s has a LIMIT of a bare parameter, want a cast", st.name)
		}
	}
}

// large are the tables that no statement may go through from end to end, or tenant by tenant.
var large = []string{"versions", "texts", "vectors", "replays", "entities", "entity_keys", "entity_references"}

// incidental are the steps of a plan that only read the lists among the parameters, and headings.
var incidental = regexp.MustCompile(`(?m)^ *(CO-ROUTINE|CORRELATED|LIST|CREATE BLOOM|SCAN (json_each|a|d) VIRTUAL).*\n`)

// TestPlans shows how SQLite carries out each reading constant, and fails on a statement that goes through a large table.
func TestPlans(t *testing.T) {
	s := openStore(t, t.TempDir())
	if _, err := s.writes.Exec(markUnfinished + ";" + makeKeys); err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for _, st := range statements(t) {
		if st.copies { // it has to go through the table
			continue
		}
		plan := planOf(t, s.reads, st.text)
		if st.constant && strings.HasPrefix(st.text, "\nSELECT") {
			fmt.Fprintf(&text, "\n%s\n%s", st.name, incidental.ReplaceAllString(plan, ""))
		}
		for _, table := range scanned(st.text, plan) {
			if slices.Contains(large, table) {
				t.Errorf("%s goes through all of %s:\n%s", st.name, table, plan)
			}
		}
	}
	golden.Want(t, "testdata/plans.golden", "How SQLite carries out the reading statements of the package, as EXPLAIN QUERY PLAN "+
		"says; refresh with go test -tags sqlite_fts5 ./sqlite -run TestPlans -update\n"+text.String())
}

// TestScanned: the check sees a scan, under an alias, through an index, in a subquery, and of all that a tenant has.
func TestScanned(t *testing.T) {
	s := openStore(t, t.TempDir())
	for _, text := range []string{
		`SELECT * FROM versions AS v ORDER BY v.tx_start`,
		`SELECT 1 FROM versions AS v INDEXED BY versions_by_fact WHERE v.fact_id + 0 = 1`,
		`SELECT 1 FROM scopes AS s JOIN versions AS v ON v.tx_start = s.scope`,
		`SELECT 1 FROM scopes WHERE EXISTS (SELECT 1 FROM versions)`,
		`SELECT 1 FROM versions WHERE tenant = :tenant`,
		`UPDATE versions SET tx_end = 1 WHERE tx_start = 1`,
	} {
		if got := scanned(text, planOf(t, s.reads, text)); !slices.Contains(got, "versions") {
			t.Errorf("scanned(%s) = %v, want versions", text, got)
		}
	}
}

// statement is an SQL text in the source of the package.
type statement struct {
	name     string // of the constant, or the place where it is written
	constant bool
	copies   bool // it is one of those that copy a table
	text     string
}

var isStatement = regexp.MustCompile(`^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\s`)

// statements returns every one that the package sends, but for pragmas. They are read from the source, so that none can
// be missing from a list.
func statements(t *testing.T) []statement {
	t.Helper()
	fset, files := parseSource(t)
	info := types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	conf := types.Config{Error: func(error) {}} // without the imports much is unknown, but not what a constant is
	_, _ = conf.Check("sqlite", fset, files, &info)
	var found []statement
	for _, f := range files {
		names := map[ast.Expr]string{}
		ast.Inspect(f, func(n ast.Node) bool {
			if spec, ok := n.(*ast.ValueSpec); ok {
				for i, v := range spec.Values {
					names[v] = spec.Names[i].Name
				}
			}
			e, ok := n.(ast.Expr)
			if !ok || info.Types[e].Value == nil {
				return true
			}
			if _, ok := e.(*ast.Ident); ok || info.Types[e].Value.Kind() != constant.String {
				return false
			}
			st := statement{name: names[e], constant: names[e] != "", text: constant.StringVal(info.Types[e].Value)}
			if !st.constant {
				st.name = fset.Position(e.Pos()).String()
			}
			switch {
			case !isStatement.MatchString(st.text):
			case strings.Contains(st.text, "{table}"):
				found = append(found, forTables(st)...)
			default:
				found = append(found, st)
			}
			return false
		})
	}
	return found
}

// forTables returns a statement that copies for each of the tables.
func forTables(st statement) (found []statement) {
	for _, table := range tablesCopied {
		if table.number == "" && strings.Contains(st.text, "{number}") {
			continue
		}
		found = append(found, statement{name: st.name + " of " + table.name, constant: true, copies: true, text: table.of(st.text, strings.Split(table.key, ", ")...)})
	}
	return found
}

func parseSource(t *testing.T) (*token.FileSet, []*ast.File) {
	t.Helper()
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	return fset, files
}

// planOf returns the answer of EXPLAIN QUERY PLAN, a step a line, indented by its depth. Every parameter is NULL:
// without ANALYZE a plan does not depend on them.
func planOf(t *testing.T, db *sql.DB, text string) string {
	t.Helper()
	if libraryName != "sqlite3" {
		t.Skip("SKIPPED: " + Library + " does not tell the number of parameters, and may be of another version")
	}
	rows, err := db.Query("EXPLAIN QUERY PLAN "+text, make([]any, parameters(t, db, text))...)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	defer rows.Close()
	depth := map[int]int{}
	var plan strings.Builder
	for rows.Next() {
		var id, parent, unused int
		var detail string
		if err := rows.Scan(&id, &parent, &unused, &detail); err != nil {
			t.Fatal(err)
		}
		depth[id] = depth[parent] + 1
		plan.WriteString(strings.Repeat("  ", depth[id]) + detail + "\n")
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return plan.String()
}

// parameters returns how many the statement has.
func parameters(t *testing.T, db *sql.DB, text string) (n int) {
	t.Helper()
	conn, err := db.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	err = conn.Raw(func(c any) error {
		st, err := c.(driver.Conn).Prepare(text)
		if err != nil {
			return err
		}
		n = st.NumInput()
		return st.Close()
	})
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return n
}

var (
	scanStep = regexp.MustCompile(`(?m)^ *(?:SCAN (\w+)|SEARCH (\w+) USING .*\(tenant=\?\)$)`)
	source   = regexp.MustCompile(`(?:FROM|JOIN|UPDATE)\s+(\w+)(?:\s+AS\s+(\w+))?`)
)

// scanned returns the tables that a plan goes through from end to end, by an index or not, or for all of a tenant.
func scanned(text, plan string) []string {
	tables := map[string]string{}
	for _, m := range source.FindAllStringSubmatch(text, -1) {
		tables[m[1]] = m[1]
		if m[2] != "" {
			tables[m[2]] = m[1]
		}
	}
	var all []string
	for _, m := range scanStep.FindAllStringSubmatch(plan, -1) {
		all = append(all, tables[m[1]+m[2]])
	}
	return all
}
