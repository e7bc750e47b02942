package change_test

import (
	"strings"
	"testing"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory/change"
)

// TestDays: the days of a statement are read as they are named, relative to when it was said: on Monday, 2026-11-23.
func TestDays(t *testing.T) {
	at := time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC)
	for text, want := range map[string]string{
		"The plumber comes on November 24.":                 "2026-11-24",
		"The plumber comes tomorrow at 8.":                  "2026-11-24",
		"We are in Brittany from July 3 to July 17.":        "2027-07-03..2027-07-17",
		"The workshop is on Friday.":                        "2026-11-27",
		"The fair is on 2 December 2026 and on 5 December.": "2026-12-02 2026-12-05",
		"The lease ends in March.":                          "2027-03-01..2027-03-31",
		"Bins go out on Wednesdays.":                        "every Wednesday",
		"Chess club is every Thursday.":                     "every Thursday",
		"I have a call tonight.":                            "2026-11-23",
		"The house was built in 1931 and has three floors.": "",
	} {
		d := change.Read(change.Statement{Text: text, At: at}).Days()
		var got []string
		for _, s := range d.Spans {
			from, last := s.From.Format(time.DateOnly), s.To.AddDate(0, 0, -1).Format(time.DateOnly)
			if last != from {
				from += ".." + last
			}
			got = append(got, from)
		}
		for _, w := range d.Weekly {
			got = append(got, "every "+w.String())
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %q, want %q", text, strings.Join(got, " "), want)
		}
	}
}

// TestDaysIn: the first day in a stretch of time counts, and a day of every week from when it was told.
func TestDaysIn(t *testing.T) {
	at := time.Date(2026, 11, 18, 9, 0, 0, 0, time.UTC)
	day := func(n int) time.Time { return time.Date(2026, 11, n, 0, 0, 0, 0, time.UTC) }
	for _, test := range []struct {
		text     string
		from, to int
		want     string
	}{
		{"The plumber comes on November 24.", 24, 25, "24"},
		{"The plumber comes on November 24.", 25, 30, ""},
		{"I am in Rome from November 20 to November 26.", 24, 25, "24"},
		{"Bins go out on Wednesdays.", 23, 30, "25"},
		{"Bins go out on Wednesdays.", 9, 16, ""},
	} {
		d := change.Read(change.Statement{Text: test.text, At: at}).Days()
		first, found := d.In(ctxmcp.Interval{From: day(test.from), To: day(test.to)})
		if got := first.Format("02"); found != (test.want != "") || found && got != test.want {
			t.Errorf("%q from %d to %d: %v %v, want %q", test.text, test.from, test.to, first, found, test.want)
		}
	}
}
