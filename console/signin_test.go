package console

import "testing"

// TestWithin: an address to go on at is one of the pages, however it is written.
func TestWithin(t *testing.T) {
	for _, to := range []string{"", "memories", "memories/x", "memories?q=a%20b&state=every", "memories/a%20b", "contexts/sha256:ab?with=c", "audit?from=http://x"} {
		if got := within(to); got != to {
			t.Errorf("within(%q) = %q, want it as it is", to, got)
		}
	}
	for _, to := range []string{
		"/evil.example", "//evil.example", "/\\evil.example", "\\evil.example", "../..//evil.example", "..//evil.example", "%2e%2e/%2e%2e//evil.example",
		"memories/../../x", "memories//x", "memories\r\nLocation: https://evil.example", "memories\t", "memories#x", "%5cevil.example/%2e.", "./x",
		"signin", "signin?to=memories", "signin/back?code=x", "enter", "leave", "sign%69n", "mem\u00f6ries", "%zz",
	} {
		if got := within(to); got != "" {
			t.Errorf("within(%q) = %q, want nothing", to, got)
		}
	}
}
