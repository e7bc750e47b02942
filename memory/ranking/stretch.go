package ranking

import (
	"strings"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/language"
)

// calendarForms are the forms of a day, a month and a year by their numbers, as time.Parse reads them, with the number of years, months and days.
var calendarForms = [...]struct {
	form string
	long [3]int
}{
	{time.DateOnly, [3]int{0, 0, 1}},
	{"2006-01", [3]int{0, 1, 0}},
	{"2006", [3]int{1, 0, 0}},
	{"2 January 2006", [3]int{0, 0, 1}},
	{"January 2 2006", [3]int{0, 0, 1}},
	{"January 2, 2006", [3]int{0, 0, 1}},
}

var (
	// runningForm matches a time by where it lies of the running one, and weekdayForm the last day of a name.
	runningForm = language.NewPattern(`(?i)^(?:(last|this|next) (week|month|quarter|year)|(today|yesterday))$`)
	weekdayForm = language.NewPattern(`(?i)^(?:last |on )?(monday|tuesday|wednesday|thursday|friday|saturday|sunday)$`)
)

// StretchIn reads a text that is a day, week, month or year and nothing else, by its numbers or in the words of a question: 2026-11-20, 2026-11, "last week",
// "March 2025", "two years ago". It reports false for any other text.
func StretchIn(text string, at time.Time) (ctxmcp.Interval, bool) {
	text = strings.TrimSpace(text)
	for _, f := range calendarForms {
		if from, err := time.Parse(f.form, text); err == nil && ctxmcp.Representable(from) {
			return ctxmcp.Interval{From: from, To: from.AddDate(f.long[0], f.long[1], f.long[2])}, true
		}
	}
	at = at.UTC()
	if m := runningForm.FindStringSubmatch(text); m != nil {
		moved := map[string]int{"last": -1, "yesterday": -1, "next": 1}
		return running(m[2], at, moved[strings.ToLower(m[1]+m[3])]), true
	}
	if m := weekdayForm.FindStringSubmatch(text); m != nil {
		day := dayOf(at).AddDate(0, 0, -1)
		for !strings.EqualFold(day.Weekday().String(), m[1]) {
			day = day.AddDate(0, 0, -1)
		}
		return ctxmcp.Interval{From: day, To: day.AddDate(0, 0, 1)}, true
	}
	for _, worded := range []string{text, "in " + text} {
		for _, f := range namedForms {
			if m := whole(f.form, worded); m != nil {
				stretch := f.stretch(m, at, false)
				return stretch, ctxmcp.Representable(stretch.From)
			}
		}
	}
	return ctxmcp.Interval{}, false
}

// whole matches a form with the whole of a text.
func whole(form *language.Pattern, text string) []string {
	if m := form.FindStringSubmatch(text); m != nil && m[0] == text {
		return m
	}
	return nil
}
