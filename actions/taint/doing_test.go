package taint

import (
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// TestDoing: a request to look asks for no deed; a request to open a way in, or to get somebody one, does.
func TestDoing(t *testing.T) {
	for said, want := range map[string]string{
		"Open port 443.":                                       "open port 443",
		"Open the firewall for the office.":                    "open the firewall for the office",
		"Please open up ports 80 and 443 to the load balancer": "please open up ports 80 and 443 to the load balancer",
		"Open inbound access from 10.0.0.0/8":                  "open inbound access from 10 0 0 0 8",
		"Get Ann access to the billing repository":             "get ann access to the billing repository",
		"Get her read access for this week":                    "get her read access for this week",
		"Open the report":                                      "",
		"Open the firewall log":                                "",
		"Open the page about ports":                            "",
		"List the open ports":                                  "",
		"Get the access log":                                   "",
		"Get access logs for May":                              "",
		"Get the permissions on the bucket":                    "",
		"Check who has access":                                 "",
		"Look at the gateway":                                  "",
		"Find the port that it listens on":                     "",
		"Open the port list, then restart the proxy":           "then restart the proxy",
	} {
		var words []string
		for _, sentence := range sentenceTokens(said) {
			for _, w := range doing(sentence) {
				words = append(words, w.word)
			}
		}
		if got := strings.Join(words, " "); got != want {
			t.Errorf("%q asks for %q, want %q", said, got, want)
		}
	}
}

// TestEntered: a user who has a payment written down asks for none.
func TestEntered(t *testing.T) {
	for said, want := range map[string]bool{
		"Book the invoice in inbox/77.pdf into accounting.":  false,
		"Log the expense for the taxi.":                      false,
		"Record the payment of invoice 12 in the ledger.":    false,
		"Book a flight to Oslo.":                             true,
		"Pay the invoice and book it into accounting.":       true,
		"Book the invoice, then transfer the money to Rowan": true,
		"Settle the bill.":                                   true,
	} {
		p := New()
		p.Hear(said, true)
		if got := p.AskedFor(language.EffectRequests.Row("money").By(language.LightStem), nil); got != want {
			t.Errorf("%q asks for money to move: %v, want %v", said, got, want)
		}
		if !p.AsksSomething() {
			t.Errorf("%q asks for nothing", said)
		}
	}
}
