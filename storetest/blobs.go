package storetest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
)

// Blobs is everything that a store of bytes offers.
type Blobs interface {
	artifacts.Blobs
	artifacts.Shelf
	Check(ctx context.Context) (int, error)
}

// BlobRig is a store of bytes under test, and the hands below it.
type BlobRig struct {
	Blobs Blobs
	// Age makes what lies under a digest as old as if it had been stored before.
	Age func(t testing.TB, digest string, by time.Duration)
	// Spoil changes the files that lie under a digest.
	Spoil func(t testing.TB, digest string, how func([]byte) []byte)
}

// RunBlobs proves a store of bytes, which keeps the format of package blobs. open returns an empty one.
func RunBlobs(t *testing.T, open func(t *testing.T) BlobRig) {
	for _, c := range []struct {
		name string
		test func(*testing.T, BlobRig)
	}{
		{"RoundTrip", blobRoundTrip},
		{"Lines", blobLines},
		{"Damage", blobDamage},
		{"DamageElsewhere", blobDamageElsewhere},
		{"CutOffPut", blobCutOffPut},
		{"Remove", blobRemove},
		{"StoredAgain", blobStoredAgain},
		{"RacingRemovals", blobRacingRemovals},
		{"StrangeDigests", blobStrangeDigests},
		{"Each", blobEach},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, open(t)) })
	}
}

// blobChunk is how much of a blob is checked at a time, in bytes.
const blobChunk = 1 << 20

// sampleBlob returns content with some line feeds, the same for the same size.
func sampleBlob(size int) []byte {
	r := rand.New(rand.NewPCG(1, uint64(size)))
	content := make([]byte, size)
	for i := range content {
		content[i] = "abcdefghij klm\n"[r.IntN(15)]
	}
	return content
}

func (r BlobRig) put(t testing.TB, content []byte) string {
	t.Helper()
	d, size, err := r.Blobs.Put(t.Context(), bytes.NewReader(content))
	if err != nil || size != int64(len(content)) {
		t.Fatalf("Put = %d, %v, want %d bytes", size, err, len(content))
	}
	return d
}

func (r BlobRig) get(t testing.TB, d string) artifacts.Blob {
	t.Helper()
	b, err := r.Blobs.Open(t.Context(), d)
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	t.Cleanup(func() { _ = b.Close() })
	return b
}

// read returns the whole content under a digest, or the error.
func (r BlobRig) read(ctx context.Context, d string) ([]byte, error) {
	b, err := r.Blobs.Open(ctx, d)
	if err != nil {
		return nil, err
	}
	content, err := io.ReadAll(io.NewSectionReader(b, 0, b.Size()))
	return content, errors.Join(err, b.Close())
}

// blobRoundTrip: a stored blob comes back, whole and in stretches, around every border of a chunk.
func blobRoundTrip(t *testing.T, r BlobRig) {
	for _, size := range []int{0, 1, 100, 65_000, blobChunk - 1, blobChunk, blobChunk + 1, 3*blobChunk + 17} {
		content := sampleBlob(size)
		d := r.put(t, content)
		if d != ctxmcp.Digest(content) {
			t.Errorf("the digest of %d bytes is %s, want %s", size, d, ctxmcp.Digest(content))
		}
		if got, err := r.read(t.Context(), d); err != nil || !bytes.Equal(got, content) {
			t.Errorf("%d bytes came back as %d, %v", size, len(got), err)
		}
		b := r.get(t, d)
		for _, at := range []int{0, size / 2, max(0, blobChunk-3), size} {
			part := make([]byte, 7)
			n, err := b.ReadAt(part, int64(at))
			want := content[min(at, size):min(at+7, size)]
			if !bytes.Equal(part[:n], want) || (err == io.EOF) != (len(want) < 7) {
				t.Errorf("ReadAt(%d) of %d bytes = %q, %v, want %q", at, size, part[:n], err, want)
			}
		}
	}
	if n, err := r.Blobs.Check(t.Context()); n != 8 || err != nil {
		t.Errorf("Check = %d, %v, want 8", n, err)
	}
}

// blobLines: lines are found wherever they lie.
func blobLines(t *testing.T, r BlobRig) {
	content := sampleBlob(2*blobChunk + 1000)
	b := r.get(t, r.put(t, content))
	if got, want := b.LineFeeds(), int64(bytes.Count(content, []byte{'\n'})); got != want {
		t.Errorf("LineFeeds = %d, want %d", got, want)
	}
	line, start := int64(1), 0
	for {
		if line%997 == 1 {
			if got, err := b.LineStart(line); err != nil || got != int64(start) {
				t.Fatalf("LineStart(%d) = %d, %v, want %d", line, got, err, start)
			}
			if got, err := b.LineAt(int64(start)); err != nil || got != line {
				t.Fatalf("LineAt(%d) = %d, %v, want %d", start, got, err, line)
			}
		}
		end := bytes.IndexByte(content[start:], '\n')
		if end < 0 {
			break
		}
		line, start = line+1, start+end+1
	}
	if got, err := b.LineStart(line + 5); err != nil || got != b.Size() {
		t.Errorf("LineStart after the last = %d, %v, want %d", got, err, b.Size())
	}
}

// blobDamage: nothing wrong is served of a file with any byte changed, or cut anywhere, and storing the content again heals it.
func blobDamage(t *testing.T, r BlobRig) {
	content := sampleBlob(blobChunk + 500)
	n := len(content)
	for i, spoil := range []func(file []byte) []byte{
		func(f []byte) []byte { f[0] ^= 1; return f },
		func(f []byte) []byte { f[blobChunk+3] ^= 1; return f },
		func(f []byte) []byte { f[n+1] ^= 1; return f },
		func(f []byte) []byte { f[n+35] ^= 1; return f },
		func(f []byte) []byte { f[len(f)-41] ^= 1; return f }, // of the size in the footer
		func(f []byte) []byte { f[len(f)-20] ^= 1; return f },
		func(f []byte) []byte { f[len(f)-1] ^= 1; return f },
		func(f []byte) []byte { return f[:len(f)-1] },
		func(f []byte) []byte { return f[:10] },
		func([]byte) []byte { return nil },
		func(f []byte) []byte { return append(f, 'x') },
	} {
		content[5] = byte('A' + i) // a digest of its own
		d := r.put(t, content)
		r.Spoil(t, d, func(f []byte) []byte { return spoil(slices.Clone(f)) })
		if _, err := r.read(t.Context(), d); ctxmcp.CodeOf(err) != ctxmcp.CodeUnavailable {
			t.Errorf("reading a damaged blob = %v, want unavailable", err)
		}
		if _, err := r.Blobs.Check(t.Context()); ctxmcp.CodeOf(err) != ctxmcp.CodeUnavailable {
			t.Errorf("Check of a damaged blob = %v, want unavailable", err)
		}
		r.put(t, content)
		if _, err := r.read(t.Context(), d); err != nil {
			t.Errorf("storing it again does not heal it: %v", err)
		}
	}
}

// blobDamageElsewhere: a slice is served though another part of the blob is damaged.
func blobDamageElsewhere(t *testing.T, r BlobRig) {
	content := sampleBlob(3 * blobChunk)
	d := r.put(t, content)
	r.Spoil(t, d, func(f []byte) []byte {
		f = slices.Clone(f)
		f[2*blobChunk+5] = 0
		return f
	})
	b := r.get(t, d)
	part := make([]byte, 100)
	if _, err := b.ReadAt(part, blobChunk+1); err != nil || !bytes.Equal(part, content[blobChunk+1:][:100]) {
		t.Errorf("the sound part = %v", err)
	}
	if _, err := b.ReadAt(part, 2*blobChunk); err == nil {
		t.Error("the damaged part was served")
	}
}

// blobCutOffPut: a writer that fails half-way leaves nothing.
func blobCutOffPut(t *testing.T, r BlobRig) {
	broken := io.MultiReader(strings.NewReader("half"), iotest.ErrReader(errors.New("gone")))
	if _, _, err := r.Blobs.Put(t.Context(), broken); err == nil {
		t.Fatal("Put of what cannot be read succeeded")
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := r.Blobs.Put(gone, strings.NewReader("x")); !errors.Is(err, context.Canceled) {
		t.Fatalf("Put of a caller who has gone = %v", err)
	}
	if err := r.Blobs.Each(t.Context(), func(d string, _ time.Time, _ int64) error { return errors.New(d) }); err != nil {
		t.Errorf("there is %v, want nothing", err)
	}
}

// blobRemove: a blob that was stored since stays, one that is older goes.
func blobRemove(t *testing.T, r BlobRig) {
	d := r.put(t, []byte("some text"))
	if gone, err := r.Blobs.Remove(t.Context(), d, time.Now().Add(-time.Hour)); gone || err != nil {
		t.Errorf("Remove of what is newer = %v, %v", gone, err)
	}
	if _, err := r.read(t.Context(), d); err != nil {
		t.Errorf("it is gone: %v", err)
	}
	if gone, err := r.Blobs.Remove(t.Context(), d, time.Now().Add(time.Hour)); !gone || err != nil {
		t.Fatalf("Remove = %v, %v", gone, err)
	}
	if _, err := r.Blobs.Open(t.Context(), d); ctxmcp.CodeOf(err) != ctxmcp.CodeNotFound {
		t.Errorf("Open of what was removed = %v, want not_found", err)
	}
	if gone, err := r.Blobs.Remove(t.Context(), d, time.Now()); gone || err != nil {
		t.Errorf("Remove of what is not there = %v, %v", gone, err)
	}
}

// blobStoredAgain: what was stored again counts as new, and stays when the store is tidied.
func blobStoredAgain(t *testing.T, r BlobRig) {
	content := []byte("the same again")
	d := r.put(t, content)
	r.Age(t, d, 3*time.Hour)
	r.put(t, content)
	if gone, err := r.Blobs.Remove(t.Context(), d, time.Now().Add(-time.Hour)); gone || err != nil {
		t.Errorf("Remove of what was stored again = %v, %v", gone, err)
	}
	r.Age(t, d, 2*time.Hour)
	if err := r.Blobs.Tidy(t.Context(), time.Now().Add(-time.Hour)); err != nil {
		t.Fatal(err)
	}
	if got, err := r.read(t.Context(), d); err != nil || !bytes.Equal(got, content) {
		t.Errorf("after Tidy it is %q, %v", got, err)
	}
	if gone, err := r.Blobs.Remove(t.Context(), d, time.Now().Add(-time.Hour)); !gone || err != nil {
		t.Errorf("Remove of what is old = %v, %v", gone, err)
	}
}

// blobRacingRemovals: whoever stored a blob finds it, however many remove old ones of the same content at that time.
func blobRacingRemovals(t *testing.T, r BlobRig) {
	content := []byte("wanted and unwanted at once")
	for range 15 {
		d := r.put(t, content)
		r.Age(t, d, 2*time.Hour)
		before := time.Now().Add(-time.Hour)
		var all sync.WaitGroup
		for range 3 {
			all.Go(func() {
				if _, err := r.Blobs.Remove(context.WithoutCancel(t.Context()), d, before); err != nil {
					t.Errorf("Remove: %v", err)
				}
			})
			all.Go(func() {
				if _, _, err := r.Blobs.Put(t.Context(), bytes.NewReader(content)); err != nil {
					t.Errorf("Put: %v", err)
				}
			})
		}
		all.Wait()
		if got, err := r.read(t.Context(), d); err != nil || !bytes.Equal(got, content) {
			t.Fatalf("what was stored meanwhile is %q, %v", got, err)
		}
	}
}

// blobStrangeDigests: a text that is no digest names nothing, in the store or outside.
func blobStrangeDigests(t *testing.T, r BlobRig) {
	for _, d := range []string{"", "a", "../../etc/passwd", strings.Repeat("A", 64), strings.Repeat(".", 64)} {
		if _, err := r.Blobs.Open(t.Context(), d); ctxmcp.CodeOf(err) != ctxmcp.CodeNotFound {
			t.Errorf("Open(%q) = %v, want not_found", d, err)
		}
		if _, err := r.Blobs.Remove(t.Context(), d, time.Now()); ctxmcp.CodeOf(err) != ctxmcp.CodeNotFound {
			t.Errorf("Remove(%q) = %v, want not_found", d, err)
		}
	}
}

// blobEach: every blob is told once, in the order of the digests, with the time at which it was stored last.
func blobEach(t *testing.T, r BlobRig) {
	var want []string
	for i := range 12 {
		d := r.put(t, []byte{byte(i)})
		r.Age(t, d, 5*time.Hour)
		if i%3 == 0 {
			r.put(t, []byte{byte(i)})
		}
		want = append(want, d)
	}
	again := map[string]bool{want[0]: true, want[3]: true, want[6]: true, want[9]: true}
	slices.Sort(want)
	var got []string
	err := r.Blobs.Each(t.Context(), func(d string, stored time.Time, size int64) error {
		if age := time.Since(stored); again[d] != (age < time.Hour) || size <= 0 {
			t.Errorf("Each tells %s with an age of %s and %d bytes", d, age, size)
		}
		got = append(got, d)
		return nil
	})
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("Each = %v, %v, want %v", got, err, want)
	}
	stop := errors.New("enough")
	if err := r.Blobs.Each(t.Context(), func(string, time.Time, int64) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("Each = %v, want the error of the function", err)
	}
}
