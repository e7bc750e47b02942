package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ctx-mcp/ctx-mcp/memory"
)

// maxGroup bounds how many operations share a transaction.
const maxGroup = 256

// yield is how long a busy writer leaves the lock free between two groups, so that another process gets its turn.
const yield = 20 * time.Microsecond

// operation is one write. The lock is held for both of its steps, so the answer of check is true until the commit.
type operation struct {
	check  func(*batch) error // nil, an Error that keeps the operation out, or a failure of the database, joined to errStore
	write  func(*batch) error
	erases bool // content that must be in no file afterwards

	tenants func() []string // those whose rows it reads and writes; nil: all
	logs    bool            // it appends to the log of receipts, which the tenants share
}

// request is an operation on its way to disk.
type request struct {
	operation
	taken  atomic.Bool // by the writer, or by its own caller who gives up: the first to set it
	result chan error
}

// committer makes operations durable, many at a time.
type committer interface {
	// accept takes a request, whose operation is answered once it is on disk or kept out. It returns an error if none is taken any more.
	accept(ctx context.Context, r *request) error
	// stop accepts no more, and waits until everything accepted is on disk.
	stop()
}

// writer commits operations in groups on one goroutine.
type writer struct {
	store *Store
	queue chan *request
	idle  chan struct{} // closed when the goroutine has ended

	mu     sync.RWMutex // guards closed against a concurrent send
	closed bool
}

func startWriter(s *Store) *writer {
	w := &writer{store: s, queue: make(chan *request, maxGroup), idle: make(chan struct{})}
	go w.run()
	return w
}

// stop accepts no more, waits until everything accepted is on disk, and ends the goroutine.
func (w *writer) stop() {
	w.mu.Lock()
	if !w.closed {
		w.closed = true
		close(w.queue)
	}
	w.mu.Unlock()
	<-w.idle
}

// Apply implements memory.Store.
func (s *Store) Apply(ctx context.Context, c memory.Change) error {
	keys, err := s.sealing.Load().newKeys(ctx, len(c.Insert)) // before the versions: a key is never missing
	if err != nil {
		return err
	}
	return s.do(ctx, operation{
		check:  func(b *batch) error { return b.check(c) },
		write:  func(b *batch) error { b.under = keys; return b.write(c) },
		erases: len(c.Erase) > 0, tenants: func() []string { return tenantsOf(c) },
	})
}

// do hands the operation to the writer and waits until it is on disk, or kept out. When ctx is done before it was begun,
// nothing is written; once begun it is seen through.
func (s *Store) do(ctx context.Context, o operation) error {
	if err := ctx.Err(); err != nil { // a call that was given up stores nothing
		return err
	}
	r := &request{operation: o, result: make(chan error, 1)}
	if err := s.writer.accept(ctx, r); err != nil {
		return err
	}
	select {
	case err := <-r.result:
		return err
	case <-ctx.Done():
		if r.taken.CompareAndSwap(false, true) {
			return ctx.Err()
		}
		return <-r.result
	}
}

func (w *writer) accept(ctx context.Context, r *request) error {
	w.mu.RLock()
	defer w.mu.RUnlock()
	if w.closed {
		return shuttingDown()
	}
	select {
	case w.queue <- r:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (w *writer) run() {
	defer close(w.idle)
	for first := range w.queue {
		w.commit(first)
		if len(w.queue) > 0 {
			time.Sleep(yield)
		}
	}
}

// commit takes the lock, gathers the requests that have arrived by then, and makes them durable in one transaction.
func (w *writer) commit(first *request) {
	if err := w.store.lock.Lock(); err != nil {
		answer(w.gather(first), wrap("take the lock of the writers", err))
		return
	}
	defer w.store.unlock()
	group := w.gather(first)
	if len(group) == 0 {
		return
	}
	if w.store.commitGroup(nil, func() []*request { return group }) == nil {
		return
	}
	for _, r := range group { // one of them cannot be written: find out which
		if err := w.store.commitGroup(nil, func() []*request { return []*request{r} }); err != nil {
			r.result <- wrap("write", err)
		}
	}
}

// contained returns the error of do, and makes an error of its panic: on the goroutine of the writer a panic would end the
// process, with everybody who waits.
func contained(do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return do()
}

// gather claims first and the other requests in the queue, but for those that their callers gave up.
func (w *writer) gather(first *request) []*request {
	var group []*request
	claim := func(r *request) {
		if r.taken.CompareAndSwap(false, true) {
			group = append(group, r)
		}
	}
	claim(first)
	for len(group) < maxGroup {
		select {
		case r, ok := <-w.queue:
			if !ok {
				return group
			}
			claim(r)
		default:
			return group
		}
	}
	return group
}

func answer(group []*request, err error) {
	for _, r := range group {
		r.result <- err
	}
}

// commitGroup takes the locks of the tenants, or of all if there are none, writes the group that gather returns then, in one transaction, and
// answers each: nil, or the Error of check that kept it out. When it returns an error, nobody was answered, and nothing was written unless the
// error is errUnknown.
func (s *Store) commitGroup(tenants []string, gather func() []*request) error {
	ctx := context.Background() // once begun, a write is seen through
	var group []*request
	var outcomes []error
	erased := false
	err := contained(func() error {
		return s.inWriting(ctx, tenants, func(tx *sql.Tx) (err error) {
			b := newBatch(ctx, tx)
			b.limits, b.engine, b.sealing = s.limits, s.engine, s.sealing.Load()
			group = gather()
			outcomes, erased, err = b.perform(group)
			if err != nil {
				return err
			}
			return b.finish()
		})
	})
	if err != nil {
		return err
	}
	s.cleanUp(ctx, erased)
	for i, r := range group {
		r.result <- outcomes[i]
	}
	return nil
}

// perform checks and writes each of a group. It returns the Errors of check, and whether something was erased.
func (b *batch) perform(group []*request) (outcomes []error, erased bool, err error) {
	outcomes = make([]error, len(group))
	for i, r := range group {
		outcomes[i] = r.check(b)
		if errors.Is(outcomes[i], errStore) {
			return nil, false, outcomes[i]
		}
		if outcomes[i] != nil {
			continue
		}
		if err := r.write(b); err != nil {
			return nil, false, err
		}
		erased = erased || r.erases
	}
	return outcomes, erased, nil
}

// cleanUp takes the content that a committed group erased out of the memory of the process and out of the files.
func (s *Store) cleanUp(ctx context.Context, erased bool) {
	if erased {
		s.forgetCopies(ctx)
		s.destroyOwed(ctx)
	}
	if s.engine != nil {
		return
	}
	s.debt.files = s.debt.files || erased
	if erased || s.debt.log {
		s.scrub(ctx)
	}
}
