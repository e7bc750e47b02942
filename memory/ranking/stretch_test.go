package ranking

import (
	"testing"
	"time"
)

// TestStretchIn: a time that stands alone is read by its numbers and as a question names it, and other texts are none.
func TestStretchIn(t *testing.T) {
	for text, want := range map[string]string{
		"2026-11-20":      "2026-11-20, 2026-11-21",
		"2026-11":         "2026-11-01, 2026-12-01",
		"2025":            "2025-01-01, 2026-01-01",
		"3 March 2025":    "2025-03-03, 2025-03-04",
		"March 3, 2025":   "2025-03-03, 2025-03-04",
		"last week":       "2026-11-09, 2026-11-16",
		"Last Quarter":    "2026-07-01, 2026-10-01",
		"this month":      "2026-11-01, 2026-12-01",
		"next year":       "2027-01-01, 2028-01-01",
		"today":           "2026-11-20, 2026-11-21",
		" yesterday ":     "2026-11-19, 2026-11-20",
		"Friday":          "2026-11-13, 2026-11-14",
		"last Monday":     "2026-11-16, 2026-11-17",
		"April":           "2026-04-01, 2026-05-01",
		"in December":     "2025-12-01, 2026-01-01",
		"march 2025":      "2025-03-01, 2025-04-01",
		"last summer":     "2026-06-01, 2026-09-01",
		"two weeks ago":   "2026-11-06, 2026-11-07",
		"3 days ago":      "2026-11-17, 2026-11-18",
		"soon":            "none",
		"":                "none",
		"2026-13":         "none",
		"0000":            "none",
		"last week or so": "none",
		"when we moved":   "none",
	} {
		got := "none"
		if s, ok := StretchIn(text, friday); ok {
			got = s.From.Format(time.DateOnly) + ", " + s.To.Format(time.DateOnly)
		}
		if got != want {
			t.Errorf("StretchIn(%q) = %s, want %s", text, got, want)
		}
	}
}
