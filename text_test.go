package ctxmcp_test

import (
	"testing"

	"github.com/ctx-mcp/ctx-mcp"
)

func TestClip(t *testing.T) {
	for _, test := range []struct {
		text string
		most int
		want string
	}{
		{"", 0, ""}, {"", 3, ""}, {"abc", 3, "abc"}, {"abcd", 3, "abc…"}, {"äöü", 3, "äöü"}, {"äöüß", 3, "äöü…"}, {"a", 0, "…"},
	} {
		if got := ctxmcp.Clip(test.text, test.most); got != test.want {
			t.Errorf("Clip(%q, %d) = %q, want %q", test.text, test.most, got, test.want)
		}
	}
}

func TestCut(t *testing.T) {
	for _, test := range []struct {
		text string
		most int
		want string
	}{
		{"", 3, ""}, {"abc", 3, "abc"}, {"äöüß", 3, "äöü"}, {"a", 0, ""}, {"a\xffb", 2, "a\xff"},
	} {
		if got := ctxmcp.Cut(test.text, test.most); got != test.want {
			t.Errorf("Cut(%q, %d) = %q, want %q", test.text, test.most, got, test.want)
		}
	}
}

func TestShorten(t *testing.T) {
	for text, want := range map[string]string{"": "", "abc": "abc", "äöü": "äöü", "äöüß": "äö…"} {
		if got := ctxmcp.Shorten(text, 3); got != want {
			t.Errorf("Shorten(%q, 3) = %q, want %q", text, got, want)
		}
	}
}

func TestRound(t *testing.T) {
	for x, want := range map[float64]float64{0: 0, 0.1 + 0.2: 0.3, 0.12345678: 0.1235, -1.00004: -1} {
		if got := ctxmcp.Round(x); got != want {
			t.Errorf("Round(%v) = %v, want %v", x, got, want)
		}
	}
}
