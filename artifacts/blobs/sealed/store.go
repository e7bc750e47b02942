package sealed

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
	"github.com/ctx-mcp/ctx-mcp/artifacts/blobs"
)

var _ artifacts.Blobs = (*Store)(nil)

// Inner is the store of the files.
type Inner interface {
	artifacts.Blobs
	artifacts.Shelf
	// PutAs stores bytes under a name that is not their digest. Another content under the name gives way.
	PutAs(ctx context.Context, name string, r io.Reader) error
	// Check reads every blob from end to end and returns how many there are, or the first that is damaged.
	Check(ctx context.Context) (int, error)
}

// Entry is a key with the digest of the content that it seals.
type Entry struct {
	Key    []byte // 32 bytes
	Digest string
	Wanted time.Time // when a writer wanted it last
}

// Keys keeps entries by the name of the file that they open.
type Keys interface {
	// Want keeps an entry, and notes when it was wanted. It returns the one that is there, if there is one. It is durable when it returns.
	Want(ctx context.Context, name string, e Entry) (Entry, error)
	// Entries returns those that are there.
	Entries(ctx context.Context, names []string) (map[string]Entry, error)
	// Unwant destroys an entry unless it was wanted at or after the instant, and reports whether there is none any more.
	Unwant(ctx context.Context, name string, before time.Time) (bool, error)
}

// Store seals bytes that are stored, and opens those that were sealed. Servers and goroutines may share its parts.
type Store struct {
	inner  Inner
	keys   Keys
	name   func(digest string) string
	writes bool
}

// Over returns a store with its files in inner. The name of a digest's file is 64 hexadecimal digits that do not tell the digest. Without writes, what is
// stored is not sealed.
func Over(inner Inner, keys Keys, name func(digest string) string, writes bool) *Store {
	return &Store{inner, keys, name, writes}
}

// freshness is how long a key counts as wanted now.
const freshness = 10 * time.Minute

// Put implements artifacts.Blobs. It reads r twice if that can be, and else holds it in memory.
func (s *Store) Put(ctx context.Context, r io.Reader) (digest string, size int64, err error) {
	if !s.writes {
		return s.inner.Put(ctx, r)
	}
	content, err := blobs.Twice(ctx, r)
	if err != nil {
		return "", 0, err
	}
	t, err := trailerOf(artifacts.Within(ctx, content))
	if err != nil {
		return "", 0, err
	}
	name := s.name(t.digest)
	e, err := s.want(ctx, name, t.digest)
	if err != nil {
		return "", 0, err
	}
	f, err := newFile(name, e.Key, content, t)
	if err != nil {
		return "", 0, err
	}
	return t.digest, t.size, s.inner.PutAs(ctx, name, io.NewSectionReader(f, 0, f.length()))
}

// want returns the entry of a name, which it makes unless there is one.
func (s *Store) want(ctx context.Context, name, digest string) (Entry, error) {
	now := time.Now()
	held, err := s.keys.Entries(ctx, []string{name})
	if e, there := held[name]; err != nil || there && now.Sub(e.Wanted).Abs() < freshness {
		return e, err
	}
	fresh := Entry{Key: make([]byte, keySize), Digest: digest, Wanted: now}
	rand.Read(fresh.Key) // which never fails
	return s.keys.Want(ctx, name, fresh)
}

// Open implements artifacts.Blobs.
func (s *Store) Open(ctx context.Context, digest string) (artifacts.Blob, error) {
	if !blobs.Is(digest) {
		return nil, blobs.NotThere(digest)
	}
	name := s.name(digest)
	held, err := s.keys.Entries(ctx, []string{name})
	if err != nil {
		return nil, err
	}
	e, there := held[name]
	if !there {
		return s.inner.Open(ctx, digest)
	}
	file, err := s.inner.Open(ctx, name)
	if ctxmcp.CodeOf(err) == ctxmcp.CodeNotFound { // its writer has not come to the file
		return s.inner.Open(ctx, digest)
	}
	if err != nil {
		return nil, err
	}
	b, err := open(file, name, digest, e.Key)
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return b, nil
}

// Remove deletes the blob, and its key before, unless it was stored, or stored again, at or after the instant. It reports whether it did.
func (s *Store) Remove(ctx context.Context, digest string, before time.Time) (bool, error) {
	if !blobs.Is(digest) {
		return false, blobs.NotThere(digest)
	}
	name := s.name(digest)
	if gone, err := s.keys.Unwant(ctx, name, before.Add(-freshness)); err != nil || !gone {
		return false, err
	}
	found := false
	for _, name := range []string{name, digest} {
		gone, err := s.inner.Remove(ctx, name, before)
		if found = found || gone; err != nil {
			return found, err
		}
	}
	return found, nil
}

// Each calls do with every blob, in the order of the digests, with when it was stored last and its size on disk in bytes. A file whose key is gone has its
// name for a digest: nothing refers to it.
func (s *Store) Each(ctx context.Context, do func(digest string, stored time.Time, size int64) error) error {
	all := map[string]lying{} // by name
	err := s.inner.Each(ctx, func(name string, stored time.Time, size int64) error {
		all[name] = lying{stored, size}
		return nil
	})
	if err != nil {
		return err
	}
	for names := range slices.Chunk(slices.Collect(maps.Keys(all)), batch) {
		held, err := s.keys.Entries(ctx, names)
		if err != nil {
			return err
		}
		for name, e := range held {
			all[e.Digest] = all[name].beside(all[e.Digest])
			delete(all, name)
		}
	}
	for _, digest := range slices.Sorted(maps.Keys(all)) {
		if err := do(digest, all[digest].stored, all[digest].size); err != nil {
			return err
		}
	}
	return nil
}

// batch is how many keys are asked for at once.
const batch = 1000

// lying tells of the files of a content.
type lying struct {
	stored time.Time
	size   int64
}

// beside adds another file of the same content.
func (l lying) beside(other lying) lying {
	if other.stored.After(l.stored) {
		l.stored = other.stored
	}
	l.size += other.size
	return l
}

// Tidy implements artifacts.Shelf.
func (s *Store) Tidy(ctx context.Context, before time.Time) error { return s.inner.Tidy(ctx, before) }

// Check reads every file from end to end, which takes no key, and returns how many there are. It returns CodeUnavailable at the first that is damaged.
func (s *Store) Check(ctx context.Context) (int, error) { return s.inner.Check(ctx) }
