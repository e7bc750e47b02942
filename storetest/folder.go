package storetest

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// InFolder reports whether a text stands in a file under a folder.
func InFolder(t testing.TB, folder, text string) (found bool) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		body, err := os.ReadFile(path)
		found = found || bytes.Contains(body, []byte(text))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
