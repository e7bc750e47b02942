package ranking

import (
	"strconv"
	"strings"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/language"
)

// Named is the time that a question names by itself. Either Stretch is set, in whole days, or Event: the words of something that is held, with Bound for where
// the time lies of it ("before", "when").
type Named struct {
	Stretch ctxmcp.Interval
	Event   string
	Bound   string
	Rest    string // the question without the event
	Ahead   bool   // it asks for a state to come
}

// IsZero reports whether the question names no time.
func (n Named) IsZero() bool { return n.Stretch == ctxmcp.Interval{} && n.Event == "" }

var (
	// aheadForm matches a question for a state to come, and thenForm one for an earlier state.
	aheadForm = language.NewPattern(`(?i)\b%s\b`, language.Questions.Row("ahead"))
	thenForm  = language.NewPattern(`(?i)\b%s\b`, language.Questions.Row("then"))
	// eventForm matches a time that is named by an event: "before we moved", "when I lived in Leeds".
	eventForm = language.NewPattern(`(?i)^(.+?\S),? (before|when|while|back when) ((?:i|we|he|she|they|you|my|our|the|\p{Lu}[\p{L}']+) ?.*?)\W*$`)
)

// namedForms are the ways in which a question names a stretch of time. A sample stands beside each: text => from, to, of a question asked on 2026-11-20.
var namedForms = [...]struct {
	form    *language.Pattern
	stretch func(match []string, at time.Time, ahead bool) ctxmcp.Interval
	sample  string
}{
	{language.NewPattern(`(?i)\b(?:in|during|last|of|since)? ?(%s),? (\d{4})\b`, language.Months),
		func(m []string, at time.Time, _ bool) ctxmcp.Interval { return months(yearOf(m[2]), monthOf(m[1]), 1) },
		"where did we live in March 2025? => 2025-03-01, 2025-04-01"},
	{language.NewPattern(`(?i)\b(?:in|during|throughout|of) (\d{4})\b`),
		func(m []string, at time.Time, _ bool) ctxmcp.Interval { return months(yearOf(m[1]), time.January, 12) },
		"where did we live in 2024? => 2024-01-01, 2025-01-01"},
	{language.NewPattern(`(?i)\b(?:in|during|last|this|next|from|by|until|since) (%s)\b`, language.Months),
		func(m []string, at time.Time, ahead bool) ctxmcp.Interval { return near(monthOf(m[1]), 1, at, ahead) },
		"when did we deploy in April? => 2026-04-01, 2026-05-01"},
	{language.NewPattern(`(?i)\b(?:last|this|next|in|in the|during the|that) (spring|summer|autumn|fall|winter)\b`),
		func(m []string, at time.Time, ahead bool) ctxmcp.Interval {
			first := map[string]time.Month{"spring": time.March, "summer": time.June, "autumn": time.September, "fall": time.September, "winter": time.December}
			return near(first[strings.ToLower(m[1])], 3, at, ahead)
		},
		"which car did I have last summer? => 2026-06-01, 2026-09-01"},
	{language.NewPattern(`(?i)\b(?:last|this|next|at) (christmas|easter)\b`),
		func(m []string, at time.Time, ahead bool) ctxmcp.Interval {
			if strings.EqualFold(m[1], "easter") {
				return near(time.March, 2, at, ahead) // in one of the two months
			}
			return near(time.December, 1, at, ahead)
		},
		"which car did we have last Christmas? => 2025-12-01, 2026-01-01"},
	{language.NewPattern(`(?i)\b(an?|\d{1,3}|two|three|four|five|six|seven|ten|a few|a couple of) (day|week|month|year)s? ago\b`),
		func(m []string, at time.Time, _ bool) ctxmcp.Interval {
			day := dayOf(back(at, m[2], count(strings.TrimPrefix(strings.ToLower(m[1]), "a "))))
			return ctxmcp.Interval{From: day, To: day.AddDate(0, 0, 1)}
		},
		"where did I live two years ago? => 2024-11-20, 2024-11-21"},
	{language.NewPattern(`(?i)\blast (week|month|year)\b`),
		func(m []string, at time.Time, _ bool) ctxmcp.Interval { return running(m[1], at, -1) },
		"where did I work last year? => 2025-01-01, 2026-01-01"},
}

// NamedIn returns the time that a question names by itself, asked at an instant: a time that has begun for a question in the past tense, one that has not ended
// for a question about a state to come.
func NamedIn(text string, at time.Time) Named {
	ahead := aheadForm.MatchString(text)
	if !ahead && !thenForm.MatchString(text) {
		return Named{}
	}
	at = at.UTC()
	for _, f := range namedForms {
		if m := f.form.FindStringSubmatch(text); m != nil {
			stretch := f.stretch(m, at, ahead)
			if ahead && !stretch.To.After(at) || !ahead && stretch.From.After(at) {
				continue
			}
			return Named{Stretch: stretch, Ahead: ahead}
		}
	}
	if m := eventForm.FindStringSubmatch(text); m != nil && !ahead {
		bound := strings.ToLower(m[2])
		if bound != "before" {
			bound = "when"
		}
		return Named{Event: m[3], Bound: bound, Rest: m[1] + "?"}
	}
	return Named{}
}

func yearOf(digits string) int { n, _ := strconv.Atoi(digits); return n }

func monthOf(name string) time.Month {
	month := time.January
	for month < time.December && !strings.EqualFold(month.String(), name) {
		month++
	}
	return month
}

// months returns so many months from one of a year on.
func months(year int, month time.Month, n int) ctxmcp.Interval {
	first := time.Date(year, month, 1, 0, 0, 0, 0, time.UTC)
	return ctxmcp.Interval{From: first, To: first.AddDate(0, n, 0)}
}

// near returns so many months from the one of the name on: the last that have begun, or the next that have not ended.
func near(month time.Month, n int, at time.Time, ahead bool) ctxmcp.Interval {
	span := months(at.Year(), month, n)
	switch {
	case ahead && !span.To.After(at):
		return months(at.Year()+1, month, n)
	case !ahead && span.From.After(at):
		return months(at.Year()-1, month, n)
	}
	return span
}
