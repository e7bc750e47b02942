package sqlite

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctx-mcp/ctx-mcp/memory"
)

// The statement and the index of the standing versions name memory's always-on types, in its order.
func TestStandingTypesAreThoseOfMemory(t *testing.T) {
	var want []string
	for _, o := range memory.AlwaysOnTypes() {
		want = append(want, "'"+string(o)+"'")
	}
	schema, err := os.ReadFile("schema.sql")
	if err != nil {
		t.Fatal(err)
	}
	_, index, found := strings.Cut(string(schema), "CREATE INDEX versions_standing")
	if !found {
		t.Fatal("schema.sql has no index versions_standing")
	}
	index, _, _ = strings.Cut(index, ";")
	list := regexp.MustCompile(`object_type IN \(([^)]*)\)`)
	for name, text := range map[string]string{"isStanding": isStanding, "versions_standing": index} {
		got := list.FindStringSubmatch(text)
		if got == nil {
			t.Errorf("%s names no types", name)
			continue
		}
		if diff := cmp.Diff(want, strings.Split(got[1], ", ")); diff != "" {
			t.Errorf("%s and memory.AlwaysOnTypes differ (-memory +sqlite):\n%s", name, diff)
		}
	}
}
