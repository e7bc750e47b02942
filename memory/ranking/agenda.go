package ranking

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/language"
	"github.com/ctx-mcp/ctx-mcp/memory/change"
)

// A question for an agenda asks for all appointments of a stretch of time that has not ended: "what's on tomorrow?". A statement answers it by naming a day
// of that time, whatever its other words.

// aheadForms are the ways in which a question names a time to come, beside those of toldForms. Samples have the same form.
var aheadForms = [...]struct {
	form    *language.Pattern
	stretch func(match []string, at time.Time) ctxmcp.Interval
	sample  string
}{
	{language.NewPattern(`(?i)\b(next)? ?week-?end\b`), func(m []string, at time.Time) ctxmcp.Interval {
		saturday := dayOf(at).AddDate(0, 0, (int(time.Saturday)-int(at.Weekday())+7)%7)
		if at.Weekday() == time.Sunday {
			saturday = saturday.AddDate(0, 0, -7)
		}
		if m[1] != "" {
			saturday = saturday.AddDate(0, 0, 7)
		}
		return ctxmcp.Interval{From: saturday, To: saturday.AddDate(0, 0, 2)}
	}, "what's on at the weekend? => 2026-11-21, 2026-11-23"},
	{language.NewPattern(`(?i)\b(?:tonight|this (?:morning|afternoon|evening))\b`), func(_ []string, at time.Time) ctxmcp.Interval { return running("today", at, 0) },
		"anything planned for tonight? => 2026-11-20, 2026-11-21"},
	{language.NewPattern(`(?i)\b(?:next|coming) (\d{1,2}|two|three|four|five|six|seven|ten|few|couple of) (day|week|month)s\b`), func(m []string, at time.Time) ctxmcp.Interval {
		return ctxmcp.Interval{From: dayOf(at), To: back(dayOf(at), m[2], -count(m[1]))}
	}, "what is coming up in the next three days? => 2026-11-20, 2026-11-23"},
	{language.NewPattern(`(?i)\b(monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b`), func(m []string, at time.Time) ctxmcp.Interval {
		day := dayOf(at)
		for !strings.EqualFold(day.Weekday().String(), m[1]) {
			day = day.AddDate(0, 0, 1)
		}
		return ctxmcp.Interval{From: day, To: day.AddDate(0, 0, 1)}
	}, "what's happening on Monday? => 2026-11-23, 2026-11-24"},
}

// agendaWords are the terms of the words that such a question is made of, and agendaForm matches one.
var (
	agendaWords = language.Requests.Row("agenda_words").Terms()
	agendaForm  = requested(`(?i)\b%s\b`, "agenda")
)

// agendaOf returns the time of the agenda for which a question asks; the zero interval if it asks for none.
func agendaOf(text string, terms []string, told ctxmcp.Interval, at time.Time) ctxmcp.Interval {
	if !agendaForm.MatchString(text) || slices.ContainsFunc(terms, func(t string) bool { return !agendaWords.Has(t) && !stopTerms.Has(t) }) {
		return ctxmcp.Interval{}
	}
	for _, f := range aheadForms {
		if m := f.form.FindStringSubmatch(text); m != nil {
			told = f.stretch(m, at.UTC())
			break
		}
	}
	today := dayOf(at.UTC())
	if told == (ctxmcp.Interval{}) || !told.To.After(today) || told.From.Before(today) && !told.Contains(ctxmcp.Instant(at)) {
		return ctxmcp.Interval{}
	}
	if told.From.Before(today) { // what was on Monday is no plan of this week on Friday
		told.From = today
	}
	return told
}

// longestNamed is the number of days of an agenda up to which each is searched for by its number and its day of the week.
const longestNamed = 14

// AsksAgenda reports whether the question asks for all that is on in a time to come.
func (q Question) AsksAgenda() bool { return q.agenda != ctxmcp.Interval{} }

// AgendaTerms returns the terms in which statements name the days of the agenda that the question asks for, to search for beside its own.
func (q Question) AgendaTerms() []string {
	if q.agenda == (ctxmcp.Interval{}) {
		return nil
	}
	words := []string{"tomorrow", "every"}
	named := q.agenda.To.Sub(q.agenda.From) <= longestNamed*24*time.Hour
	for day := q.agenda.From; day.Before(q.agenda.To); day = day.AddDate(0, 0, 1) {
		words = append(words, day.Month().String())
		if named {
			words = append(words, day.Format("2"), day.Weekday().String(), day.Weekday().String()+"s", day.Format(time.DateOnly))
		}
	}
	return language.Terms(strings.Join(words, " "))
}

// days returns the days that a statement names.
func (e *Evidence) days(i int) change.Days {
	if e.texts[i] == nil {
		return change.Days{}
	}
	return e.texts[i].change().Days()
}

// isOn reports whether a candidate names a day of the agenda that the question asks for.
func (e *Evidence) isOn(i int) bool {
	if e.q.agenda == (ctxmcp.Interval{}) {
		return false
	}
	_, on := e.days(i).In(e.q.agenda)
	return on
}

// surelyOn is the least relevance of a statement that names a day of the agenda.
const surelyOn = 0.6

// schedule returns the ranked candidates of the agenda, by day, and their number. If there is none it returns those that name no other day, and 0.
func (e *Evidence) schedule(ranked []scored) (kept []scored, on int) {
	if e.q.agenda == (ctxmcp.Interval{}) {
		return ranked, 0
	}
	first := map[int]time.Time{}
	var rest []scored
	for _, r := range ranked {
		days := e.days(r.number)
		if day, is := days.In(e.q.agenda); is {
			first[r.number] = day
			r.relevance = max(r.relevance, surelyOn)
			kept = append(kept, r)
		} else if days.None() {
			rest = append(rest, r)
		}
	}
	if len(kept) == 0 {
		return rest, 0
	}
	slices.SortStableFunc(kept, func(a, b scored) int {
		return cmp.Or(first[a.number].Compare(first[b.number]), better(a, b))
	})
	return kept, len(kept)
}
