package entities

import "testing"

func TestMisspelt(t *testing.T) {
	for _, c := range []struct {
		written, meant string
		want           bool
	}{
		{"calum", "callum", true},
		{"pikering", "pickering", true},
		{"pickerign", "pickering", true}, // two letters of a long word
		{"jhon", "john", false},          // two of a short one
		{"ann", "anna", false},           // too short to tell
		{"rosa", "rosie", false},
		{"boris", "doris", false},
		{"callum", "callum", false},
	} {
		if got := Misspelt(c.written, c.meant); got != c.want {
			t.Errorf("Misspelt(%q, %q) = %v, want %v", c.written, c.meant, got, c.want)
		}
	}
}
