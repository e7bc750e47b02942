package blobs_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/ctx-mcp/ctx-mcp/artifacts/blobs"
	"github.com/ctx-mcp/ctx-mcp/storetest"
)

func TestBlobs(t *testing.T) {
	storetest.RunBlobs(t, func(t *testing.T) storetest.BlobRig {
		dir := t.TempDir()
		s, err := blobs.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		path := func(d string) string { return filepath.Join(dir, d[:2], d[2:4], d) }
		return storetest.BlobRig{
			Blobs: s,
			Age: func(t testing.TB, d string, by time.Duration) {
				at := time.Now().Add(-by)
				if err := os.Chtimes(path(d), at, at); err != nil {
					t.Fatal(err)
				}
			},
			Spoil: func(t testing.TB, d string, how func([]byte) []byte) {
				file, err := os.ReadFile(path(d))
				if err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path(d), how(file), 0o600); err != nil {
					t.Fatal(err)
				}
			},
		}
	})
}
