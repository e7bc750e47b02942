package sealed_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
	"github.com/ctx-mcp/ctx-mcp/artifacts/blobs"
	"github.com/ctx-mcp/ctx-mcp/artifacts/blobs/bucket"
	"github.com/ctx-mcp/ctx-mcp/artifacts/blobs/bucket/buckettest"
	"github.com/ctx-mcp/ctx-mcp/artifacts/blobs/sealed"
	"github.com/ctx-mcp/ctx-mcp/sqlite"
	"github.com/ctx-mcp/ctx-mcp/storetest"
)

// nameOf names the file of a digest, for these tests.
func nameOf(digest string) string { return ctxmcp.Digest("file of " + digest) }

// pathOf returns the file of a digest in a folder.
func pathOf(dir, digest string) string {
	name := nameOf(digest)
	return filepath.Join(dir, name[:2], name[2:4], name)
}

// openKeys returns keys in a folder.
func openKeys(t testing.TB, dir string) *sqlite.KeyStore {
	t.Helper()
	k, err := sqlite.OpenKeys(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = k.Close() })
	return k
}

// age makes the key of a digest as old as if it had been wanted before.
func age(t testing.TB, keys sealed.Keys, digest string, by time.Duration) {
	t.Helper()
	name := nameOf(digest)
	held, err := keys.Entries(t.Context(), []string{name})
	if err != nil {
		t.Fatal(err)
	}
	e := held[name]
	e.Wanted = time.Now().Add(-by)
	_, unwanted := keys.Unwant(t.Context(), name, whenever)
	_, wanted := keys.Want(t.Context(), name, e)
	if err := errors.Join(unwanted, wanted); err != nil {
		t.Fatal(err)
	}
}

func openFolder(t testing.TB, dir string) *blobs.Store {
	t.Helper()
	files, err := blobs.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestFolder runs the suite of the stores of bytes over a folder.
func TestFolder(t *testing.T) {
	storetest.RunBlobs(t, func(t *testing.T) storetest.BlobRig {
		dir, keys := t.TempDir(), openKeys(t, t.TempDir())
		path := func(digest string) string { return pathOf(dir, digest) }
		return storetest.BlobRig{
			Blobs: sealed.Over(openFolder(t, dir), keys, nameOf, true),
			Age: func(t testing.TB, digest string, by time.Duration) {
				at := time.Now().Add(-by)
				age(t, keys, digest, by)
				if err := os.Chtimes(path(digest), at, at); err != nil {
					t.Fatal(err)
				}
			},
			Spoil: func(t testing.TB, digest string, how func([]byte) []byte) {
				body, err := os.ReadFile(path(digest))
				if err == nil {
					err = os.WriteFile(path(digest), how(body), 0o600)
				}
				if err != nil {
					t.Fatal(err)
				}
			},
		}
	})
}

// TestBucket runs it over a bucket.
func TestBucket(t *testing.T) {
	server := buckettest.InMemory(t)
	buckettest.UseKey(t)
	storetest.RunBlobs(t, func(t *testing.T) storetest.BlobRig {
		prefix, keys := t.Name(), openKeys(t, t.TempDir())
		files, err := bucket.Open(t.Context(), server.Address(prefix))
		if err != nil {
			t.Fatal(err)
		}
		return storetest.BlobRig{
			Blobs: sealed.Over(files, keys, nameOf, true),
			Age: func(t testing.TB, digest string, by time.Duration) {
				server.Age(t, prefix+"/"+nameOf(digest), by)
				age(t, keys, digest, by)
			},
			Spoil: func(t testing.TB, digest string, how func([]byte) []byte) {
				server.Spoil(t, prefix+"/"+nameOf(digest), how)
			},
		}
	})
}

func put(t testing.TB, s artifacts.Blobs, content string) string {
	t.Helper()
	digest, _, err := s.Put(t.Context(), strings.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	return digest
}

func get(t testing.TB, s artifacts.Blobs, digest string) string {
	t.Helper()
	b, err := s.Open(t.Context(), digest)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	content := make([]byte, b.Size())
	if n, err := b.ReadAt(content, 0); n < len(content) {
		t.Fatal(err)
	}
	return string(content)
}

const secret = "The orchard has a quincunxial pattern.\n"

// whenever is after every instant of a test.
var whenever = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)

// TestErasedBytes: neither files nor keys show a content or its digest, and a copy of the files from before a removal opens to nobody after it.
func TestErasedBytes(t *testing.T) {
	dir, keyDir, backup := t.TempDir(), t.TempDir(), t.TempDir()
	keys := openKeys(t, keyDir)
	s := sealed.Over(openFolder(t, dir), keys, nameOf, true)
	digest := put(t, s, strings.Repeat(secret, 50_000))
	stays := put(t, s, "A garden of roses")
	if err := os.CopyFS(backup, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	held, err := keys.Entries(t.Context(), []string{nameOf(digest)})
	if err != nil || len(held) != 1 {
		t.Fatalf("Entries = %v, %v, want the key", held, err)
	}
	for _, text := range []string{"quincunxial", "roses", digest, string(held[nameOf(digest)].Key)} {
		if storetest.InFolder(t, dir, text) {
			t.Errorf("%q is in a file", text)
		}
	}
	if !storetest.InFolder(t, keyDir, digest) {
		t.Error("the keys do not tell the digest of a file")
	}
	if gone, err := s.Remove(t.Context(), digest, whenever); !gone || err != nil {
		t.Fatalf("Remove = %v, %v", gone, err)
	}
	if storetest.InFolder(t, keyDir, digest) {
		t.Error("the entry of removed bytes is still in a file of the keys")
	}
	restored := sealed.Over(openFolder(t, backup), keys, nameOf, true)
	if _, err := restored.Open(t.Context(), digest); ctxmcp.CodeOf(err) != ctxmcp.CodeNotFound {
		t.Errorf("from the backup Open = %v, want not_found", err)
	}
	if got := get(t, restored, stays); got != "A garden of roses" {
		t.Errorf("from the backup what stays is %q", got)
	}
	again := put(t, restored, strings.Repeat(secret, 50_000)) // over the file whose key is gone
	if got := get(t, restored, again); len(got) != 50_000*len(secret) {
		t.Errorf("stored again it has %d bytes", len(got))
	}
}

// TestBesideUnsealed: bytes from before there were keys are read, told and removed beside sealed ones, also where both hold the same.
func TestBesideUnsealed(t *testing.T) {
	dir, keys := t.TempDir(), openKeys(t, t.TempDir())
	files := openFolder(t, dir)
	digest := put(t, files, secret)
	reads := sealed.Over(files, keys, nameOf, false)
	if got := get(t, reads, digest); got != secret {
		t.Errorf("unsealed it is %q", got)
	}
	s := sealed.Over(files, keys, nameOf, true)
	put(t, s, secret)
	put(t, s, "roses")
	for _, from := range []*sealed.Store{s, reads} {
		if got := get(t, from, digest); got != secret {
			t.Errorf("sealed it is %q", got)
		}
	}
	told := map[string]int64{}
	err := s.Each(t.Context(), func(digest string, _ time.Time, size int64) error { told[digest] += size; return nil })
	if err != nil || len(told) != 2 || told[digest] <= 2*int64(len(secret)) {
		t.Errorf("Each = %v, %v, want two contents, one of them in two files", told, err)
	}
	if gone, err := s.Remove(t.Context(), digest, whenever); !gone || err != nil {
		t.Fatalf("Remove = %v, %v", gone, err)
	}
	if _, err := reads.Open(t.Context(), digest); ctxmcp.CodeOf(err) != ctxmcp.CodeNotFound || storetest.InFolder(t, dir, "quincunxial") {
		t.Errorf("after it Open = %v, want not_found, and nothing in a file", err)
	}
}

// TestForeignKey: a file that its key does not open, or that lies under the name of another, is never served.
func TestForeignKey(t *testing.T) {
	dir, keys := t.TempDir(), openKeys(t, t.TempDir())
	s := sealed.Over(openFolder(t, dir), keys, nameOf, true)
	one, two := put(t, s, "one"), put(t, s, "two")
	body, err := os.ReadFile(pathOf(dir, one))
	if err != nil {
		t.Fatal(err)
	}
	if err := openFolder(t, dir).PutAs(t.Context(), nameOf(two), bytes.NewReader(body[:3+16+8+64+8+16+8])); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Open(t.Context(), two); ctxmcp.CodeOf(err) != ctxmcp.CodeUnavailable {
		t.Errorf("Open of another file = %v, want unavailable", err)
	}
	if gone, err := keys.Unwant(t.Context(), nameOf(one), whenever); !gone || err != nil {
		t.Fatal(gone, err)
	}
	if _, err := keys.Want(t.Context(), nameOf(one), sealed.Entry{Key: make([]byte, 32), Digest: one, Wanted: time.Now()}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Open(t.Context(), one); ctxmcp.CodeOf(err) != ctxmcp.CodeUnavailable {
		t.Errorf("Open with another key = %v, want unavailable", err)
	}
}
