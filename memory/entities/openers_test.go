package entities

import (
	"slices"
	"testing"
)

// TestOpenersNameNothing: a word that asks, times or denies at the beginning of a sentence is no name, and no part of one; what is named beside it
// is. The sentences were written before the rule.
func TestOpenersNameNothing(t *testing.T) {
	for _, tt := range []struct {
		text string
		want []string
	}{
		{"What Tom said holds.", []string{"Tom"}},
		{"What now?", nil},
		{"Priya asked: What next?", []string{"Priya"}},
		{"What Lena cooks is vegan.", []string{"Lena"}},
		{"When Anna comes, put the kettle on.", []string{"Anna"}},
		{"How Marek fixed the pump is in the manual.", []string{"Marek"}},
		{"Never call Ines before nine.", []string{"Ines"}},
		{"Never again.", nil},
		{"Why Ruth left is nobody's business.", []string{"Ruth"}},
		{"Where Yusuf parks is free.", []string{"Yusuf"}},
		{"Whenever Omar visits, we play chess.", []string{"Omar"}},
		{"Which bus goes to the pool?", nil},
		// Names all the same.
		{"Tom said what he thinks.", []string{"Tom"}},
		{"Hannah never eats fish.", []string{"Hannah"}},
		{"Howard knows when it rains.", []string{"Howard"}},
		{"Neve is my niece.", []string{"Neve"}},
		{"Wendy asked how.", []string{"Wendy"}},
		{"My vet is Whelan.", []string{"Whelan"}},
	} {
		var got []string
		for _, m := range Extract(tt.text) {
			if !m.Tentative {
				got = append(got, m.Text)
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%q names %q, want %q", tt.text, got, tt.want)
		}
	}
}
