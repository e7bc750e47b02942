package reduce

import (
	"slices"
	"testing"
)

// TestLastingOf keeps what a user demands or decides, and leaves questions, quotes and orders of the moment.
func TestLastingOf(t *testing.T) {
	got := LastingOf("Hello there. Never touch the migrations folder. We decided to store dates in UTC. Should we always lint the whole tree?\n" +
		"- The API must stay backwards compatible.\n```\nyou must not keep this line\n```\nRun the tests of the parser now. Must not.")
	want := []Lasting{
		{Text: "Never touch the migrations folder."},
		{Text: "We decided to store dates in UTC.", Decision: true},
		{Text: "The API must stay backwards compatible."},
	}
	if !slices.Equal(got, want) {
		t.Errorf("lasting:\n%+v\nwant\n%+v", got, want)
	}
}
