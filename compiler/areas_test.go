package compiler

import (
	"slices"
	"testing"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// TestAreas: each phrase of an area is found in a text, and no longer than a phrase may be; a text of no area has none.
func TestAreas(t *testing.T) {
	for _, row := range language.Areas.Rows() {
		for _, phrase := range row.Words {
			if n := len(phraseOf(phrase)); n == 0 || n > longestPhrase || !areasOf("We speak of " + phrase + ", and of it alone.")[row.Head] {
				t.Errorf("area %s: %q of %d words is not found", row.Head, phrase, n)
			}
		}
		if !slices.IsSorted(row.Words) {
			t.Errorf("area %s is not sorted", row.Head)
		}
	}
	for text, want := range map[string]string{
		"We replaced jest with vitest.": "test", "Use pnpm, not npm.": "dependency", "Install the client for the web.": "dependency", "Secrets are in Bitwarden.": "secret",
		"Plan the buffet for tonight.": "food", "Hanne has a severe reaction to sesame.": "food", "GET /invoices/unpaid answers with a list": "endpoint",
		"Put it live for everybody.": "release", "My six-year-old comes too.": "children", "Anna thinks of nothing.": "",
	} {
		if got := areasOf(text); want == "" && len(got) > 0 || want != "" && !got[want] {
			t.Errorf("areas of %q: %v, want %q", text, got, want)
		}
	}
}

// TestQuantities: two quantities of one thing are seen in other words too; names, conditions, units and times tell things apart.
func TestQuantities(t *testing.T) {
	for _, c := range []struct {
		older, newer string
		want         bool
	}{
		{"A canoe costs 9 euros an hour.", "Canoes cost 11 euros an hour this season.", true},
		{"Inspections are due every year.", "Inspections are only due every two years, since the law was changed.", true},
		{"The proxy listens on port 8001.", "The proxy listens on port 9001, behind TLS.", true},
		{"The upload limit is 20 MB", "The upload limit is now 50 MB.", true},
		{"A canoe costs 9 euros an hour.", "A canoe costs 40 euros a day.", false},
		{"A canoe costs 9 euros an hour.", "A rowing boat costs 11 euros an hour.", false},
		{"The meeting room 4 has 10 seats.", "The meeting room 5 has 12 seats.", false},
		{"The shop opens at 8.", "The shop opens at 10 on Sundays.", false},
		{"The early shift begins at 6.", "The late shift begins at 14.", false},
		{"The build took 12 minutes yesterday.", "The build took 14 minutes.", false},
		{"The bill of May was 40 euros.", "The bill of June was 60 euros.", false},
		{"The upload limit is 20 MB.", "The upload limit is 20 MB.", false},
		{"Room 4 costs 80 euros.", "Room 5 costs 90 euros.", false},
		{"The library has 3 floors.", "The library has 3 floors and a cellar.", false},
	} {
		if a, b := attributeOf(c.older), attributeOf(c.newer); a.differs(b) != c.want {
			t.Errorf("%q and %q: differ %v, want %v: %+v, %+v", c.older, c.newer, !c.want, c.want, a, b)
		}
	}
}
