package postgres

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/ctx-mcp/ctx-mcp/memory"
)

// loadedAtOnce is the number of memories that one statement of the bulk loader writes.
const loadedAtOnce = 5000

// The statements of the bulk loader. A new row is one that the store has written, with its own id, object and words; the triggers, which follow each
// row, are off for it, and the counts and postings that they keep are written for all rows of a statement at once.
const (
	loadRows = `
WITH n AS MATERIALIZED (
  SELECT (r ->> 0)::bigint AS id, r ->> 1 AS name, r ->> 2 AS object, r ->> 3 AS terms FROM json_array_elements($1::json) AS r
), v AS (
  INSERT INTO versions
  SELECT x.* FROM n CROSS JOIN versions AS t
  CROSS JOIN LATERAL jsonb_populate_record(t, jsonb_build_object('id', n.id, 'object_id', n.name, 'fact_id', n.name, 'content_key', md5(n.name), 'object', n.object)) AS x
  WHERE t.id = $2::bigint
), w AS (
  INSERT INTO texts SELECT id, terms FROM n
), d AS (
  INSERT INTO search_docsize SELECT id, varint(cardinality(string_to_array(terms, ' '))) FROM n
)
INSERT INTO postings SELECT DISTINCT word, n.id FROM n, words_of(n.terms) ORDER BY 1, 2`
	countRows = `
WITH s AS (UPDATE scopes SET last_seq = last_seq + $2, documents = documents + $2, length = length + $3 WHERE scope = $1)
UPDATE quota_use SET used = used + $2 WHERE tenant = 'acme' AND quota = 'memories'`
	lastRow = `
SELECT max(v.id), max(s.scope), max(s.last_seq)
FROM versions AS v JOIN scopes AS s ON s.scope = v.id >> 32
WHERE s.namespace = $1`
)

// bulk writes n memories of a project past the store, which then is opened anew. The project holds some already.
func (l *loader) bulk(t *testing.T, n int, project string) {
	t.Helper()
	ctx := context.Background()
	db := connect(t, l.address)
	if _, err := db.Exec(ctx, `SET session_replication_role = replica`); err != nil {
		t.Fatal(err)
	}
	var like, scope, last int64
	if err := db.QueryRow(ctx, lastRow, "user_ann:project_"+project).Scan(&like, &scope, &last); err != nil {
		t.Fatal(err)
	}
	for n > 0 {
		rows, words := make([][4]any, min(n, loadedAtOnce)), 0
		for i := range rows {
			o := l.memory(project)
			object, err := json.Marshal(o)
			if err != nil {
				t.Fatal(err)
			}
			terms := memory.IndexedTerms(o)
			last, words = last+1, words+len(terms)
			rows[i] = [4]any{scope<<32 | last, o.ObjectID, string(object), strings.Join(terms, " ")}
		}
		list, err := json.Marshal(rows)
		if err != nil {
			t.Fatal(err)
		}
		err = pgx.BeginFunc(ctx, db, func(tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, loadRows, string(list), like); err != nil {
				return err
			}
			_, err := tx.Exec(ctx, countRows, scope, len(rows), words)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		n, l.held = n-len(rows), l.held+len(rows)
	}
	if _, err := db.Exec(ctx, `ANALYZE`); err != nil {
		t.Fatal(err)
	}
	l.use(openStore(t, l.address))
}

// TestBulkLoader: rows that the loader of the curve writes past the store are as the store would have written them.
func TestBulkLoader(t *testing.T) {
	needServer(t)
	address := server.Empty(t)
	l := newLoader(openStore(t, address), address)
	l.fill(t, 20, "busy")
	l.bulk(t, loadedAtOnce+30, "busy")
	s, err := Open(t.Context(), address, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.CheckIndex(t.Context()); err != nil {
		t.Error(err)
	}
	if err := s.Check(t.Context()); err != nil {
		t.Error(err)
	}
	l.fill(t, 20, "busy")
	db := connect(t, address)
	const want = "SELECT 1 [[5070 5070 5070 101400 101400 5070]]"
	got := bare(t, db, `
SELECT count(*), max(s.documents), max(s.last_seq), max(s.length), (SELECT sum(cardinality(string_to_array(terms, ' '))) FROM texts), max(q.used)
FROM versions AS v JOIN scopes AS s ON s.scope = v.id >> 32 JOIN quota_use AS q ON q.tenant = v.tenant AND q.quota = 'memories'`)
	if fmt.Sprint(got) != want {
		t.Errorf("rows, documents, sequence, length, words and use are %s, want %s", got, want)
	}
	if err := s.CheckIndex(t.Context()); err != nil {
		t.Error(err)
	}
}
