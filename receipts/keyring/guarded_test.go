//go:build linux

package keyring

import (
	"crypto/rand"
	"os"
	"path/filepath"
	"testing"

	"github.com/ctx-mcp/ctx-mcp"
)

// TestKeysThatAreGiven: the ring reads keys that another account put there for the group, as Kubernetes mounts a Secret: files behind links. It reads none
// that everybody can read, and none of its own that the group can.
func TestKeysThatAreGiven(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("SKIPPED: only root can give files away")
	}
	from := &Ring{Dir: t.TempDir(), Random: rand.Reader}
	key, err := from.Fresh(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	r := &Ring{Dir: t.TempDir(), Random: rand.Reader}
	mounted := filepath.Join(r.Dir, "..2026_01_01")
	if err := os.CopyFS(mounted, os.DirFS(from.Dir)); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("..2026_01_01", filepath.Join(r.Dir, "..data")); err != nil {
		t.Fatal(err)
	}
	id := idOf(key)
	name := filepath.Base(r.path(id, ".key"))
	for _, link := range []string{name, filepath.Base(r.path(id, ".pub"))} {
		if err := os.Symlink(filepath.Join("..data", link), filepath.Join(r.Dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(mounted, name)
	for _, step := range []struct {
		owner int
		mode  os.FileMode
		reads bool
	}{
		{0, 0o600, true}, {0, 0o640, false}, {0, 0o440, false},
		{65534, 0o440, true}, {65534, 0o640, true}, {65534, 0o400, true},
		{65534, 0o660, false}, {65534, 0o444, false}, {65534, 0o604, false},
	} {
		if err := os.Chown(file, step.owner, 65534); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(file, step.mode); err != nil {
			t.Fatal(err)
		}
		got, err := r.Private(t.Context(), id)
		if step.reads && (err != nil || !got.Equal(key)) || !step.reads && ctxmcp.CodeOf(err) != ctxmcp.CodeUnavailable {
			t.Errorf("of account %d with mode %04o: %v, want that it is read: %t", step.owner, step.mode, err, step.reads)
		}
	}
}
