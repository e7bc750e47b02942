package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/binary"
	"math"
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
)

const (
	// Counting by the index, one scope after the other, passes over the scopes that have nothing to embed.
	unembedded = `
SELECT ` + columns + `
FROM scopes AS s
CROSS JOIN versions AS v
WHERE s.documents > (
    SELECT count(*)
    FROM vectors AS n
    WHERE n.model = :model AND n.id BETWEEN s.scope << 32 AND (s.scope + 1 << 32) - 1)
  AND v.id BETWEEN s.scope << 32 AND (s.scope + 1 << 32) - 1
  AND NOT EXISTS (
    SELECT 1
    FROM vectors AS x INDEXED BY vectors_by_model
    WHERE x.model = :model AND x.id = v.id)
ORDER BY v.tx_start, v.object_id, v.version
LIMIT :limit
`
	vectorsInScope = `
SELECT v.id, x.dimension, x.vector
FROM json_each(:scopes) AS k
CROSS JOIN versions AS v NOT INDEXED
LEFT JOIN vectors AS x ON x.id = v.id AND x.model = :model
WHERE v.id BETWEEN k.value << 32 AND (k.value + 1 << 32) - 1` + filter

	versionsByID = `
SELECT ` + columns + `, v.id
FROM json_each(:ids) AS k
CROSS JOIN versions AS v
WHERE v.id = k.value
`
)

// Unembedded implements memory.VectorStore.
func (s *Store) Unembedded(ctx context.Context, model string, limit int) ([]ctxmcp.ContextObject, error) {
	rows, err := s.reads.QueryContext(ctx, unembedded, sql.Named("model", model), sql.Named("limit", limit))
	if err != nil {
		return nil, wrap("find what to embed", err)
	}
	found, err := collect(rows)
	return found, wrap("find what to embed", err)
}

// Nearest implements memory.VectorStore by comparing every vector in reach.
func (s *Store) Nearest(ctx context.Context, q memory.Query, model string, v []float32, most int) ([]memory.Near, bool, error) {
	var near []memory.Near
	missing := false
	err := inTx(ctx, s.reads, func(tx *sql.Tx) error {
		places, err := scopesOf(ctx, tx, q)
		if err != nil || len(places) == 0 {
			return err
		}
		best, some, err := compare(ctx, tx, q, numbers(places), model, v)
		if err != nil {
			return err
		}
		missing = some
		near, err = load(ctx, tx, best[:min(len(best), most)])
		return err
	})
	return near, missing, wrap("search by vector", err)
}

// hit is a version's row id and its similarity to what is looked for.
type hit struct {
	id         int64
	similarity float64
}

// compare returns every version in reach that has a vector of the model, best first, and whether some has none.
func compare(ctx context.Context, tx *sql.Tx, q memory.Query, scopes []int64, model string, v []float32) ([]hit, bool, error) {
	rows, err := tx.QueryContext(ctx, vectorsInScope, append(arguments(q, scopes), sql.Named("model", model))...)
	if err != nil {
		return nil, false, err
	}
	defer rows.Close()
	var hits []hit
	missing := false
	for rows.Next() {
		var id int64
		var dimension sql.NullInt64
		var raw sql.RawBytes
		if err := rows.Scan(&id, &dimension, &raw); err != nil {
			return nil, false, err
		}
		if int(dimension.Int64) != len(v) || len(raw) != 4*len(v) {
			missing = true
			continue
		}
		hits = append(hits, hit{id, memory.Cosine(v, decode(raw))})
	}
	slices.SortFunc(hits, func(a, b hit) int { return cmp.Or(cmp.Compare(b.similarity, a.similarity), cmp.Compare(a.id, b.id)) })
	return hits, missing, rows.Err()
}

// load returns the versions of the hits, in their order.
func load(ctx context.Context, tx *sql.Tx, hits []hit) ([]memory.Near, error) {
	ids := make([]int64, len(hits))
	for i, h := range hits {
		ids[i] = h.id
	}
	rows, err := tx.QueryContext(ctx, versionsByID, sql.Named("ids", array(ids)))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	objects := map[int64]ctxmcp.ContextObject{}
	for rows.Next() {
		var id int64
		o, err := scanObject(rows, &id)
		if err != nil {
			return nil, err
		}
		objects[id] = o
	}
	near := make([]memory.Near, len(hits))
	for i, h := range hits {
		near[i] = memory.Near{Object: objects[h.id], Similarity: h.similarity}
	}
	return near, rows.Err()
}

// encode returns a vector as it is stored: float32, little endian.
func encode(v []float32) []byte {
	b := make([]byte, 0, 4*len(v))
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}

func decode(b []byte) []float32 {
	v := make([]float32, len(b)/4)
	for i := range v {
		v[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return v
}
