package golden

import (
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files, and the expectations of scripts")

// Update reports whether the test was asked to rewrite its files.
func Update() bool { return *update }

// Want fails the test where the file does not hold got. With -update it rewrites the file.
func Want(t testing.TB, file, got string) {
	t.Helper()
	if *update {
		Rewrite(t, file, got)
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v; -update writes it", err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("%s differs; if that is meant, run the test with -update (-want +got):\n%s", file, diff)
	}
}

// Read returns the text of a file, and ends the test if it cannot be read.
func Read(t testing.TB, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// WantJSON is Want for a JSON text, indented by two spaces.
func WantJSON(t testing.TB, file string, got []byte) {
	t.Helper()
	var v any
	if err := json.Unmarshal(got, &v); err != nil {
		t.Fatal(err)
	}
	pretty, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	Want(t, file, string(pretty)+"\n")
}

// Rewrite writes a file, unless it holds the text already: a file that did not change keeps its time.
func Rewrite(t testing.TB, file, text string) {
	t.Helper()
	if have, err := os.ReadFile(file); err == nil && string(have) == text {
		return
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
