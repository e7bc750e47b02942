package postgres

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// statement is a statement as PostgreSQL takes it.
type statement struct {
	text string
	args []string // of each parameter, in order: its name, or its number from 1
}

// whole has the statements that have a form of their own, as the embedded store writes them, with single spaces.
var whole = map[string]string{
	// The lexical index follows the table of texts by a trigger.
	`INSERT INTO search (rowid, terms) VALUES (?, ?)`:                   `SELECT ?::bigint, ?::text`,
	`INSERT INTO search (search, rowid, terms) VALUES ('delete', ?, ?)`: `SELECT ?::bigint, ?::text`,
	`INSERT INTO search (search, rank) VALUES ('integrity-check', 1)`:   `SELECT check_postings()`,
	`SELECT rowid FROM search WHERE search MATCH :match AND rowid BETWEEN :from AND :to`: `
SELECT id
FROM postings
WHERE term = replace(substr(:match, 2, length(:match) - 2), '""', '"') AND id BETWEEN :from AND :to
ORDER BY id`,
	// Writers of two tenants must not wait for each other's rows.
	`DELETE FROM prefixes WHERE saved < ?`: `
DELETE FROM prefixes
WHERE (tenant, namespace, digest) IN (SELECT tenant, namespace, digest FROM prefixes WHERE saved < ? FOR UPDATE SKIP LOCKED)`,
	// A vector that is written again gets a new number, so that copies in memory follow.
	`INSERT OR REPLACE INTO vectors (id, model, dimension, vector) SELECT id, ?, ?, ? FROM versions WHERE tenant = ? AND object_id = ? AND version = ?`: `
INSERT INTO vectors (id, model, dimension, vector)
SELECT id, ?, ?, ? FROM versions WHERE tenant = ? AND object_id = ? AND version = ?
ON CONFLICT (id, model) DO UPDATE SET seq = excluded.seq, dimension = excluded.dimension, vector = excluded.vector`,
}

// fragment is a form of words with its form in PostgreSQL.
type fragment struct {
	from *regexp.Regexp
	to   string
}

// fragments are applied in their order: the first of a kind is the narrower one.
var fragments = []fragment{
	{regexp.MustCompile(`\s+(?:NOT INDEXED|INDEXED BY \w+)`), ``},
	// The touches of several tenants are committed in any order, those of a scope in that of their numbers.
	{regexp.MustCompile(`\(SELECT seq FROM sqlite_sequence WHERE name = 'touched'\)`), `(SELECT max(seq) FROM touched WHERE id >> 32 = scopes.scope)`},
	{regexp.MustCompile(`\(SELECT seq FROM sqlite_sequence WHERE name = '(\w+)'\)`), `(SELECT max(seq) FROM $1)`},
	{regexp.MustCompile(`json_group_array\(([\w.]+)\)( FILTER \([^)]*\))`), `coalesce(json_agg($1)$2, '[]')::text`},
	{regexp.MustCompile(`json_each\((:scopes|:row_ids)\)`), `numbers_of($1)`},
	{regexp.MustCompile(`json_each\(([^()]*)\)`), `list_of($1)`},
	{regexp.MustCompile(`([\w.]+) ->> '\$\.(\w+)\.(\w+)'`), `text_at($1, '$2', '$3')`},
	{regexp.MustCompile(`([\w.]+) ->> '(scope|seen|position)'`), `text_at($1, '$2')::bigint`},
	{regexp.MustCompile(`([\w.]+) ->> '(?:\$\.)?(\w+)'`), `text_at($1, '$2')`},
	{regexp.MustCompile(`([\w.]+) ->> (\d)`), `text_at($1, '$2')`},
	{regexp.MustCompile(`\bmax\((last_confirmed|coalesce\(last_used, 0\)), \?\)`), `greatest($1, ?)`},
	{regexp.MustCompile(`substr\(v\.object_id, -length\((:\w+)\)\)`), `right(v.object_id, length($1))`},
	{regexp.MustCompile(`\+ \(t\.terms <> ''\)`), `+ (t.terms <> '')::int`},
	{regexp.MustCompile(`\bSET erased = 1`), `SET erased = true`},
	{regexp.MustCompile(`\berased = 1`), `erased`},
	{regexp.MustCompile(`((?:\w+\.)?)\berased = 0`), `NOT ${1}erased`},
}

// spaces matches the space between two words.
var spaces = regexp.MustCompile(`\s+`)

// translated keeps the statements that were asked for: they are constants of a program.
var translated sync.Map

// translate returns a statement of the embedded store in PostgreSQL's form.
func translate(text string) statement {
	if s, ok := translated.Load(text); ok {
		return s.(statement)
	}
	form := text
	if own, ok := whole[strings.TrimSpace(spaces.ReplaceAllString(text, " "))]; ok {
		form = own
	}
	for _, f := range fragments {
		form = f.from.ReplaceAllString(form, f.to)
	}
	s := numbered(form)
	translated.Store(text, s)
	return s
}

// token matches the parts of a statement that are not copied as they are, and literals, which are: a literal, a cast, a parameter, or the name of the
// column that PostgreSQL takes for its own function.
var token = regexp.MustCompile(`'[^']*'|::|:[a-z_]+|\?\d*|\b[a-z_]+\b`)

// numbered puts $1, $2 for the parameters.
func numbered(text string) statement {
	var s statement
	number := map[string]int{}
	unnamed := 0
	s.text = token.ReplaceAllStringFunc(text, func(part string) string {
		switch {
		case part == "user":
			return `"user"`
		case part == "::" || part[0] != ':' && part[0] != '?':
			return part
		}
		name := strings.TrimLeft(part, ":?")
		if name == "" {
			unnamed++
			name = strconv.Itoa(unnamed)
		}
		if number[name] == 0 {
			s.args = append(s.args, name)
			number[name] = len(s.args)
		}
		return fmt.Sprintf("$%d", number[name])
	})
	return s
}
