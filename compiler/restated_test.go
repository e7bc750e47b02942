package compiler

import "testing"

// TestRestates: a later statement takes the place of one of which it says the matter again, and of no other.
func TestRestates(t *testing.T) {
	m := alignable{}
	for _, tt := range []struct {
		older, newer string
		probability  float64
		want         bool
	}{
		{"Our service fee is 25 euros per booking.", "The service charge went up, it is 35 euros for each booking.", 0.6, true},
		{"Revenue in reports is gross, with returns left in.", "Finance has agreed that reported revenue is net of returns and vouchers.", 0.03, true},
		{"Handover takes place at 6:45 in the day room.", "We meet at quarter past six at the nurses' desk for handover; the day room turned out too loud.", 0.3, true},
		{"The plan of a month is published by the 15th.", "More than eight hours of overtime in a month need the director's agreement.", 0, false},
		{"The kitchen is on the left.", "Now that it rains, the boats stay in.", 0.3, false},
	} {
		if got := m.restates(tt.older, tt.newer, tt.probability); got != tt.want {
			share, words := m.restated(tt.older, tt.newer)
			t.Errorf("%q restates %q: %v, %.2f in %d words", tt.newer, tt.older, got, share, words)
		}
	}
}

// TestNamesIn: names are the words that general texts do not have, also where they are parts of identifiers.
func TestNamesIn(t *testing.T) {
	for text, want := range map[string][]string{
		"I would take the Miramar.": {"miramar"}, "stg_hubspot_contacts 04:10-05:31": {"hubspot"}, "Where do we meet in the morning?": nil,
	} {
		got := namesIn(text)
		if len(got) != len(want) {
			t.Errorf("%q has the names %v, want %v", text, got, want)
		}
		for _, name := range want {
			if !got[name] {
				t.Errorf("%q has the names %v, want %v", text, got, want)
			}
		}
	}
}
