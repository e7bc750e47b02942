package golden

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// recorder is a test that fails on paper only.
type recorder struct {
	testing.TB
	said string
}

func (r *recorder) Helper() {}

func (r *recorder) Errorf(format string, args ...any) { r.said = fmt.Sprintf(format, args...) }

// TestWant: a file that differs fails a test, and is rewritten only where the flag asks for it.
func TestWant(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, []byte("a\nb\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		update    bool
		got, said string
		after     string
	}{
		{false, "a\nb\n", "", "a\nb\n"},
		{false, "a\nc\n", "differs", "a\nb\n"},
		{true, "a\nc\n", "", "a\nc\n"},
		{false, "a\nc\n", "", "a\nc\n"},
	} {
		before := *update
		*update = test.update
		r := &recorder{TB: t}
		Want(r, file, test.got)
		*update = before
		after, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if string(after) != test.after || (r.said == "") != (test.said == "") || !strings.Contains(r.said, test.said) {
			t.Errorf("Want(%q), update %v = %q with the file %q after it, want %q with %q", test.got, test.update, r.said, after, test.said, test.after)
		}
	}
}
