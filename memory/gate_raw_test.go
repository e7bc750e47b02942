package memory

import "testing"

// TestRawKinds: every kind knows its samples, and takes no statement for one.
func TestRawKinds(t *testing.T) {
	for _, k := range rawKinds {
		if len(k.yes) == 0 || len(k.no) == 0 {
			t.Errorf("%s lacks samples", k.name)
		}
		for _, text := range k.yes {
			if got := rawOf(text); got == nil || got.name != k.name {
				t.Errorf("rawOf(%q) = %+v, want %s", text, got, k.name)
			}
		}
		for _, text := range k.no {
			if got := rawOf(text); got != nil {
				t.Errorf("rawOf(%q) = %s, want none", text, got.name)
			}
		}
	}
}
