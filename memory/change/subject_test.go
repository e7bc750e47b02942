package change

import "testing"

// TestStatesOfSubject: a short text is understood on its own if it says something of a subject that it names.
func TestStatesOfSubject(t *testing.T) {
	for text, want := range map[string]bool{
		"The build needs Node 20.":                     true,
		"I don't eat mushrooms.":                       true,
		"I don't eat mushrooms, they make me ill.":     true,
		"We deploy on Tuesdays.":                       true,
		"My sister is a nurse.":                        true,
		"Ilona from the choir lent me her tent.":       true,
		"Our rent is 900 euros.":                       true,
		"My supervisor is Prof. Lindqvist.":            true,
		"I'm left-handed and write with fountain pens": true,
		"Too short":      false,
		"It needs that.": false,
		"ok":             false,
		"Yes, do that":   false,
		"done":           false,
		"It works now":   false,
		"I did it":       false,
		"pear tree":      false,
		"see above":      false,
		"Later":          false,
	} {
		if got := StatesOfSubject(text); got != want {
			t.Errorf("StatesOfSubject(%q) = %v, want %v", text, got, want)
		}
	}
}
