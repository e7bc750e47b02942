package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
)

// Reading is a database that is read and never written, beside the servers that use it: it takes no lock of theirs,
// migrates nothing and finishes nothing.
type Reading struct {
	path string
	db   *sql.DB

	sealing *sealing // nil: no version is sealed
}

// OpenReading opens the database in dir for reading. It returns CodeNotFound if there is none, and CodeUnavailable if it
// cannot be used, or has another schema than this version's.
func OpenReading(ctx context.Context, dir string) (*Reading, error) {
	path := filepath.Join(dir, FileName)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, ctxmcp.Errorf(ctxmcp.CodeNotFound, "there is no store in %s", dir).WithHint("name its folder with --data-dir")
	} else if err != nil {
		return nil, unusable(path, err)
	}
	r, err := openReading(ctx, path, url.Values{"mode": {"ro"}})
	if err != nil && unlogged(path, err) {
		return openReading(ctx, path, url.Values{"mode": {"ro"}, "immutable": {"1"}})
	}
	return r, err
}

// openReading opens the file so that SQLite itself refuses every write. The log and its index are left as they are, too.
func openReading(ctx context.Context, path string, q url.Values) (*Reading, error) {
	q.Set("_query_only", "on")
	q.Set("_busy_timeout", fmt.Sprint(busyTimeout.Milliseconds()))
	q.Set("_cache_size", "-16384")
	q.Set("_pragma", "cache_size(-16384)")
	db, err := sql.Open(libraryName, "file:"+(&url.URL{Path: path}).EscapedPath()+"?"+q.Encode())
	if err != nil {
		return nil, unusable(path, err)
	}
	r := &Reading{path: path, db: db}
	if err := r.checkSchema(ctx); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return r, nil
}

// unlogged reports whether err says that the index of the log could not be made, in a folder that cannot be written to, as
// that of a backup, and there is no log: the file is then all there is, and can be read as one that nobody changes.
func unlogged(path string, err error) bool {
	if code := codeOf(err); code != codeReadOnly && code != codeCantOpen {
		return false
	}
	_, missing := os.Stat(path + "-wal")
	return errors.Is(missing, fs.ErrNotExist)
}

func (r *Reading) checkSchema(ctx context.Context) error {
	steps, err := fs.Glob(migrations, "migration/*.sql")
	if err != nil {
		return fmt.Errorf("list migrations: %w", err)
	}
	var done int
	if err := r.db.QueryRowContext(ctx, `PRAGMA user_version`).Scan(&done); err != nil {
		return unusable(r.path, err)
	}
	switch {
	case done < len(steps):
		return ctxmcp.Errorf(ctxmcp.CodeUnavailable, "%s was written by an older ctx-mcp", r.path).
			WithHint("run ctx-mcp doctor, which brings it up to date")
	case done > len(steps):
		return ctxmcp.Errorf(ctxmcp.CodeUnavailable, "%s was written by a newer ctx-mcp", r.path).
			WithHint("install the newer version")
	}
	return nil
}

// Each calls do with every version for which q.Match is true, in no order, as the database was when it began. It holds
// a few hundred versions at a time. It ends with the first error of do; q.Limit is not looked at.
func (r *Reading) Each(ctx context.Context, q memory.Query, do func(ctxmcp.ContextObject) error) error {
	err := inTx(ctx, r.db, func(tx *sql.Tx) error {
		places, err := scopesOf(ctx, tx, q)
		if err != nil || len(places) == 0 {
			return err
		}
		rows, err := tx.QueryContext(ctx, way(q), r.sealing.arguments(q, numbers(places))...)
		if err != nil {
			return err
		}
		defer rows.Close()
		var some []row
		for rows.Next() {
			one, err := scanRow(rows)
			if err != nil {
				return err
			}
			if some = append(some, one); len(some) == rowsAtOnce {
				if err := r.tell(ctx, some, do); err != nil {
					return err
				}
				some = some[:0]
			}
		}
		return errors.Join(rows.Err(), r.tell(ctx, some, do))
	})
	return wrap("read", err)
}

// tell calls do with the versions of rows.
func (r *Reading) tell(ctx context.Context, rows []row, do func(ctxmcp.ContextObject) error) error {
	found, err := r.sealing.objects(ctx, rows)
	if err != nil {
		return err
	}
	for _, o := range found {
		if err := do(o); err != nil {
			return err
		}
	}
	return nil
}

// Close closes the file.
func (r *Reading) Close() error { return r.db.Close() }
