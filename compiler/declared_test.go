package compiler

import (
	"slices"
	"testing"
)

// TestDeclares: a sentence that tells how things are from now on declares something, and one that orders something else this once; a request and a report do not.
func TestDeclares(t *testing.T) {
	for text, want := range map[string]bool{
		"Sofia carries the pager from this morning on.":         true,
		"As of Monday we bill by the hour.":                     true,
		"The boss just lowered the fee to 20 euros.":            true,
		"We no longer ship to islands.":                         true,
		"Change of plan: it is Braga, not Porto.":               true,
		"Write it in English this time.":                        true,
		"Write the text for the visit that is now at four.":     false,
		"The dashboard was late again.":                         false,
		"Helvig want a quote for a third machine.":              false,
		"Check whether the old price list is still on the site": false,
	} {
		if got := declares(text); got != want {
			t.Errorf("declares(%q) = %v, want %v", text, got, want)
		}
	}
}

// TestProperNames: a name is a word with a capital, or with letters and digits, that few texts hold.
func TestProperNames(t *testing.T) {
	for text, want := range map[string][]string{
		"The Corvus moves 40 metres an hour.":   {"corvus"},
		"Rosalind's desk is free on Tuesdays.":  {"rosalind"},
		"Model B40 was discontinued in July.":   {"b40"},
		"Payments take three weeks.":            nil,
		"In October the office moves to Porto.": {"porto"},
	} {
		if got := properNames(text); !slices.Equal(got, want) {
			t.Errorf("properNames(%q) = %q, want %q", text, got, want)
		}
	}
}
