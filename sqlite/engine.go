package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"time"

	"github.com/ctx-mcp/ctx-mcp/console/visits"
	"github.com/ctx-mcp/ctx-mcp/memory/vectors"
	"github.com/ctx-mcp/ctx-mcp/serve/allowance"
)

// Engine is another database below the statements of this package, which it takes as they are written here: the store, its checks and its order of
// writes exist once.
type Engine struct {
	Name   string  // of the database in messages, without secrets
	Reads  *sql.DB // in a transaction, all statements see one state; SightOf tells the tenants that a read is about
	Writes *sql.DB

	// Begin is called before anything else in a transaction that writes. It waits until no other one on the rows of the tenants is under way, or
	// none at all if no tenant is given, and returns the transaction's name.
	Begin func(ctx context.Context, tx *sql.Tx, tenants []string) (name string, err error)
	// Lock waits until no other transaction has the lock of something that tenants share. The lock ends with the transaction, which takes
	// locks in the order of Shared.
	Lock func(ctx context.Context, tx *sql.Tx, what Shared) error
	// Turn runs do while no other process runs one of that name, until ctx is done: it waits for its turn, and ends the context of do when it may
	// have lost it.
	Turn func(ctx context.Context, name string, do func(context.Context))
	// Catalogue asks for what the database knows of its tables.
	Catalogue Catalogue
	// Claim returns CodeConflict while a server that writes has the database, and lets none take its upkeep until release.
	Claim func(ctx context.Context) (release func() error, err error)
	// Facts are those that all processes of the database share.
	Facts Facts
	// Allowances are the messages that callers may send to all servers of the database together.
	Allowances allowance.Store
	// Visits are the browsers that any server of the database has let in.
	Visits visits.Store
	// Close closes the connections besides Reads and Writes.
	Close func() error
	// Committed reports whether a transaction whose commit was not answered took place. It returns an error while that is unknown.
	Committed func(ctx context.Context, name string) (bool, error)
	// Check returns an error of the code CodeInternal for rows that contradict each other.
	Check func(ctx context.Context) error
	// Poll is the time between two looks for the erasures of other processes; 0 is none.
	Poll time.Duration
}

// Catalogue has the statements that ask a database about its own tables.
type Catalogue struct {
	HasTable string // counts the tables of a name, 0 or 1
	Booleans string // names the columns of a table that are true or false
	Next     string // sets the number that the next row gets, by the table, the column and the number
}

// Facts are short texts about an installation that several machines serve, by name. None is secret.
type Facts interface {
	// Fact returns a fact, or "" if nobody has set it.
	Fact(ctx context.Context, name string) (string, error)
	// Agree sets a fact that nobody has set, and returns the one that counts.
	Agree(ctx context.Context, name, value string) (string, error)
	// Set sets a fact in place of the one before.
	Set(ctx context.Context, name, value string) error
}

// Shared names something that the writers of all tenants add to, one transaction at a time.
type Shared string

// The shared things, in the order in which a transaction locks them, after its tenants.
const (
	LogOfReceipts   Shared = "receipts"
	TableOfErasures Shared = "erasures"
)

// errUnknown says that a transaction may or may not have been committed.
var errUnknown = errors.New("the fate of the transaction is unknown")

// Over returns a store on an engine whose schema is up to date. Close closes the databases of the engine.
func Over(e *Engine, logger *slog.Logger) *Store {
	s := &Store{path: e.Name, engine: e, reads: e.Reads, writes: e.Writes, lock: noLock{}, logger: logger,
		copies: vectors.NewCache(DefaultVectorMemory), postings: newPostings(postingMemory), kept: newKept(keptMemory), polled: make(chan struct{})}
	ctx, stop := context.WithCancel(context.Background())
	s.stopPoll = stop
	go s.poll(ctx)
	s.writer = newLanes(s)
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

// Upkeep is the name of the work that the servers of a database take turns at.
const Upkeep = "upkeep"

// Facts returns the facts that the servers of a database share, or nil for a store in a file, whose folder holds them.
func (s *Store) Facts() Facts {
	if s.engine == nil {
		return nil
	}
	return s.engine.Facts
}

// Allowances returns the messages of callers that the servers of a database count together, or nil for a store in a file.
func (s *Store) Allowances() allowance.Store {
	if s.engine == nil {
		return nil
	}
	return s.engine.Allowances
}

// Visits returns the browsers that the servers of a database know together, or nil for a store in a file.
func (s *Store) Visits() visits.Store {
	if s.engine == nil {
		return nil
	}
	return s.engine.Visits
}

// Alone runs work of which a database needs one at a time, on whichever of its servers, until ctx is done or the work returns. Another server takes
// over when this one ends, however it does. Processes that share a file each run it.
func (s *Store) Alone(ctx context.Context, name string, do func(context.Context)) {
	if s.engine == nil {
		do(ctx)
		return
	}
	s.engine.Turn(ctx, name, do)
}

// patienceToPoll bounds a look for erasures. After it the copies in memory are dropped, since some may have been erased meanwhile.
const patienceToPoll = 5 * time.Second

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
			looking, stop := context.WithTimeout(ctx, patienceToPoll)
			s.forgetCopies(looking)
			stop()
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

// inWriting runs do in a transaction that writes, under the locks of the tenants. A commit whose answer was lost is looked up: a change that is
// in the database is not refused. It returns errUnknown if that cannot be found out.
func (s *Store) inWriting(ctx context.Context, tenants []string, do func(*sql.Tx) error) error {
	if s.engine == nil {
		return inTx(ctx, s.writes, do)
	}
	var name string
	err := inTx(ctx, s.writes, func(tx *sql.Tx) (err error) {
		if name, err = s.engine.Begin(ctx, tx, tenants); err != nil {
			name = ""
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
	switch {
	case committed:
		return nil
	case unknown != nil:
		return errors.Join(errUnknown, err, unknown)
	}
	return err
}
