package ctxmcp

import "testing"

// TestShortIDs: an id is told by its end, which is longer where two ids share it.
func TestShortIDs(t *testing.T) {
	a, b, c := "0190d3c5-7a1b-7cc0-9a3f-2b1c4d5e6f70", "0190d3c5-7a1b-7cc0-9a3f-2b1c4d5e6f71", "0190d3c5-7a1b-7cc0-9a3f-aa1c4d5e6f70"
	if got := ShortID(a); got != "5e6f70" {
		t.Errorf("ShortID = %q, want 5e6f70", got)
	}
	short := ShortIDs([]string{a, b, c, a, "id"})
	for id, want := range map[string]string{a: "2b1c4d5e6f70"[1:], b: "5e6f71", c: "aa1c4d5e6f70"[1:], "id": "id"} {
		if short[id] != want {
			t.Errorf("short form of %s = %q, want %q", id, short[id], want)
		}
	}
	if whole := ShortIDs([]string{"x123456", "123456"}); whole["x123456"] != "x123456" || whole["123456"] != "123456" {
		t.Errorf("short forms = %v: one id is the end of the other", whole)
	}
}
