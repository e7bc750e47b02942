package config

import (
	"os"
	"path/filepath"
	"testing"
)

// TestFolderOf: an agent works in the work tree that it was started in, else in the folder itself; a root is no workspace.
func TestFolderOf(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	deep := filepath.Join(dir, "repo", "pkg", "deep")
	link := filepath.Join(dir, "link")
	for _, err := range []error{os.MkdirAll(deep, 0o700), os.Mkdir(filepath.Join(dir, "repo", ".git"), 0o700), os.Symlink(filepath.Join(dir, "repo"), link)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for from, want := range map[string]string{
		deep: filepath.Join(dir, "repo"), dir: dir, filepath.Join(link, "pkg"): link, "": "", string(filepath.Separator): "",
	} {
		if got := FolderOf(from); got != want {
			t.Errorf("FolderOf(%q) = %q, want %q", from, got, want)
		}
	}
}
