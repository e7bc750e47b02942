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
		"The rent went up to 1020 a month.":            true,
		"We sold the Skoda.":                           true,
		"We sold the Skoda":                            true,
		"The user sold their car, the Skoda Octavia.":  true,
		"Minka died last week.":                        true,
		"Never force-push to main.":                    true,
		"Always answer in Dutch.":                      true,
		"Use metric units.":                            true,
		"No meetings on Fridays.":                      true,
		"Dinner with Ravi on Friday at 7.":             true,
		"Kids: Leo (6) and Mia (3)":                    true,
		"Paul got married.":                            true,
		"Wifi at home: bluewhale":                      true,
		"Prefers window seats.":                        true,
		"Dentist on 3 December at 9.":                  true,
		"Grandma turned ninety.":                       true,
		"The key is under the mat":                     true,
		"Reply in short sentences.":                    true,
		"Ich wohne in Bonn.":                           true,
		"J'habite à Lyon depuis mai.":                  true,
		"Mi hermana vive en Lima.":                     true,
		"Don't deploy on Fridays.":                     true,
		"Avoid semicolons in our scripts.":             true,
		"Fixed the bug.":                               false,
		"Checked the logs again.":                      false,
		"Running tests now.":                           false,
		"Looking at it.":                               false,
		"Updated all files.":                           false,
		"That worked fine.":                            false,
		"The second one":                               false,
		"Yes, please go on.":                           false,
		"Note: ...":                                    false,
		"Too short":                                    false,
		"It needs that.":                               false,
		"ok":                                           false,
		"Yes, do that":                                 false,
		"done":                                         false,
		"It works now":                                 false,
		"I did it":                                     false,
		"pear tree":                                    false,
		"see above":                                    false,
		"Later":                                        false,
	} {
		if got := StatesOfSubject(text); got != want {
			t.Errorf("StatesOfSubject(%q) = %v, want %v", text, got, want)
		}
	}
}
