package effect

import (
	"slices"
	"testing"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// TestWordSamples: the sample of each list of words is classified as its row says, and each list that the code asks for is there.
func TestWordSamples(t *testing.T) {
	rows := RowsOf(wordRows, 5)
	for _, row := range rows {
		var got Class
		gives := false
		switch form := row[2]; form {
		case "name":
			got = classOfWords(language.NameWords(row[3]))
		case "label":
			got = classes(t, Call{Tool: "browser_click", Parameters: map[string]any{"element": row[3], "ref": "e1"}})[0]
		case "line", "secret":
			got, gives = classes(t, run(row[3]))[0], opened(t, row[3]) != nil
			if gives != (form == "secret") {
				t.Errorf("%s: %q gives out a secret: %v", row[0], row[3], gives)
			}
		default:
			t.Errorf("%s: a sample has no form %q", row[0], form)
		}
		if string(got) != row[4] {
			t.Errorf("%s: %q is %s, want %s", row[0], row[3], got, row[4])
		}
	}
	for _, l := range []list{cloudClients, services, listing, outlines, secretNames, broad, consentObjects, consentVerbs, means, moreReads, shown, nouns} {
		if !slices.ContainsFunc(rows, func(row []string) bool { return list(row[0]) == l }) || len(l.words()) == 0 {
			t.Errorf("there is no list %q", l)
		}
	}
}
