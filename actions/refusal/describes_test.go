package refusal_test

import "testing"

// TestWithoutThatDescribes: "without" refuses nothing where it says which things are meant.
func TestWithoutThatDescribes(t *testing.T) {
	for said, refuses := range map[string]bool{
		"Branches without a commit since May can be deleted.":      false,
		"The hosts without a push since May should be cleaned up.": false,
		"Clean up without a push.":                                 true,
		"Tidy the branch without pushing, it should stay local.":   true,
	} {
		if got := against(t, "git push origin main", said) != ""; got != refuses {
			t.Errorf("%q refuses a push: %v, want %v", said, got, refuses)
		}
	}
}
