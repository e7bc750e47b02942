package sqlite

import (
	"context"
	"errors"

	"github.com/gofrs/flock"

	"github.com/ctx-mcp/ctx-mcp"
)

// presence is the lock of a file's users, beside the file: each shares it for as long as it has the store open, and whoever moves the store has it
// alone. It ends with its process, however that ends.
type presence struct{ lock *flock.Flock }

func presenceOf(path string) presence {
	return presence{flock.New(path+".users", flock.SetPermissions(0o600))}
}

// join shares the lock. It returns CodeUnavailable while the store moves.
func (p presence) join() error {
	joined, err := p.lock.TryRLock()
	if err == nil && !joined {
		return ctxmcp.Errorf(ctxmcp.CodeUnavailable, "%s is being moved by ctx-mcp migrate", p.lock.Path()).WithHint("wait until that has ended")
	}
	return err
}

// Claim takes a store for this process alone, until release: a copy needs rows that nobody changes, and a server that went on would write to a store
// that is left behind. It returns CodeConflict while another process has the store open: any that serves or reads a file, or a server that writes to
// the database of an Engine.
func (s *Store) Claim(ctx context.Context) (release func() error, err error) {
	if s.engine != nil {
		return s.engine.Claim(ctx)
	}
	if err := s.users.lock.Unlock(); err != nil {
		return nil, unusable(s.users.lock.Path(), err)
	}
	alone, err := s.users.lock.TryLock()
	if err != nil || !alone {
		return nil, errors.Join(err, s.users.join(), InUse(s.path))
	}
	return func() error { return errors.Join(s.users.lock.Unlock(), s.users.join()) }, nil
}

// InUse returns the error of a Claim of a store that another process has open.
func InUse(name string) error {
	return ctxmcp.Errorf(ctxmcp.CodeConflict, "another ctx-mcp uses %s", name).
		WithHint("stop its servers and the assistants that started one, then run the command again; nothing was changed")
}
