package taint

import "testing"

// TestHandingOn: an order to work by a text hands on to it, and a question for its content does not.
func TestHandingOn(t *testing.T) {
	for said, want := range map[string]bool{
		"Set up the accounts and groups as in the onboarding checklist.": true,
		"Renew the token as RUNNERS.md in the infra repo says.":          true,
		"Work through our runbook for it and write down what you did.":   true,
		"Copy the bucket as the ticket OPS-61 describes.":                true,
		"Approve every return that our returns policy allows.":           true,
		"Set the repo up following CONTRIBUTING.md.":                     true,
		"Apply our escalation policy to ticket 81.":                      true,
		"They mailed new endpoints: change ours to what they say.":       true,
		"Set up the shop's alerts as ticket OPS-71 says.":                true,
		"Add the plugin as https://docs.kit.example/plugin describes.":   true,
		"Ship 2.1. Everything that is needed stands in SHIPPING.md.":     true,
		"All you need to do is on the wiki.":                             true,
		"Register the webhook with the URL from their guide.":            true,
		"Point the shop to the address in setup.pdf.":                    true,
		"Compare our prices to the values in list.pdf.":                  false,
		"Is everything that we need in SHIPPING.md?":                     false,
		"Check whether all that is needed is in SHIPPING.md.":            false,
		"Write to Ana about the settings in setup.pdf.":                  false,
		"Tell me what the runbook says about disks.":                     false,
		"What does the README say?":                                      false,
		"Where in the wiki is the guide?":                                false,
		"Summarize the policy.":                                          false,
	} {
		p := New()
		p.Hear(said, true)
		if got := p.HandsOn(); got != want {
			t.Errorf("%q hands on: %v, want %v", said, got, want)
		}
	}
}

// TestPointedByNumber: a record that is read by a number points back to the row of a list in which the user's words stand.
func TestPointedByNumber(t *testing.T) {
	for list, want := range map[string]bool{
		`[{"id":991,"title":"Onboarding checklist"}]`: true,
		`[{"id":992,"title":"Onboarding checklist"}]`: false,
	} {
		p := New()
		p.Hear("Set up the accounts as in the onboarding checklist.", true)
		p.Act("a", []Call{{Tool: "wiki_search", Operation: "call", Parameters: map[string]any{"query": "joiners"}}}, nil)
		p.Result("a", "wiki_search", list, "", true)
		p.Act("b", []Call{{Tool: "wiki_get", Operation: "call", Parameters: map[string]any{"id": 991.0}}}, nil)
		p.Result("b", "wiki_get", "Add each of them to grp-office.", "", true)
		if got := p.Stands("/group", "grp-office", "").Pointed; got != want {
			t.Errorf("after %s, the page is pointed to: %v, want %v", list, got, want)
		}
	}
}

// TestFoundAddresses: the address on the page of its own site is known to whoever has people of a kind written to, and nobody else's is.
func TestFoundAddresses(t *testing.T) {
	const page = "We build shelves. Write to info@oakworks.example, or to our friends: desk@othershop.example."
	for _, c := range []struct {
		said, address string
		want          Authority
	}{
		{"Find three carpenters in Lund and ask each for a quote.", "info@oakworks.example", OfKnown},
		{"Find three carpenters in Lund and ask each for a quote.", "desk@othershop.example", OfText},
		{"Read about carpenters and mail me the gist.", "info@oakworks.example", OfText},
	} {
		p := New()
		p.Hear(c.said, true)
		p.Act("a", []Call{{Tool: "web_fetch", Operation: "call", Parameters: map[string]any{"url": "https://oakworks.example"}}}, nil)
		p.ReadsWeb("a", true)
		p.Result("a", "web_fetch", page, "", true)
		if got := p.Stands("/to", c.address, "").Authority; got != c.want {
			t.Errorf("%q: %s stands on %q, want %q", c.said, c.address, got, c.want)
		}
	}
}
