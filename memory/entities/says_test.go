package entities

import "testing"

func TestSaying(t *testing.T) {
	for _, tt := range []struct {
		text string
		want bool
	}{
		{"Tom's number is 555.", true}, {"ask TOM, not me", true}, {"(tom)", true}, {"Tomorrow we eat a tomato.", false}, {"atom", false}, {"tom2", false},
		{"Zoe and zoë are one", true}, {"mail zoe@acme.io now", true}, {"Ann Lee-Smith signed", true}, {"Ann Leeway", false}, {"", false},
	} {
		if got := NewSaying("Tom", "Zoë", "zoe@acme.io", "Ann Lee", " ").In(tt.text); got != tt.want {
			t.Errorf("In(%q) = %t, want %t", tt.text, got, tt.want)
		}
	}
}

func TestSayingMeans(t *testing.T) {
	full, first := NewSaying("Samuel Ortiz", "Sam"), NewSaying("Sam")
	for text, want := range map[string][2]bool{
		"Our neighbour Sam Ortega waters the plants.":       {false, true},
		"Sam Ortega asked Sam about it.":                    {true, true},
		"Samuel Ortiz signs, and so does Sam Ortega.":       {true, true},
		"The keys are with sam.":                            {true, true},
		"Nobody of that name was seen at the large station": {false, false},
	} {
		if got := [2]bool{full.Means(text), first.Means(text)}; got != want {
			t.Errorf("Means(%q) = %v, want %v", text, got, want)
		}
	}
}
