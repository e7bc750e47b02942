package sqlite

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// wantGolden compares got with what the file holds below its first line, which says what the file is.
func wantGolden(t *testing.T, file, first, got string) {
	t.Helper()
	got = first + "\n" + got
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("%s differs; if that is meant, run the test with -update (-want +got):\n%s", file, diff)
	}
}
