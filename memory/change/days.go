package change

import (
	"strings"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/language"
)

// Days are the days on which a statement says that something is: "on November 24", "from July 18 to August 1", "tomorrow", "on Wednesdays".
type Days struct {
	Spans  []ctxmcp.Interval // in order of the text
	Weekly []time.Weekday
	From   time.Time // the day on which it was said: nothing weekly is known to be before
}

// each are the words before a day of every week.
var each = language.Changes.Row("each_week")

// Days reads the days that the statement names, relative to when it was said.
func (r *Reading) Days() Days {
	d := Days{From: dayOfTime(r.At)}
	if r.At.IsZero() {
		return d
	}
	for i := 0; i < len(r.tokens); {
		word := r.tokens[i].lower
		if w, weekly := r.weekly(i); weekly {
			d.Weekly = append(d.Weekly, w)
			i++
			continue
		}
		if word == "today" || word == "tonight" {
			d.Spans = append(d.Spans, ctxmcp.Interval{From: d.From, To: d.From.AddDate(0, 0, 1)})
			i++
			continue
		}
		span, next := r.daySpan(i)
		if next == i {
			i++
			continue
		}
		if r.isSpan(next) {
			if last, end := r.daySpan(next + 1); end > next+1 && last.To.After(span.From) {
				span.To, next = last.To, end
			}
		}
		d.Spans, i = append(d.Spans, span), next
	}
	return d
}

// daySpan returns the day, or the month, that is named from a place on, and the place behind it; that place itself if none is.
func (r *Reading) daySpan(at int) (ctxmcp.Interval, int) {
	if at >= len(r.tokens) || r.year(at) > 0 {
		return ctxmcp.Interval{}, at
	}
	from, next := r.date(at)
	if from.IsZero() {
		return ctxmcp.Interval{}, at
	}
	if month, behind := r.month(at); month != 0 {
		if day, _ := r.dayNumber(behind); day == 0 {
			return ctxmcp.Interval{From: from, To: from.AddDate(0, 1, 0)}, next
		}
	}
	return ctxmcp.Interval{From: from, To: from.AddDate(0, 0, 1)}, next
}

// weekly returns the day of every week that a word names: "Wednesdays", and the second word of "every Wednesday".
func (r *Reading) weekly(i int) (time.Weekday, bool) {
	word, many := strings.CutSuffix(r.tokens[i].lower, "s")
	if !many && (i == 0 || !each.Has(r.tokens[i-1].lower)) {
		return 0, false
	}
	for w := time.Sunday; w <= time.Saturday; w++ {
		if strings.EqualFold(w.String(), word) {
			return w, true
		}
	}
	return 0, false
}

// In returns the first of the days that lies in a stretch of time, and whether one does.
func (d Days) In(stretch ctxmcp.Interval) (first time.Time, found bool) {
	for _, span := range d.Spans {
		if both := span.Intersect(stretch); span.Overlaps(stretch) && (!found || both.From.Before(first)) {
			first, found = both.From, true
		}
	}
	for day := stretch.From; len(d.Weekly) > 0 && day.Before(stretch.To) && day.Before(stretch.From.AddDate(0, 0, 7)); day = day.AddDate(0, 0, 1) {
		for _, w := range d.Weekly {
			if day.Weekday() == w && !day.Before(d.From) && (!found || day.Before(first)) {
				first, found = day, true
			}
		}
	}
	return first, found
}

// None reports whether the statement names no day.
func (d Days) None() bool { return len(d.Spans)+len(d.Weekly) == 0 }

func dayOfTime(t time.Time) time.Time {
	t = t.UTC()
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
}
