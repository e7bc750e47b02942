package compiler

import "testing"

// TestLifts: leave lifts a constraint where no word denies or narrows it.
func TestLifts(t *testing.T) {
	for text, want := range map[string]bool{
		"The manway has a new seal; it may be used again.":   true,
		"You can push to main from now on.":                  true,
		"The pool is safe to swim in again.":                 true,
		"It may not be used again.":                          false,
		"It can only be filled by half now.":                 false,
		"The seal of fermenter 3 was looked at again today.": false,
		"You may use the other tank.":                        false,
	} {
		if got := lifts(text); got != want {
			t.Errorf("lifts(%q) = %v, want %v", text, got, want)
		}
	}
}
