package ranking

import (
	"strconv"
	"strings"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/language"
)

// toldForms are the ways in which a question names a stretch of time, in the order in which they are tried. A sample stands
// beside each: text => from, to, of a question asked on 2026-11-20, a Friday.
var toldForms = [...]struct {
	doc     string
	form    *language.Pattern
	stretch func(match []string, at time.Time) ctxmcp.Interval
	sample  string
}{
	{"a number of days, weeks or months back",
		language.NewPattern(`(?i)\b(?:last|past|previous) (\d{1,3}|two|three|four|five|six|seven|ten|few|couple of)? ?(day|week|fortnight|month|quarter|year)s?\b`),
		func(m []string, at time.Time) ctxmcp.Interval { return since(back(at, m[2], count(m[1])), at) },
		"what changed in the last two weeks? => 2026-11-06, 2026-11-21"},
	{"the running day, week, month or year",
		language.NewPattern(`(?i)\b(?:this|the current) (week|month|quarter|year)\b|\b(today)\b`),
		func(m []string, at time.Time) ctxmcp.Interval { return running(m[1]+m[2], at, 0) },
		"what did we decide this month? => 2026-11-01, 2026-12-01"},
	{"the next week, month or year",
		language.NewPattern(`(?i)\b(?:next|coming) (week|month|quarter|year)\b|\b(tomorrow)\b`),
		func(m []string, at time.Time) ctxmcp.Interval { return running(m[1]+m[2], at, 1) },
		"all our appointments next week => 2026-11-23, 2026-11-30"},
	{"yesterday",
		language.NewPattern(`(?i)\byesterday\b`),
		func(_ []string, at time.Time) ctxmcp.Interval { return running("today", at, -1) },
		"what happened yesterday? => 2026-11-19, 2026-11-20"},
	{"from a month on, or up to it",
		language.NewPattern(`(?i)\b(since|from|after|until|till|before|in|during|of)(?: the (?:start|beginning|end|middle) of)? (january|february|march|april|may|june|july|august|september|october|november|december)\b`),
		func(m []string, at time.Time) ctxmcp.Interval { return ofMonth(strings.ToLower(m[1]), m[2], at) },
		"what was decided since September? => 2026-09-01, 2026-11-21"},
	{"lately",
		language.NewPattern(`(?i)\b(?:lately|recent|recently|newest|latest|what(?:'s| is) new)\b`),
		func(_ []string, at time.Time) ctxmcp.Interval { return since(at.AddDate(0, 0, -lately), at) },
		"what changed lately? => 2026-10-16, 2026-11-21"},
}

// lately is the number of days that "recently" reaches back.
const lately = 35

// toldIn returns the stretch of time that a question names, in whole days; the zero interval if it names none.
func toldIn(text string, at time.Time) ctxmcp.Interval {
	for _, f := range toldForms {
		if m := f.form.FindStringSubmatch(text); m != nil {
			return f.stretch(m, at.UTC())
		}
	}
	return ctxmcp.Interval{}
}

func dayOf(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
}

// since returns the time from the day of an instant to the end of the day of another.
func since(from, to time.Time) ctxmcp.Interval {
	return ctxmcp.Interval{From: dayOf(from), To: dayOf(to).AddDate(0, 0, 1)}
}

func count(word string) int {
	if n, err := strconv.Atoi(word); err == nil {
		return n
	}
	words := map[string]int{"two": 2, "couple of": 2, "three": 3, "few": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "ten": 10}
	return max(1, words[strings.ToLower(word)])
}

func back(at time.Time, unit string, n int) time.Time {
	switch strings.ToLower(unit) {
	case "day":
		return at.AddDate(0, 0, -n)
	case "week":
		return at.AddDate(0, 0, -7*n)
	case "fortnight":
		return at.AddDate(0, 0, -14*n)
	case "month":
		return at.AddDate(0, -n, 0)
	case "quarter":
		return at.AddDate(0, -3*n, 0)
	default:
		return at.AddDate(-n, 0, 0)
	}
}

// running returns the calendar's day, week, month, quarter or year of an instant, moved by so many of them.
func running(unit string, at time.Time, moved int) ctxmcp.Interval {
	day := dayOf(at)
	first := day.AddDate(0, 0, 1-day.Day())
	switch strings.ToLower(unit) {
	case "week":
		monday := day.AddDate(0, 0, -(int(day.Weekday())+6)%7+7*moved)
		return ctxmcp.Interval{From: monday, To: monday.AddDate(0, 0, 7)}
	case "month":
		return ctxmcp.Interval{From: first.AddDate(0, moved, 0), To: first.AddDate(0, moved+1, 0)}
	case "quarter":
		first = first.AddDate(0, -(int(first.Month())-1)%3+3*moved, 0)
		return ctxmcp.Interval{From: first, To: first.AddDate(0, 3, 0)}
	case "year":
		first = first.AddDate(moved, 1-int(first.Month()), 0)
		return ctxmcp.Interval{From: first, To: first.AddDate(1, 0, 0)}
	case "tomorrow":
		return ctxmcp.Interval{From: day.AddDate(0, 0, 1), To: day.AddDate(0, 0, 2)}
	default:
		return ctxmcp.Interval{From: day.AddDate(0, 0, moved), To: day.AddDate(0, 0, moved+1)}
	}
}

// ofMonth returns the time that a month bounds: the last month of the name that has begun.
func ofMonth(bound, name string, at time.Time) ctxmcp.Interval {
	month := time.January
	for !strings.EqualFold(month.String(), name) {
		month++
	}
	first := time.Date(at.Year(), month, 1, 0, 0, 0, 0, time.UTC)
	if first.After(at) {
		first = first.AddDate(-1, 0, 0)
	}
	switch bound {
	case "since", "from", "after":
		return ctxmcp.Interval{From: first, To: dayOf(at).AddDate(0, 0, 1)}
	case "until", "till", "before":
		return ctxmcp.Interval{To: first}
	default:
		return ctxmcp.Interval{From: first, To: first.AddDate(0, 1, 0)}
	}
}
