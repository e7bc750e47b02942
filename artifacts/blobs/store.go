package blobs

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
)

var _ artifacts.Blobs = (*Store)(nil)

var digestForm = regexp.MustCompile(`^[0-9a-f]{64}$`)

// Store keeps blobs below one folder. Processes and goroutines may share the folder.
type Store struct{ dir string }

// Open returns the store in dir, which it makes. Only the owner can read its files.
func Open(dir string) (*Store, error) {
	if err := os.MkdirAll(filepath.Join(dir, temporary), 0o700); err != nil {
		return nil, ctxmcp.Errorf(ctxmcp.CodeUnavailable, "cannot use %s", dir).WithCause(err).
			WithHint("check who owns it, or choose another place with --data-dir")
	}
	return &Store{dir: dir}, nil
}

// temporary is the folder of the files that are not whole yet, on the same filesystem as the blobs.
const temporary = "tmp"

// moved begins the names of the files there that a removal has moved aside.
const moved = "gone-"

// Put implements artifacts.Blobs. It stores the bytes of r and returns their SHA-256 in hexadecimal, and their number. When it returns, the blob is
// on disk; a crash before that leaves nothing under the digest. Storing the same again renews the file, and heals a damaged one.
func (s *Store) Put(ctx context.Context, r io.Reader) (digest string, size int64, err error) {
	return s.put(ctx, "", r)
}

// PutAs stores the bytes of r as Put does, under a name in the form of a digest. Another content under the name gives way.
func (s *Store) PutAs(ctx context.Context, name string, r io.Reader) error {
	if !Is(name) {
		return NotThere(name)
	}
	_, _, err := s.put(ctx, name, r)
	return err
}

// put stores the bytes of r under a name; "" is their digest.
func (s *Store) put(ctx context.Context, name string, r io.Reader) (_ string, size int64, err error) {
	f, err := os.CreateTemp(filepath.Join(s.dir, temporary), "put-*") // with mode 0600
	if err != nil {
		return "", 0, failed("store", err)
	}
	defer os.Remove(f.Name()) // nothing is left of it once it was renamed
	w := newSummer(f, name)
	if _, err := io.Copy(w, artifacts.Within(ctx, r)); err != nil {
		return "", 0, errors.Join(failed("store", err), f.Close())
	}
	name = w.finish()
	if w.err == nil && s.renew(name, w, f) {
		return name, w.size, failed("store", errors.Join(f.Close(), syncFolder(filepath.Dir(s.path(name)))))
	}
	err = w.err
	if err == nil {
		err = f.Sync()
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return "", 0, failed("store", err)
	}
	if err := s.publish(f.Name(), name); err != nil {
		return "", 0, failed("store", err)
	}
	return name, w.size, nil
}

// renew makes the blob that is there already as new as a fresh file, and reports whether it is there, whole and of the same content: then
// the fresh one need not be brought to the disk. The time comes first: a removal of old blobs leaves it from then on.
func (s *Store) renew(name string, w *summer, fresh *os.File) bool {
	info, err := fresh.Stat()
	if err != nil || os.Chtimes(s.path(name), info.ModTime(), info.ModTime()) != nil {
		return false
	}
	r, err := s.open(name)
	if err != nil {
		return false
	}
	same := slices.EqualFunc(r.sums, w.chunks, func(sum [sha256.Size]byte, c chunk) bool { return sum == c.sum })
	return errors.Join(r.Verify(), r.Close()) == nil && same
}

// publish moves a whole file to its place, and makes the move durable.
func (s *Store) publish(temp, d string) error {
	path := s.path(d)
	folder := filepath.Dir(path)
	_, found := os.Stat(folder)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	if err := os.Rename(temp, path); err != nil {
		return err
	}
	if found == nil {
		return syncFolder(folder)
	}
	for ; len(folder) >= len(s.dir); folder = filepath.Dir(folder) { // the new folders too
		if err := syncFolder(folder); err != nil {
			return err
		}
	}
	return nil
}

func syncFolder(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

func (s *Store) path(d string) string {
	return filepath.Join(s.dir, d[:2], d[2:4], d)
}

// Remove deletes the blob unless it was stored, or stored again, at or after the instant. It reports whether it did.
// An open reader can read to the end.
//
// An old file is first moved aside, under a name of this removal alone: a writer that stores the same meanwhile makes a new one, and another removal moves
// that one, neither of which is touched. A file that a crash left aside goes with the next removal of the same bytes; otherwise Tidy puts it back.
func (s *Store) Remove(_ context.Context, d string, before time.Time) (bool, error) {
	if !digestForm.MatchString(d) {
		return false, NotThere(d)
	}
	left, err := s.removeAside(d, before)
	if err != nil {
		return left, failed("remove", err)
	}
	info, err := os.Stat(s.path(d))
	if errors.Is(err, fs.ErrNotExist) || err == nil && !info.ModTime().Before(before) {
		return left, nil
	}
	aside := filepath.Join(s.dir, temporary, moved+d+"-"+rand.Text())
	if err := os.Rename(s.path(d), aside); err != nil {
		if errors.Is(err, fs.ErrNotExist) { // another removal was faster
			return left, nil
		}
		return false, failed("remove", err)
	}
	info, err = os.Stat(aside)
	if err == nil && !info.ModTime().Before(before) {
		if err := os.Link(aside, s.path(d)); err != nil && !errors.Is(err, fs.ErrExist) && !errors.Is(err, fs.ErrNotExist) {
			return left, failed("remove", err)
		}
		if err := os.Remove(aside); !errors.Is(err, fs.ErrNotExist) {
			return left, failed("remove", err)
		}
		return left, nil
	}
	if err := errors.Join(err, os.Remove(aside)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, failed("remove", err)
	}
	return true, failed("remove", syncFolder(filepath.Dir(s.path(d))))
}

// removeAside deletes what removals have moved aside of a blob, if it was stored before the instant, and reports whether there was any. A removal
// that is under way was to delete it too, or was about to put back what this one is to delete.
func (s *Store) removeAside(d string, before time.Time) (left bool, err error) {
	entries, err := os.ReadDir(filepath.Join(s.dir, temporary))
	if err != nil {
		return false, err
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), moved+d) {
			continue
		}
		info, err := e.Info()
		if err != nil || !info.ModTime().Before(before) {
			continue // it went meanwhile, or it stays
		}
		if err := os.Remove(filepath.Join(s.dir, temporary, e.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return left, err
		}
		left = true
	}
	return left, nil
}

// Each calls do with every blob, in the order of the digests, with when it was stored last and its size on disk in bytes.
func (s *Store) Each(ctx context.Context, do func(d string, stored time.Time, size int64) error) error {
	return filepath.WalkDir(s.dir, func(path string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // it went meanwhile
		}
		if err := errors.Join(err, ctx.Err()); err != nil {
			return failed("list", err)
		}
		if e.IsDir() || !digestForm.MatchString(e.Name()) {
			return nil
		}
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return failed("list", err)
		}
		return do(e.Name(), info.ModTime(), info.Size())
	})
}

// Check reads every blob from end to end and returns how many there are. It returns CodeUnavailable at the first that is
// damaged.
func (s *Store) Check(ctx context.Context) (int, error) {
	count := 0
	err := s.Each(ctx, func(d string, _ time.Time, _ int64) error {
		r, err := s.open(d)
		if err != nil {
			return err
		}
		count++
		return errors.Join(r.Verify(), r.Close())
	})
	return count, err
}

// Tidy deletes the unfinished files of writers that crashed before the instant, and puts back the blobs that a removal which crashed had moved aside.
func (s *Store) Tidy(_ context.Context, before time.Time) error {
	entries, err := os.ReadDir(filepath.Join(s.dir, temporary))
	if err != nil {
		return failed("tidy", err)
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !info.ModTime().Before(before) {
			continue // it went meanwhile, or it is being written
		}
		if err := s.putBack(e.Name()); err != nil {
			return failed("tidy", err)
		}
		if err := os.Remove(filepath.Join(s.dir, temporary, e.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return failed("tidy", err)
		}
	}
	return nil
}

// putBack puts the blob that a removal moved aside to its place, unless there is one. Another kind of file is left.
func (s *Store) putBack(name string) error {
	rest, found := strings.CutPrefix(name, moved)
	d, _, _ := strings.Cut(rest, "-")
	if !found || !digestForm.MatchString(d) {
		return nil
	}
	err := os.Link(filepath.Join(s.dir, temporary, name), s.path(d))
	if errors.Is(err, fs.ErrExist) || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return errors.Join(err, syncFolder(filepath.Dir(s.path(d))))
}

// Is reports whether a text has the form of a digest.
func Is(digest string) bool { return digestForm.MatchString(digest) }

func failed(doing string, err error) error {
	if _, told := errors.AsType[*ctxmcp.Error](err); told {
		return err
	}
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return ctxmcp.Errorf(ctxmcp.CodeUnavailable, "the blob store cannot %s now", doing).WithCause(fmt.Errorf("blobs: %w", err)).
		WithHint("check the space and the permissions of the data directory")
}
