package sqlite

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
)

// compare returns what both stores have of each table. It returns CodeConflict unless that is the same.
func compare(ctx context.Context, from, to *Store) (copied []Copied, err error) {
	for _, t := range append(slices.Clone(tablesCopied), moving{name: "quota_use WHERE used <> 0"}) {
		a, err := contentsOf(ctx, from, t.of(readRows))
		if err != nil {
			return nil, wrap("read "+t.name, err)
		}
		b, err := contentsOf(ctx, to, t.of(readRows))
		if err != nil {
			return nil, wrap("read "+t.name, err)
		}
		if a != b {
			return nil, ctxmcp.Errorf(ctxmcp.CodeConflict, "the rows of %s differ: the source has %s, the copy %s", t.name, a, b).
				WithHint("the source was written between two runs: empty the target, and begin anew")
		}
		if t.key != "" {
			copied = append(copied, Copied{Table: t.name, Rows: a.rows, Digest: a.digest()})
		}
	}
	return copied, nil
}

// contents is a number of rows, and the sum of their digests, whatever their order.
type contents struct {
	rows int
	sum  [4]uint64
}

// String returns the number and the sum.
func (c contents) String() string {
	return fmt.Sprintf("%d rows with the digest %.16s", c.rows, c.digest())
}

func (c contents) digest() string {
	return fmt.Sprintf("%016x%016x%016x%016x", c.sum[0], c.sum[1], c.sum[2], c.sum[3])
}

func contentsOf(ctx context.Context, s *Store, query string) (c contents, err error) {
	ctx = seeingAll(ctx)
	rows, err := s.reads.QueryContext(ctx, query)
	if err != nil {
		return c, err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return c, err
	}
	order := slices.Clone(columns)
	slices.Sort(order)
	places := make([]int, len(order))
	for i, name := range order {
		places[i] = slices.Index(columns, name)
	}
	for rows.Next() {
		row, err := valuesOf(rows, len(columns))
		if err != nil {
			return c, err
		}
		sum := digestOfRow(row, places)
		for i := range c.sum {
			c.sum[i] += binary.BigEndian.Uint64(sum[8*i:])
		}
		c.rows++
	}
	return c, errors.Join(rows.Err(), ctx.Err())
}

// digestOfRow returns the digest of the values in an order, each with its kind and its length. True is 1 in both databases' answers.
func digestOfRow(row []any, order []int) [sha256.Size]byte {
	var b []byte
	for _, i := range order {
		var v []byte
		switch x := row[i].(type) {
		case []byte:
			v = x
		case string:
			v = []byte(x)
		case int64:
			v = binary.BigEndian.AppendUint64(nil, uint64(x))
		case float64:
			v = binary.BigEndian.AppendUint64(nil, math.Float64bits(x))
		}
		b = fmt.Appendf(b, "%T %d ", row[i], len(v))
		b = append(b, v...)
	}
	return sha256.Sum256(b)
}
