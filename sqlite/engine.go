package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"time"

	"github.com/ctx-mcp/ctx-mcp/memory/vectors"
)

// Engine is another database below the statements of this package, which it takes as they are written here: the store, its checks and its order of
// writes exist once.
type Engine struct {
	Name   string  // of the database in messages, without secrets
	Reads  *sql.DB // in a transaction, all statements see one state
	Writes *sql.DB

	// Begin is called before anything else in a transaction that writes. It waits until no other process is in one, and returns the
	// transaction's name.
	Begin func(ctx context.Context, tx *sql.Tx) (name string, err error)
	// Committed reports whether a transaction whose commit was not answered took place. It returns an error while that is unknown.
	Committed func(ctx context.Context, name string) (bool, error)
	// Check returns an error of the code CodeInternal for rows that contradict each other.
	Check func(ctx context.Context) error
	// Poll is the time between two looks for the erasures of other processes; 0 is none.
	Poll time.Duration
}

// Over returns a store on an engine whose schema is up to date. Close closes the databases of the engine.
func Over(e *Engine, logger *slog.Logger) *Store {
	s := &Store{path: e.Name, engine: e, reads: e.Reads, writes: e.Writes, lock: noLock{}, logger: logger,
		copies: vectors.NewCache(DefaultVectorMemory), postings: newPostings(postingMemory), polled: make(chan struct{})}
	ctx, stop := context.WithCancel(context.Background())
	s.stopPoll = stop
	go s.poll(ctx)
	s.writer = startWriter(s)
	return s
}

// locker is the lock that the processes share.
type locker interface {
	Lock() error
	Unlock() error
	Close() error
}

// noLock is the lock of an engine, whose transactions lock by themselves.
type noLock struct{}

func (noLock) Lock() error   { return nil }
func (noLock) Unlock() error { return nil }
func (noLock) Close() error  { return nil }

// poll takes what other processes erased out of the memory of this one.
func (s *Store) poll(ctx context.Context) {
	defer close(s.polled)
	if s.engine.Poll == 0 {
		return
	}
	tick := time.NewTicker(s.engine.Poll)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			s.forgetCopies(ctx)
		}
	}
}

// stopPolling ends poll.
func (s *Store) stopPolling() {
	if s.engine != nil {
		s.stopPoll()
		<-s.polled
	}
}

// inWriting runs do in a transaction that writes, under the lock of the writers. A commit whose answer was lost is looked up: a
// change that is in the database is not refused.
func (s *Store) inWriting(ctx context.Context, do func(*sql.Tx) error) error {
	if s.engine == nil {
		return inTx(ctx, s.writes, do)
	}
	var name string
	err := inTx(ctx, s.writes, func(tx *sql.Tx) (err error) {
		if name, err = s.engine.Begin(ctx, tx); err != nil {
			return err
		}
		if err := do(tx); err != nil {
			name = ""
			return err
		}
		return nil
	})
	if err == nil || name == "" {
		return err
	}
	committed, unknown := s.engine.Committed(ctx, name)
	if committed {
		return nil
	}
	return errors.Join(err, unknown)
}
