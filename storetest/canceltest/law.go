package canceltest

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
)

// Law is a law on work: it ends soon after its context.
type Law struct {
	Bytes int                             // of the input
	Every int                             // bytes of it that may be worked on between two looks
	After int                             // looks that the work may take after the context has ended; 0: 16
	Work  func(ctx context.Context) error // returns nil, or the error of the context
}

// ends are the parts of the work after which the context ends, in eighths.
var ends = []int{0, 1, 4, 8}

// Check runs the work to its end, and then several times with a context that ends on the way.
func (l Law) Check(t testing.TB) {
	t.Helper()
	whole := &Context{Context: context.Background(), end: -1}
	if err := l.Work(whole); err != nil {
		t.Fatalf("the work failed: %v", err)
	}
	looks := int(whole.looks.Load())
	if want := l.Bytes / l.Every; looks < max(want, 1) {
		t.Errorf("the work looked at its context %d times for %d bytes, want at least %d times", looks, l.Bytes, max(want, 1))
		return
	}
	if l.After == 0 {
		l.After = 16
	}
	for _, part := range ends {
		l.end(t, max(looks*part/8-1, 0))
	}
}

// end runs the work with a context that ends after n looks.
func (l Law) end(t testing.TB, n int) {
	t.Helper()
	ctx := EndingAfter(n)
	if err := l.Work(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("the context ended at look %d: the work returned %v, want the error of the context", n+1, err)
	}
	if late := int(ctx.looks.Load()) - n; late > l.After {
		t.Errorf("the context ended at look %d: the work looked %d times more, want at most %d", n+1, late, l.After)
	}
}

// A Context ends when it has been looked at often enough. It is for one goroutine that looks, or many.
type Context struct {
	context.Context
	looks atomic.Int64
	end   int64 // looks after which it has ended; negative: never
}

// EndingAfter returns a context that ends after n looks.
func EndingAfter(n int) *Context { return &Context{Context: context.Background(), end: int64(n)} }

// Err counts a look.
func (c *Context) Err() error {
	if n := c.looks.Add(1); c.end >= 0 && n > c.end {
		return context.Canceled
	}
	return nil
}

// Looks returns how often the context was looked at.
func (c *Context) Looks() int { return int(c.looks.Load()) }
