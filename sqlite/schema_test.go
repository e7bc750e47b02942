package sqlite

import (
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp/storetest/golden"
)

// declared lists the tables and indexes of the migrations, each table before its indexes. It leaves out those that
// SQLite makes: its own tables, indexes of constraints, and the shadow tables of the full-text index.
const declared = `
SELECT sql
FROM sqlite_schema
WHERE sql IS NOT NULL
  AND name NOT LIKE 'sqlite\_%' ESCAPE '\'
  AND name NOT IN (SELECT name FROM pragma_table_list WHERE type = 'shadow')
ORDER BY tbl_name, type <> 'table', name
`

// TestSchema keeps a readable copy of the schema after all migrations.
func TestSchema(t *testing.T) {
	rows, err := openStore(t, t.TempDir()).reads.Query(declared)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var text strings.Builder
	for rows.Next() {
		var sql string
		if err := rows.Scan(&sql); err != nil {
			t.Fatal(err)
		}
		text.WriteString("\n" + sql + ";\n")
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	golden.Want(t, "schema.sql", "-- The schema of a fresh database, which all migrations add up to. It is generated: "+
		"go test -tags sqlite_fts5 ./sqlite -run TestSchema -update\n"+text.String())
}
