package ranking

import (
	"strings"
	"testing"
	"time"
)

// TestNamedForms: each way of naming a time stands beside a sample, and no other way is taken for it first.
func TestNamedForms(t *testing.T) {
	for _, f := range namedForms {
		text, want, _ := strings.Cut(f.sample, " => ")
		got := NamedIn(text, friday).Stretch
		if span := got.From.Format(time.DateOnly) + ", " + got.To.Format(time.DateOnly); span != want {
			t.Errorf("%q names %s, want %s", text, span, want)
		}
	}
}

// TestNamed: a question about a state to come names the next time of a name, an event is named by its words, and a question for the present names none.
func TestNamed(t *testing.T) {
	for _, tt := range []struct{ text, stretch, event string }{
		{"Where will we live in June?", "2027-06-01", ""},
		{"Where will we live in December?", "2026-12-01", ""},
		{"Where did we live in December?", "2025-12-01", ""},
		{"What rent did I pay when I lived in Leeds?", "", "when: I lived in Leeds"},
		{"When did we deploy before we moved to Fly?", "", "before: we moved to Fly"},
		{"When do we deploy?", "", ""},
		{"Which rules do we have in April?", "", ""},
		{"When is Ben back?", "", ""},
	} {
		n := NamedIn(tt.text, friday)
		stretch, event := "", ""
		if !n.Stretch.From.IsZero() {
			stretch = n.Stretch.From.Format(time.DateOnly)
		}
		if n.Event != "" {
			event = n.Bound + ": " + n.Event
		}
		if stretch != tt.stretch || event != tt.event {
			t.Errorf("%q names %q, %q, want %q, %q", tt.text, stretch, event, tt.stretch, tt.event)
		}
	}
}
