package compiler

import "testing"

// TestElsewhere: a statement of another place is of the step only where a word of the place is in play.
func TestElsewhere(t *testing.T) {
	for _, tt := range []struct {
		said []string
		text string
		want bool
	}{
		{[]string{"deploy"}, "In the bakery shop, orders are closed at noon.", true},
		{[]string{"bakeri"}, "In the bakery shop, orders are closed at noon.", false},
		{[]string{"deploy"}, "At my previous job we deployed on Fridays.", false},
		{[]string{"invoic"}, "At my previous job we deployed on Fridays.", true},
		{[]string{"invoic"}, "In June, the office is closed.", false},
		{[]string{"invoic"}, "Invoices are printed on paper.", false},
		{[]string{"deploy"}, "In the Bolzano branch the inverters are all from Huawei.", true},
		{[]string{"bolzano"}, "In the Bolzano branch the inverters are all from Huawei.", false},
		{[]string{"deploy"}, "At my daughter's school lessons start at 7:40.", true},
		{[]string{"deploy"}, "The branch in Bruges rents bikes out.", true},
		{[]string{"deploy"}, "In the office we speak English.", false},
		{[]string{"mix"}, "My other film, Ferryman, is mixed in 5.1.", true},
		{[]string{"ferryman"}, "My other film, Ferryman, is mixed in 5.1.", false},
	} {
		q := &question{said: map[string]bool{}}
		for _, w := range tt.said {
			q.said[w] = true
		}
		if got := q.elsewhere(tt.text, true); got != tt.want {
			t.Errorf("elsewhere(%q) beside %v = %v, want %v", tt.text, tt.said, got, tt.want)
		}
	}
}

// TestAsksFormer: a question for a former state is one; a word of the past alone makes none, but for inputs of an earlier form.
func TestAsksFormer(t *testing.T) {
	for text, want := range map[string]bool{
		"What did we use for charts before?":           true,
		"How did we deploy back then?":                 true,
		"We need three hours before take-off. When?":   false,
		"I was wondering where the invoices are sent.": false,
		"First print the list, then mail it to Ines.":  false,
		"Where was the office last year?":              true,
	} {
		s := &state{said: text, in: Inputs{Schema: InputsSchema}}
		if got := s.asksFormer(); got != want {
			t.Errorf("asksFormer(%q) = %v, want %v", text, got, want)
		}
	}
	s := &state{said: "I was wondering.", in: Inputs{Schema: thirdInputsSchema}}
	if !s.asksFormer() {
		t.Error("inputs of the third form are no longer read by their own rules")
	}
}
