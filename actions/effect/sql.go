package effect

import (
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// statement is a row of the table of SQL statements: its first words, and its class.
type statement struct {
	words  string
	class  Class
	sample string
}

// sqlTable is the table. The first row that fits decides.
var sqlTable = []statement{
	{"drop", Destroy, "DROP TABLE a"},
	{"truncate", Destroy, "TRUNCATE a"},
	{"delete from", Destroy, "DELETE FROM a WHERE id = 1"},
	{"grant", Access, "GRANT ALL ON a TO b"},
	{"revoke", Access, "REVOKE ALL ON a FROM b"},
	{"create user", Access, "CREATE USER a"},
	{"create role", Access, "CREATE ROLE a"},
	{"alter user", Access, "ALTER USER a SUPERUSER"},
	{"alter role", Access, "ALTER ROLE a SUPERUSER"},
	{"alter system", Security, "ALTER SYSTEM SET a = 1"},
	{"create trigger", Persist, "CREATE TRIGGER a"},
	{"create event", Persist, "CREATE EVENT a"},
	{"copy", Change, "COPY a FROM 'b'"},
	{"insert", Change, "INSERT INTO a VALUES (1)"},
	{"update", Change, "UPDATE a SET b = 1 WHERE id = 2"},
	{"merge", Change, "MERGE INTO a"},
	{"replace", Change, "REPLACE INTO a VALUES (1)"},
	{"create", Change, "CREATE INDEX a ON b (c)"},
	{"alter", Change, "ALTER TABLE a ADD b int"},
	{"call", Change, "CALL a()"},
	{"select", Read, "SELECT * FROM a"},
	{"with", Read, "WITH a AS (SELECT 1) SELECT * FROM a"},
	{"show", Read, "SHOW TABLES"},
	{"explain", Read, "EXPLAIN SELECT 1"},
	{"describe", Read, "DESCRIBE a"},
	{"pragma", Read, "PRAGMA table_info(a)"},
	{"set", Read, "SET ROLE dba"},
	{"begin", Read, "BEGIN"},
	{"commit", Read, "COMMIT"},
	{"rollback", Read, "ROLLBACK"},
	{"analyze", Read, "ANALYZE a"},
	{"vacuum", Read, "VACUUM"},
	{"use", Read, "USE a"},
}

var (
	sqlComments = language.NewPattern(`(?s)/\*.*?\*/|--[^\n]*`)
	sqlNames    = language.NewPattern(`(?i)\b(?:from|into|table|update|on|to|user|role|database|schema|truncate|index)\s+(?:if\s+exists\s+)?["'` + "`" + `\[]?([\w.]+)`)
	sqlProgram  = language.NewPattern(`(?i)\b(?:to|from)\s+program\b|\binto\s+outfile\b|\bxp_cmdshell\b`)
)

// sqlEffects returns the effects of statements, none for a text that is not SQL.
func sqlEffects(text, pointer string) []Effect {
	var all []Effect
	for part := range strings.SplitSeq(sqlComments.ReplaceAllString(text, " "), ";") {
		words := strings.Join(strings.Fields(strings.ToLower(part)), " ")
		if words == "" {
			continue
		}
		i := slices.IndexFunc(sqlTable, func(s statement) bool { return words == s.words || strings.HasPrefix(words, s.words+" ") })
		if i < 0 {
			return nil
		}
		e := Effect{Class: sqlTable[i].class, Shown: strings.Join(strings.Fields(part), " "), Argument: pointer}
		if sqlProgram.MatchString(words) {
			e.Class = NetworkWrite
		}
		for _, m := range sqlNames.FindAllStringSubmatch(part, 16) {
			e.Deciding = append(e.Deciding, Value{Subject, m[1], pointer})
		}
		e.Makes = makesTable(words, e.Deciding)
		all = append(all, e)
	}
	return all
}

// statements reads SQL in the arguments. It reports whether there was some.
func (r *reading) statements() bool {
	found := false
	for _, a := range r.arguments {
		if !a.named(keys.statements) || r.ended() {
			continue
		}
		for _, e := range sqlEffects(a.text, a.pointer) {
			found = true
			r.add(e)
		}
	}
	return found
}
