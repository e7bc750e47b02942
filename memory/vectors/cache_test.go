package vectors_test

import (
	"testing"

	"github.com/ctx-mcp/ctx-mcp/memory/vectors"
)

// TestCacheLetsGoOfTheLeastUsed: within the bound the segments used last stay, each under its place, model and dimension.
func TestCacheLetsGoOfTheLeastUsed(t *testing.T) {
	one := vectors.Size(1, 64)
	c := vectors.NewCache(2 * one)
	fill := func(k vectors.Key) *vectors.Held {
		h := c.Get(k)
		h.Segment.Put([]int64{1}, [][]float32{make([]float32, k.Dimension)})
		c.Fit(h)
		return h
	}
	a, b := vectors.Key{Place: 1, Model: "m", Dimension: 64}, vectors.Key{Place: 1, Model: "n", Dimension: 64}
	held := fill(a)
	fill(b)
	if c.Get(a) != held {
		t.Error("Get of what is held returned another segment")
	}
	fill(vectors.Key{Place: 2, Model: "m", Dimension: 64})
	if c.Get(a) != held {
		t.Error("the segment used last but one is gone")
	}
	if n := c.Get(b).Segment.Len(); n != 0 {
		t.Errorf("the least used segment is still there, with %d vectors", n)
	}
	c.Drop(held)
	if c.Get(a) == held {
		t.Error("a dropped segment is still there")
	}
}

// TestCacheHoldsOneOverTheBound: a segment that alone is over the bound does not drop itself while it is used.
func TestCacheHoldsOneOverTheBound(t *testing.T) {
	c := vectors.NewCache(1)
	h := c.Get(vectors.Key{Place: 1, Dimension: 8})
	h.Segment.Put([]int64{1}, [][]float32{make([]float32, 8)})
	c.Fit(h)
	if len(c.All()) != 1 {
		t.Errorf("%d segments, want the one", len(c.All()))
	}
	c.Fit(c.Get(vectors.Key{Place: 2, Dimension: 8}))
	if all := c.All(); len(all) != 1 || all[0].Key.Place != 2 {
		t.Errorf("All = %v, want the one used last", all)
	}
}
