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

// TestRoundTrip: a stored blob comes back, whole and in stretches, around every border of a chunk.
func TestRoundTrip(t *testing.T) {
	s := open(t)
	for _, size := range []int{0, 1, 100, chunkSize - 1, chunkSize, chunkSize + 1, 3*chunkSize + 17} {
		content := sample(size)
		d := put(t, s, content)
		if d != ctxmcp.Digest(content) {
			t.Errorf("the digest of %d bytes is %s, want %s", size, d, ctxmcp.Digest(content))
		}
		r := get(t, s, d)
		got, err := io.ReadAll(io.NewSectionReader(r, 0, r.Size()))
		if err != nil || !bytes.Equal(got, content) {
			t.Errorf("%d bytes came back as %d, %v", size, len(got), err)
		}
		if err := r.Verify(); err != nil {
			t.Errorf("Verify of %d bytes: %v", size, err)
		}
		for _, at := range []int{0, size / 2, max(0, chunkSize-3), size} {
			part := make([]byte, 7)
			n, err := r.ReadAt(part, int64(at))
			want := content[min(at, size):min(at+7, size)]
			if !bytes.Equal(part[:n], want) || (err == io.EOF) != (len(want) < 7) {
				t.Errorf("ReadAt(%d) of %d bytes = %q, %v, want %q", at, size, part[:n], err, want)
			}
		}
	}
}

// TestLines: lines are found by reading one chunk, wherever they lie.
func TestLines(t *testing.T) {
	s := open(t)
	content := sample(2*chunkSize + 1000)
	r := get(t, s, put(t, s, content))
	if got, want := r.LineFeeds(), int64(bytes.Count(content, []byte{'\n'})); got != want {
		t.Errorf("LineFeeds = %d, want %d", got, want)
	}
	line, start := int64(1), 0
	for {
		if line%997 == 1 {
			if got, err := r.LineStart(line); err != nil || got != int64(start) {
				t.Fatalf("LineStart(%d) = %d, %v, want %d", line, got, err, start)
			}
			if got, err := r.LineAt(int64(start)); err != nil || got != line {
				t.Fatalf("LineAt(%d) = %d, %v, want %d", start, got, err, line)
			}
		}
		end := bytes.IndexByte(content[start:], '\n')
		if end < 0 {
			break
		}
		line, start = line+1, start+end+1
	}
	if got, err := r.LineStart(line + 5); err != nil || got != r.Size() {
		t.Errorf("LineStart after the last = %d, %v, want %d", got, err, r.Size())
	}
}

// TestDamageIsReported: nothing wrong is served of a file with any byte changed, or cut anywhere.
func TestDamageIsReported(t *testing.T) {
	content := sample(chunkSize + 500)
	for _, spoil := range []func(file []byte) []byte{
		func(f []byte) []byte { f[0] ^= 1; return f },
		func(f []byte) []byte { f[chunkSize+3] ^= 1; return f },
		func(f []byte) []byte { f[len(content)+1] ^= 1; return f },
		func(f []byte) []byte { f[len(content)+35] ^= 1; return f },
		func(f []byte) []byte { f[len(f)-footerSize+7] ^= 1; return f },
		func(f []byte) []byte { f[len(f)-20] ^= 1; return f },
		func(f []byte) []byte { f[len(f)-1] ^= 1; return f },
		func(f []byte) []byte { return f[:len(f)-1] },
		func(f []byte) []byte { return f[:10] },
		func([]byte) []byte { return nil },
		func(f []byte) []byte { return append(f, 'x') },
	} {
		s := open(t)
		d := put(t, s, content)
		file, err := os.ReadFile(s.path(d))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(s.path(d), spoil(file), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := readAll(s, d); ctxmcp.CodeOf(err) != ctxmcp.CodeUnavailable {
			t.Errorf("reading a damaged blob = %v, want unavailable", err)
		}
		if _, err := s.Check(context.Background()); ctxmcp.CodeOf(err) != ctxmcp.CodeUnavailable {
			t.Errorf("Check of a damaged blob = %v, want unavailable", err)
		}
		if put(t, s, content); readAll(s, d) != nil {
			t.Error("storing it again does not heal it")
		}
	}
}

func readAll(s *Store, d string) error {
	r, err := s.open(d)
	if err != nil {
		return err
	}
	defer r.Close()
	return r.Verify()
}

// TestDamageElsewhereDoesNotMatter: a slice is served though another part of the blob is damaged, and reads no more than
// it needs.
func TestDamageElsewhereDoesNotMatter(t *testing.T) {
	s := open(t)
	content := sample(3 * chunkSize)
	d := put(t, s, content)
	f, err := os.OpenFile(s.path(d), os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt([]byte{0}, 2*chunkSize+5); err != nil {
		t.Fatal(err)
	}
	f.Close()
	r := get(t, s, d)
	part := make([]byte, 100)
	if _, err := r.ReadAt(part, chunkSize+1); err != nil || !bytes.Equal(part, content[chunkSize+1:][:100]) {
		t.Errorf("the sound part = %v", err)
	}
	if _, err := r.ReadAt(part, 2*chunkSize); err == nil {
		t.Error("the damaged part was served")
	}
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
	b, err := s.Open(ctxmcp.Digest([]byte(content)))
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
		if gone, err := s.Remove(d, before); gone || err != nil {
			t.Errorf("Remove of what is newer = %v, %v", gone, err)
		}
		if err := readAll(s, d); err != nil {
			t.Errorf("it is gone: %v", err)
		}
	}
	r := get(t, s, d)
	if gone, err := s.Remove(d, time.Now().Add(time.Hour)); !gone || err != nil {
		t.Fatalf("Remove = %v, %v", gone, err)
	}
	if err := r.Verify(); err != nil {
		t.Errorf("a reader lost it: %v", err)
	}
	if _, err := s.Open(d); ctxmcp.CodeOf(err) != ctxmcp.CodeNotFound {
		t.Errorf("Open of what was removed = %v, want not_found", err)
	}
	if gone, err := s.Remove(d, time.Now()); gone || err != nil {
		t.Errorf("Remove of what is not there = %v, %v", gone, err)
	}
}

// TestStrangeDigests: a text that is no digest names no file, inside the folder or outside.
func TestStrangeDigests(t *testing.T) {
	s := open(t)
	for _, d := range []string{"", "a", "../../etc/passwd", strings.Repeat("A", 64), strings.Repeat(".", 64)} {
		if _, err := s.Open(d); ctxmcp.CodeOf(err) != ctxmcp.CodeNotFound {
			t.Errorf("Open(%q) = %v, want not_found", d, err)
		}
		if _, err := s.Remove(d, time.Now()); ctxmcp.CodeOf(err) != ctxmcp.CodeNotFound {
			t.Errorf("Remove(%q) = %v, want not_found", d, err)
		}
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
		if err := s.Tidy(c.before); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(left); (err == nil) != c.stays {
			t.Errorf("after Tidy(%v): %v", c.before, err)
		}
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
