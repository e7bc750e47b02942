package sqlite

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// SQLite leaves copies of deleted rows behind, although secure_delete overwrites the original: in the unused part of pages
// whose rows were moved to a neighbour; in the full-text index, which keeps words to tell its pages apart; and in the
// write-ahead log. Only writing everything anew removes the first two. The time that takes is linear in the size of the
// database: about 25 ms for a thousand memories.
const (
	owe     = `INSERT INTO erasures DEFAULT VALUES`
	owing   = `SELECT coalesce(max(seq), 0) FROM erasures`
	settle  = `DELETE FROM erasures WHERE seq <= ?`
	reindex = `INSERT INTO search (search) VALUES ('rebuild')`
	rewrite = `VACUUM`
	empty   = `PRAGMA wal_checkpoint(TRUNCATE)`
)

// readerPatience is how long an erasure waits for readers of the erased content. Nobody writes meanwhile.
const readerPatience = 250 * time.Millisecond

// debt is the work that is left of the erasures that are committed. A crash does not cancel it: the table of erasures
// says at the next start that there is one.
type debt struct {
	files  bool  // write the database anew, and empty the log
	log    bool  // empty the log, which a reader is using
	latest int64 // the last erasure before the database was written anew: another process may have committed later ones
}

// errReader says that the log cannot be emptied yet.
var errReader = errors.New("a reader is using it")

// scrub removes erased content from every file. If a reader is in the way, the next write tries again; after a failure,
// the next erasure, the close or the next start does. The caller holds the lock of the writers.
func (s *Store) scrub(ctx context.Context) {
	err := contained(func() error { return s.payDebt(ctx) })
	switch {
	case errors.Is(err, errReader):
		s.logger.Debug("the write-ahead log still holds erased content", "error", err)
	case err != nil:
		s.logger.Error("the files may still hold erased content", "error", err)
	}
}

func (s *Store) payDebt(ctx context.Context) error {
	patience := time.Duration(0)
	if s.debt.files {
		patience = readerPatience
		if err := s.writeAnew(ctx); err != nil {
			return fmt.Errorf("write the database anew: %w", err)
		}
	}
	if err := s.emptyLog(ctx, patience); err != nil {
		return fmt.Errorf("empty the write-ahead log: %w", err)
	}
	if _, err := s.writes.ExecContext(ctx, settle, s.debt.latest); err != nil {
		return fmt.Errorf("settle: %w", err)
	}
	s.debt = debt{}
	return nil
}

// writeAnew leaves only the log to be emptied.
func (s *Store) writeAnew(ctx context.Context) error {
	for _, statement := range []string{reindex, rewrite} {
		if _, err := s.writes.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	latest, err := s.owing(ctx)
	if err == nil {
		s.debt = debt{log: true, latest: latest}
	}
	return err
}

// emptyLog moves the log into the database and truncates it, or returns errReader.
func (s *Store) emptyLog(ctx context.Context, patience time.Duration) error {
	if err := s.waitAtMost(ctx, patience); err != nil {
		return err
	}
	var busy, logged, moved int
	err := s.writes.QueryRowContext(ctx, empty).Scan(&busy, &logged, &moved)
	if err == nil && busy != 0 {
		err = errReader
	}
	return errors.Join(err, s.waitAtMost(ctx, busyTimeout))
}

// waitAtMost sets how long the writing connection waits for others. A pragma takes no parameter.
func (s *Store) waitAtMost(ctx context.Context, d time.Duration) error {
	_, err := s.writes.ExecContext(ctx, fmt.Sprintf(`PRAGMA busy_timeout = %d`, d.Milliseconds()))
	return err
}

// owing returns the last erasure that is not settled, or 0.
func (s *Store) owing(ctx context.Context) (latest int64, err error) {
	err = s.writes.QueryRowContext(ctx, owing).Scan(&latest)
	return latest, err
}

// finishErasures does the work that a crash cut off, or that a process that is still running has put off.
func (s *Store) finishErasures(ctx context.Context) error {
	latest, err := s.owing(ctx)
	if err != nil {
		return unusable(s.path, err)
	}
	if latest > 0 {
		s.debt.files = true
		s.scrub(ctx)
	}
	return nil
}
