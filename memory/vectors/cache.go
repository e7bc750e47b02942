package vectors

import (
	"container/list"
	"sync"

	"github.com/ctx-mcp/ctx-mcp"
)

// Key names the content of a segment: vectors of one model and one dimension, in one place.
type Key struct {
	Place     int64
	Model     string
	Dimension int
}

// Cache keeps segments within a bound of memory: those that were not used for longest go first. It is safe for
// concurrent use. A segment that it has let go lives on until the searches that use it end.
type Cache struct {
	limit int64 // bytes

	mu    sync.Mutex // guards all below
	order *list.List // of *Held, the last used first
	at    map[Key]*list.Element
	used  int64
}

// Held is a segment in a cache, with how far it has followed the truth. It is brought up to date under its Lock.
type Held struct {
	ctxmcp.Lock
	Key     Key
	Segment *Segment
	Seen    int64 // of the last change that is in the segment; guarded by the lock

	size int64 // as the cache counts it
}

// NewCache returns an empty cache for as many bytes.
func NewCache(limit int64) *Cache {
	return &Cache{limit: limit, order: list.New(), at: map[Key]*list.Element{}}
}

// Limit returns how many bytes the cache may hold. A place that needs more is not for it.
func (c *Cache) Limit() int64 { return c.limit }

// Get returns the segment under the key, an empty one if there is none.
func (c *Cache) Get(k Key) *Held {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.at[k]; e != nil {
		c.order.MoveToFront(e)
		return e.Value.(*Held)
	}
	h := &Held{Key: k, Segment: NewSegment(k.Dimension)}
	c.at[k] = c.order.PushFront(h)
	return h
}

// Fit counts the memory of a segment anew, and lets go of others until all are within the bound.
func (c *Cache) Fit(h *Held) {
	size := Size(h.Segment.Len(), h.Key.Dimension)
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.at[h.Key]; e == nil || e.Value != h {
		return // let go of meanwhile
	}
	c.used += size - h.size
	h.size = size
	for c.used > c.limit && c.order.Len() > 1 {
		c.drop(c.order.Back())
	}
}

func (c *Cache) drop(e *list.Element) {
	h := c.order.Remove(e).(*Held)
	delete(c.at, h.Key)
	c.used -= h.size
}

// All returns the segments that the cache holds.
func (c *Cache) All() []*Held {
	c.mu.Lock()
	defer c.mu.Unlock()
	var all []*Held
	for e := c.order.Front(); e != nil; e = e.Next() {
		all = append(all, e.Value.(*Held))
	}
	return all
}

// Drop lets go of a segment.
func (c *Cache) Drop(h *Held) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.at[h.Key]; e != nil && e.Value == h {
		c.drop(e)
	}
}
