package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// TestOperationThatPanics: an operation that panics is an error of its own caller. The others of its group are written, and so
// are later ones: the writer and its one connection go on.
func TestOperationThatPanics(t *testing.T) {
	s := openStore(t, t.TempDir())
	ok := operation{check: func(*batch) error { return nil }, write: func(*batch) error { return nil }}
	for round, broken := range []operation{
		{check: func(*batch) error { panic("contained") }, write: ok.write},
		{check: ok.check, write: func(*batch) error { panic("contained") }},
	} {
		var all sync.WaitGroup
		errs := make([]error, 20)
		for i := range errs {
			all.Go(func() {
				if i == 7 {
					errs[i] = s.do(t.Context(), broken)
					return
				}
				errs[i] = s.Apply(t.Context(), said(100*round+i, fmt.Sprint("text ", i)))
			})
		}
		all.Wait()
		for i, err := range errs {
			if (err != nil) != (i == 7) {
				t.Errorf("round %d: operation %d: %v", round, i, err)
			}
		}
		if errs[7] == nil || !strings.Contains(errs[7].Error(), "contained") {
			t.Errorf("round %d: the operation that panicked has the error %v", round, errs[7])
		}
		if err := s.Apply(t.Context(), said(100*round+50, "afterwards")); err != nil {
			t.Errorf("round %d: a write after the panic: %v", round, err)
		}
	}
}

// TestTransactionThatPanics: its connection is free again.
func TestTransactionThatPanics(t *testing.T) {
	s := openStore(t, t.TempDir())
	for range 20 {
		func() {
			defer func() { _ = recover() }()
			_ = inTx(t.Context(), s.reads, func(*sql.Tx) error { panic("contained") })
		}()
	}
	if open := s.reads.Stats().InUse; open != 0 {
		t.Errorf("%d connections are in use", open)
	}
}

// TestSearchThatIsCutShort: postings that a search was reading when its caller went are read again, and whole.
func TestSearchThatIsCutShort(t *testing.T) {
	s := openStore(t, t.TempDir())
	if err := s.Apply(t.Context(), said(0, "alpha beta", "alpha gamma delta", "beta delta epsilon zeta")); err != nil {
		t.Fatal(err)
	}
	for reads := range 20 {
		ctx := &countdown{Context: t.Context()}
		ctx.left.Store(int64(reads))
		sp := newScopePostings(1)
		err := inTx(t.Context(), s.reads, func(tx *sql.Tx) error { return sp.follow(ctx, tx, []string{"alpha", "delta"}, 3) })
		if err != nil && (len(sp.words) > 0 || sp.sized > 0 || sp.bytes.Load() != 0) {
			t.Errorf("after %d looks at the context, and %v, something is left: %+v", reads, err, sp)
		}
		again := inTx(t.Context(), s.reads, func(tx *sql.Tx) error { return sp.follow(t.Context(), tx, []string{"alpha", "delta"}, 3) })
		if again != nil || len(sp.words["alpha"].seqs) != 2 || len(sp.words["delta"].seqs) != 2 || len(sp.sizes) != 4 {
			t.Errorf("read again after %v: %v, %d versions hold alpha and %d delta", err, again, len(sp.words["alpha"].seqs), len(sp.words["delta"].seqs))
		}
	}
}

// countdown is a context that ends after having been looked at a number of times, also by those who wait for its end.
type countdown struct {
	context.Context
	left atomic.Int64
}

func (c *countdown) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

func (c *countdown) Done() <-chan struct{} {
	if errors.Is(c.Err(), context.Canceled) {
		gone := make(chan struct{})
		close(gone)
		return gone
	}
	return nil
}
