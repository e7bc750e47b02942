package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/binary"
	"math"
	"slices"

	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/memory/ranking"
	"github.com/ctx-mcp/ctx-mcp/memory/vectors"
)

const (
	// The vectors of candidates, by the truth: a candidate that is gone, or out of reach, is not among them.
	vectorsByID = `
SELECT v.id, x.vector
FROM json_each(:row_ids) AS k
CROSS JOIN vectors AS x INDEXED BY sqlite_autoindex_vectors_1
CROSS JOIN versions AS v
WHERE x.id = k.value AND x.model = :model AND x.dimension = :dimension AND v.id = x.id` + filter

	vectorsInScope = `
SELECT v.id, x.vector
FROM json_each(:scopes) AS k
CROSS JOIN versions AS v NOT INDEXED
CROSS JOIN vectors AS x INDEXED BY sqlite_autoindex_vectors_1
WHERE v.id BETWEEN k.value << 32 AND (k.value + 1 << 32) - 1
  AND x.id = v.id AND x.model = :model AND x.dimension = :dimension` + filter

	idsInScope = `
SELECT v.id
FROM json_each(:scopes) AS k
CROSS JOIN versions AS v NOT INDEXED
WHERE v.id BETWEEN k.value << 32 AND (k.value + 1 << 32) - 1` + filter

	candidatesByID = `
SELECT ` + columns + `, v.id, v.position, t.terms
FROM json_each(:row_ids) AS k
CROSS JOIN versions AS v
CROSS JOIN texts AS t
WHERE v.id = k.value AND t.id = v.id
`
)

// Nearest implements memory.VectorStore. Segments in memory propose; the vectors in the database decide. Vectors that would
// not fit into the memory of the segments are compared one by one.
func (s *Store) Nearest(ctx context.Context, q memory.Query, model string, v []float32, most int) ([]ranking.Near, bool, error) {
	ctx = seeing(ctx, q.Tenant)
	var near []ranking.Near
	missing := false
	err := inTx(ctx, s.reads, func(tx *sql.Tx) error {
		places, err := scopesOf(ctx, tx, q)
		if err != nil || len(places) == 0 {
			return err
		}
		if missing, err = s.missing(ctx, tx, q, places, model, len(v)); err != nil {
			return err
		}
		n := nearest{tx: tx, sealing: s.sealing.Load(), q: q, scopes: numbers(places), model: model, vector: v, most: most}
		n.segments, err = s.segments(ctx, tx, places, model, len(v))
		if err != nil {
			return err
		}
		if n.segments == nil {
			err = n.compareAll(ctx)
		} else {
			err = n.search(ctx)
		}
		if err != nil {
			return err
		}
		near, err = n.load(ctx)
		return err
	})
	return near, missing, wrap("search by vector", err)
}

// nearest is a search for the versions that are most similar to a vector.
type nearest struct {
	tx       *sql.Tx
	sealing  *sealing
	q        memory.Query
	scopes   []int64
	model    string
	vector   []float32
	most     int
	segments []*vectors.Segment

	found []hit // of the vectors compared, best first
}

// hit is a version's row id and its similarity to the vector that is looked for.
type hit struct {
	id         int64
	similarity float64
}

func (n *nearest) arguments(more ...any) []any {
	return append(append(n.sealing.arguments(n.q, n.scopes), sql.Named("model", n.model), sql.Named("dimension", len(n.vector))), more...)
}

// compareAll compares every version in reach that has a vector of the model.
func (n *nearest) compareAll(ctx context.Context) error {
	return n.compare(ctx, vectorsInScope, n.arguments()...)
}

// compare adds the versions that a statement finds.
func (n *nearest) compare(ctx context.Context, statement string, args ...any) error {
	rows, err := n.tx.QueryContext(ctx, statement, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	v := make([]float32, len(n.vector))
	for rows.Next() {
		var id int64
		var raw sql.RawBytes
		if err := rows.Scan(&id, &raw); err != nil {
			return err
		}
		decodeInto(v, raw)
		n.found = append(n.found, hit{id, memory.Cosine(n.vector, v)})
	}
	slices.SortFunc(n.found, func(a, b hit) int {
		return cmp.Or(cmp.Compare(b.similarity, a.similarity), cmp.Compare(a.id, b.id))
	})
	return rows.Err()
}

// search compares the candidates of the segments, more and more of them, until none that is left can be among the nearest.
// If few of the candidates are in reach, it asks first which versions are.
func (n *nearest) search(ctx context.Context) error {
	var keep func(int64) bool
	compared := map[int64]bool{}
	for wanted := n.most + n.most/4 + 16; ; wanted *= widening {
		hits := n.candidates(wanted, keep)
		var ids []int64
		for _, h := range hits {
			if !compared[h.ID] {
				compared[h.ID] = true
				ids = append(ids, h.ID)
			}
		}
		if err := n.compare(ctx, vectorsByID, n.arguments(sql.Named("row_ids", array(ids)))...); err != nil {
			return err
		}
		if len(hits) < wanted || n.sure(hits[len(hits)-1]) {
			return nil
		}
		if keep == nil && len(n.found) < len(compared)/widening {
			allowed, err := n.inReach(ctx)
			if err != nil {
				return err
			}
			keep = func(id int64) bool { return allowed[id] }
		}
	}
}

// candidates returns the best of all segments.
func (n *nearest) candidates(most int, keep func(int64) bool) []vectors.Hit {
	var all []vectors.Hit
	for _, s := range n.segments {
		all = append(all, s.Search(n.vector, most, keep)...)
	}
	slices.SortFunc(all, vectors.Better)
	return all[:min(len(all), most)]
}

// sure reports whether all vectors behind the last candidate are further away than the wanted ones.
func (n *nearest) sure(last vectors.Hit) bool {
	slack := float32(0)
	for _, s := range n.segments {
		slack = max(slack, s.Slack())
	}
	return len(n.found) >= n.most && n.found[n.most-1].similarity > float64(last.Similarity+slack)
}

// inReach returns the versions that the query selects.
func (n *nearest) inReach(ctx context.Context) (map[int64]bool, error) {
	rows, err := n.tx.QueryContext(ctx, idsInScope, n.sealing.arguments(n.q, n.scopes)...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found := map[int64]bool{}
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		found[id] = true
	}
	return found, rows.Err()
}

// load returns the nearest versions, best first.
func (n *nearest) load(ctx context.Context) ([]ranking.Near, error) {
	hits := n.found[:min(len(n.found), n.most)]
	ids := make([]int64, len(hits))
	for i, h := range hits {
		ids[i] = h.id
	}
	candidates, err := n.sealing.candidatesOf(ctx, n.tx, ids)
	if err != nil {
		return nil, err
	}
	near := make([]ranking.Near, 0, len(hits))
	for _, h := range hits {
		if c, ok := candidates[h.id]; ok {
			near = append(near, ranking.Near{Candidate: c, Similarity: h.similarity})
		}
	}
	return near, nil
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
	decodeInto(v, b)
	return v
}

func decodeInto(v []float32, b []byte) {
	for i := range v {
		v[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
}
