package later_test

import (
	"testing"

	"github.com/ctx-mcp/ctx-mcp/memory/change"
	"github.com/ctx-mcp/ctx-mcp/memory/later"
)

// TestTakenBack: a later wish takes back what it changes, and no more.
func TestTakenBack(t *testing.T) {
	for _, c := range []struct {
		older, newer string
		want         string // sure, likely or none
	}{
		{"Use tabs for indentation.", "No, use spaces for indentation.", "sure"},
		{"Use tabs.", "No, use spaces.", "likely"},
		{"Use tabs and double quotes.", "Actually, use single quotes.", "likely"},
		{"Use tabs for indentation.", "Also use spaces around operators.", "none"},
		{"Use tabs for indentation.", "Use double quotes for strings.", "none"},
		{"Use tabs for indentation.", "No, keep the comments.", "none"},
		{"Use tabs for indentation.", "No tests, please.", "none"},
		{"Use moment for the dates.", "Don't use moment, use date-fns instead.", "sure"},
		{"Use Jest for unit tests of the server.", "For the browser use Playwright, not Jest.", "none"},
		{"Use moment for the dates.", "For the charts use d3, not moment.", "likely"},
		{"Do not touch the migrations.", "You may change the migrations now.", "sure"},
		{"Do not touch the migrations.", "You may change migration 14 now.", "likely"},
		{"Do not touch the migrations.", "You may change the tests now.", "none"},
		{"Do not touch the migrations.", "Do not forget to run the migrations.", "none"},
		{"Do not touch the migrations.", "Never touch the public API.", "none"},
		{"You may delete old logs.", "Do not delete any logs after all.", "sure"},
		{"You may delete old logs.", "Do not delete the logs of March.", "none"},
		{"The api listens on port 8080.", "Actually, the worker listens on port 9090.", "none"},
		{"Write a test for the lexer.", "Write a test for the parser now.", "none"},
		{"Write a test for the lexer.", "Now write a test for the parser.", "none"},
		{"Write a test for the lexer.", "Actually, write a test for the parser.", "likely"},
		{"The report must be in English.", "The report must be in German now.", "sure"},
		{"The report must be in English.", "The slides must be in German now.", "none"},
		{"Buttons should be blue.", "Buttons should be green instead.", "sure"},
		{"Buttons should be blue.", "Should the buttons be green instead?", "none"},
		{"Buttons should be blue.", "Links should be green instead of grey.", "none"},
		{"Send the notes to Priya.", "Send the notes to Tomasz, not to Priya.", "sure"},
		{"Send the notes to Priya.", "Send the invoice to Tomasz, not to Priya.", "likely"},
		{"Keep it under two pages.", "Do not keep the old pages.", "none"},
		{"Keep it under two pages.", "Pages three and four can go now.", "none"},
		{"No meat.", "No nuts.", "none"},
		{"No meat.", "Meat is fine now.", "sure"},
		{"Never deploy on Fridays.", "You can deploy the docs on Fridays now.", "likely"},
		{"Never deploy on Fridays.", "We deploy to staging now.", "none"},
		{"Run the tests before you commit.", "Don't run the tests on the old branch.", "none"},
		{"Never delete customer data.", "Yes, you can delete them.", "none"},
		{"Never delete customer data.", "You can delete customer data now.", "sure"},
		{"Never delete the production database.", "You can delete it now.", "none"},
		{"Never delete anything.", "You can delete it now.", "none"},
		{"Do not push to main.", "You can push now.", "none"},
		{"Do not push.", "You can push now.", "sure"},
		{"Do not push.", "You can push to the scratch branch now.", "likely"},
		{"Do not deploy to production.", "You may deploy now.", "none"},
		{"Do not deploy to production.", "You may deploy to production now.", "sure"},
		{"Never commit secrets to the repository.", "You can commit now.", "none"},
		{"Never drop tables.", "You can drop temporary tables now.", "none"},
		{"You can push.", "Do not push to main any more.", "likely"},
		{"Use spaces for indentation.", "No, use spaces for tables.", "likely"},
		{"For tables use spaces.", "No, for lists use spaces.", "likely"},
		{"Use spaces when you indent.", "No, use spaces when you align.", "none"},
		{"Run the linter on Fridays.", "No, run the linter on Mondays.", "likely"},
		{"Add comments to functions.", "No, add comments to classes.", "likely"},
		{"Answer in French.", "No, answer in German.", "sure"},
		{"Indent with tabs.", "No, indent with spaces.", "sure"},
		{"Indent code with tabs.", "No, indent code with spaces.", "likely"},
		{"Write the headings in blue.", "No, write the headings in green.", "likely"},
		{"Never delete customer data.", "Actually, never delete customer logs.", "likely"},
		{"Run the tests before you commit.", "No need to run the tests any more.", "sure"},
	} {
		older, newer := later.ReadWish(c.older), later.ReadWish(c.newer)
		got := "none"
		if older != nil && newer != nil {
			switch p := older.TakenBack(newer); {
			case p >= change.SureFrom:
				got = "sure"
			case p >= change.LikelyFrom:
				got = "likely"
			}
		}
		if got != c.want {
			t.Errorf("%q, then %q: %s, want %s", c.older, c.newer, got, c.want)
		}
	}
}
