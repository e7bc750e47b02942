package blobs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

func open(t testing.TB) *Store {
	t.Helper()
	s, err := Open(filepath.Join(t.TempDir(), "blobs"))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func put(t testing.TB, s *Store, content []byte) string {
	t.Helper()
	d, size, err := s.Put(context.Background(), bytes.NewReader(content))
	if err != nil || size != int64(len(content)) {
		t.Fatalf("Put = %d, %v, want %d bytes", size, err, len(content))
	}
	return d
}

func get(t testing.TB, s *Store, d string) *Reader {
	t.Helper()
	r, err := s.open(d)
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	t.Cleanup(func() { _ = r.Close() })
	return r
}

// sample returns content with some line feeds, the same for the same size.
func sample(size int) []byte {
	r := rand.New(rand.NewPCG(1, uint64(size)))
	content := make([]byte, size)
	for i := range content {
		content[i] = "abcdefghij klm\n"[r.IntN(15)]
	}
	return content
}

func readAll(s *Store, d string) error {
	r, err := s.open(d)
	if err != nil {
		return err
	}
	defer r.Close()
	return r.Verify()
}

// TestCutOffPut: a writer that fails half-way leaves nothing under a digest.
func TestCutOffPut(t *testing.T) {
	s := open(t)
	broken := io.MultiReader(strings.NewReader("half"), iotest.ErrReader(errors.New("gone")))
	if _, _, err := s.Put(context.Background(), broken); err == nil {
		t.Fatal("Put of what cannot be read succeeded")
	}
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := s.Put(gone, strings.NewReader("x")); !errors.Is(err, context.Canceled) {
		t.Fatalf("Put of a caller who has gone = %v", err)
	}
	if got := list(t, s); len(got) != 0 {
		t.Errorf("there are %v, want nothing", got)
	}
	entries, _ := os.ReadDir(filepath.Join(s.dir, temporary))
	if len(entries) != 0 {
		t.Errorf("%d temporary files are left", len(entries))
	}
}

func list(t *testing.T, s *Store) (all []string) {
	t.Helper()
	if err := s.Each(context.Background(), func(d string, _ time.Time, _ int64) error {
		all = append(all, d)
		return nil
	}); err != nil {
		t.Fatalf("Each: %v", err)
	}
	return all
}

// TestPutAgain: a blob that is there and whole is renewed and not written again; a damaged one is.
func TestPutAgain(t *testing.T) {
	s, content := open(t), "the same again"
	store := func() os.FileInfo {
		t.Helper()
		d, size, err := s.Put(t.Context(), strings.NewReader(content))
		if err != nil || d != ctxmcp.Digest([]byte(content)) || size != int64(len(content)) {
			t.Fatalf("Put = %s, %d, %v", d, size, err)
		}
		info, err := os.Stat(s.path(d))
		if err != nil {
			t.Fatal(err)
		}
		return info
	}
	first, long := store(), time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	path := s.path(ctxmcp.Digest([]byte(content)))
	if err := os.Chtimes(path, long, long); err != nil {
		t.Fatal(err)
	}
	again := store()
	if !os.SameFile(first, again) || again.ModTime().Before(first.ModTime()) {
		t.Errorf("what is whole was written again, or is as old as it was: %v", again.ModTime())
	}
	if err := os.WriteFile(path, []byte("the shame again"), 0o600); err != nil {
		t.Fatal(err)
	}
	store()
	b, err := s.Open(t.Context(), ctxmcp.Digest([]byte(content)))
	if err != nil {
		t.Fatalf("what was damaged was not healed: %v", err)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestRemove: a blob that was stored again since stays, and an open reader can read to the end.
func TestRemove(t *testing.T) {
	s := open(t)
	d := put(t, s, []byte("some text"))
	old := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, before := range []time.Time{old} {
		if gone, err := s.Remove(t.Context(), d, before); gone || err != nil {
			t.Errorf("Remove of what is newer = %v, %v", gone, err)
		}
		if err := readAll(s, d); err != nil {
			t.Errorf("it is gone: %v", err)
		}
	}
	r := get(t, s, d)
	if gone, err := s.Remove(t.Context(), d, time.Now().Add(time.Hour)); !gone || err != nil {
		t.Fatalf("Remove = %v, %v", gone, err)
	}
	if err := r.Verify(); err != nil {
		t.Errorf("a reader lost it: %v", err)
	}
	if _, err := s.Open(t.Context(), d); ctxmcp.CodeOf(err) != ctxmcp.CodeNotFound {
		t.Errorf("Open of what was removed = %v, want not_found", err)
	}
	if gone, err := s.Remove(t.Context(), d, time.Now()); gone || err != nil {
		t.Errorf("Remove of what is not there = %v, %v", gone, err)
	}
}

// TestPrivate: nobody else can read the blobs.
func TestPrivate(t *testing.T) {
	s := open(t)
	put(t, s, []byte("x"))
	err := filepath.WalkDir(s.dir, func(path string, e os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if info, err := e.Info(); err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v, %v", path, info.Mode(), err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestTidy: a file that a crashed writer left is deleted, one that is being written is not.
func TestTidy(t *testing.T) {
	s := open(t)
	left := filepath.Join(s.dir, temporary, "put-1")
	if err := os.WriteFile(left, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		before time.Time
		stays  bool
	}{{time.Now().Add(-time.Hour), true}, {time.Now().Add(time.Hour), false}} {
		if err := s.Tidy(t.Context(), c.before); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(left); (err == nil) != c.stays {
			t.Errorf("after Tidy(%v): %v", c.before, err)
		}
	}
}

// TestRemovalCutOff: a blob that a removal had moved aside when it crashed is back after the next Tidy.
func TestRemovalCutOff(t *testing.T) {
	s := open(t)
	d := put(t, s, []byte("still wanted"))
	if err := os.Rename(s.path(d), filepath.Join(s.dir, temporary, moved+d+"-CRASH")); err != nil {
		t.Fatal(err)
	}
	if err := s.Tidy(t.Context(), time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if err := readAll(s, d); err != nil {
		t.Errorf("it is lost: %v", err)
	}
	if entries, err := os.ReadDir(filepath.Join(s.dir, temporary)); len(entries) != 0 || err != nil {
		t.Errorf("%d temporary files are left, %v", len(entries), err)
	}
}

// BenchmarkBlobs stands beside BenchmarkDisk, which writes and syncs the same bytes to a plain file.
func BenchmarkBlobs(b *testing.B) {
	for _, size := range []int{1 << 10, 1 << 20, 16 << 20} {
		content := sample(size)
		b.Run(fmt.Sprintf("put/%d", size), func(b *testing.B) {
			s := open(b)
			b.SetBytes(int64(size))
			for b.Loop() {
				put(b, s, content)
			}
		})
		b.Run(fmt.Sprintf("get/%d", size), func(b *testing.B) {
			s := open(b)
			d := put(b, s, content)
			b.SetBytes(int64(size))
			for b.Loop() {
				if err := readAll(s, d); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkDisk is the measure for BenchmarkBlobs.
func BenchmarkDisk(b *testing.B) {
	for _, size := range []int{1 << 10, 1 << 20, 16 << 20} {
		content := sample(size)
		path := filepath.Join(b.TempDir(), "file")
		b.Run(fmt.Sprintf("put/%d", size), func(b *testing.B) {
			b.SetBytes(int64(size))
			for b.Loop() {
				f, err := os.Create(path)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := f.Write(content); err != nil {
					b.Fatal(err)
				}
				if err := errors.Join(f.Sync(), f.Close()); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("get/%d", size), func(b *testing.B) {
			b.SetBytes(int64(size))
			for b.Loop() {
				if _, err := os.ReadFile(path); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
