package artifacts_test

import (
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp/artifacts"
)

// TestMatchInALongLine: a match is in the answer, however long its line and small the budget.
func TestMatchInALongLine(t *testing.T) {
	f := newFixture(t)
	long := f.put(t, here, artifacts.Draft{Content: strings.Repeat("wörds of all kinds, ", 2000) + "the needle_42 itself" + strings.Repeat(" and more", 2000)})
	s := f.read(t, artifacts.Ask{ID: long.ID, Pattern: "needle_42", MaxTokens: 100})
	if !strings.Contains(s.Content, "needle_42 itself") || s.Tokens > 100 || !strings.HasPrefix(s.Content, "1:…") {
		t.Errorf("Read = %q with %d tokens", s.Content, s.Tokens)
	}
}

// TestReadWithinAPath: the text of a value is read by lines and by pattern, and an artifact is found by the URI that was handed out.
func TestReadWithinAPath(t *testing.T) {
	f := newFixture(t)
	a := f.put(t, here, artifacts.Draft{Content: `{"log":"one\ntwo\nthree\nfour\n","list":[{"a":1},{"b":[2,3]}],"deep":` + strings.Repeat("[", 40) + strings.Repeat("]", 40) + `}`})
	for _, tt := range []struct {
		ask   artifacts.Ask
		want  string
		total int64
	}{
		{artifacts.Ask{Path: "$.log", Lines: "2-3"}, "two\nthree\n", 4},
		{artifacts.Ask{Path: "log", Pattern: "o$"}, "2:two", 4},
		{artifacts.Ask{Path: "$.log", Pattern: "^t", Lines: "3-"}, "3:three", 4},
		{artifacts.Ask{Path: "$.list", Lines: "2-4"}, "  {\n    \"a\": 1\n  },\n", 11},
		{artifacts.Ask{Path: "$.list[1]", Pattern: "3", ContextLines: 1}, "3-    2,\n4:    3\n5-  ]", 6},
		{artifacts.Ask{Path: "$.deep", Lines: "1"}, strings.Repeat("[", 40) + strings.Repeat("]", 40), 1},
	} {
		tt.ask.ID = a.URI()
		if s := f.read(t, tt.ask); s.Content != tt.want || s.TotalLines != tt.total || s.Artifact.ID != a.ID {
			t.Errorf("Read(%+v) = %q of %d lines, want %q of %d", tt.ask, s.Content, s.TotalLines, tt.want, tt.total)
		}
	}
}
