package change

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// This file tells from when on a change holds that is yet to come: "the rent goes up in January 2027", "from Monday on". Until then the older
// statement holds.

// future is the time from which on a statement holds, by its own words.
type future struct {
	told  bool      // it tells of something yet to come
	from  time.Time // the day it begins; zero if none is named
	plain bool      // the day is named by a word that can only tell from when on: "from", and not "on"
}

// Begins returns the day from which on the newer statement takes the place of the older one, and whether it tells of something yet to come. The day
// is zero where none is named, or where it is the value that changed: "the concert is on 5 July".
func Begins(older, newer *Reading) (from time.Time, coming bool) {
	f := newer.future
	switch {
	case !f.told, older.future.told && older.future.from.Equal(f.from):
		return time.Time{}, false
	case f.plain, len(older.values[day]) == 0 && !older.coming, changesBeside(older, newer):
		return f.from, true
	}
	return time.Time{}, false
}

// changesBeside reports whether the newer statement has another amount or hour than the older one: then its day is no value that changed, "the rent, due on
// the 3rd, rises to 950 in January".
func changesBeside(older, newer *Reading) bool {
	for _, kind := range []valueKind{number, clock} {
		held := func(in *Reading) (all []string) {
			for i, t := range in.tokens {
				if in.detailAt(i) == kind && !slices.Contains(in.labels[t.value], t.lower) {
					all = append(all, t.text)
				}
			}
			return all
		}
		was, is := held(older), held(newer)
		if len(was) > 0 && slices.ContainsFunc(is, func(text string) bool { return !slices.Contains(was, text) }) {
			return true
		}
	}
	return false
}

// ToCome reports whether the words of a statement say that it begins on a day yet to come.
func ToCome(r *Reading) bool { return r.future.told }

// setsIn reports whether a change that is yet to come has no day: it takes nothing away.
func (p *pair) setsIn() bool {
	from, coming := Begins(p.older.Reading, p.newer.Reading)
	return coming && from.IsZero() && !p.older.cue.has(cueOpen|cueUnreal) && !p.newer.cue.has(cueInstead|cueCorrect|cueCancel)
}

// onsets are the words that say from when on.
var onsets = language.Changes.Row("onset")

// readFuture notes from when on the statement holds, if that is yet to come.
func (r *Reading) readFuture(hits []hit) {
	present := slices.ContainsFunc(r.tokens, func(t token) bool { return t.lower == "now" }) // a state of now begins on no day that its words name
	verb := r.coming || !present && slices.ContainsFunc(hits, func(h hit) bool { return h.row == "coming_verb" })
	for i, t := range r.tokens {
		plain := onsets.Has(t.lower)
		if !plain && !(verb && (t.lower == "in" || t.lower == "on")) && !(verb && t.lower == "tomorrow") {
			continue
		}
		at := i
		if t.lower != "tomorrow" {
			at = r.afterOnset(i)
		}
		from, next := r.date(at)
		if from.IsZero() && plain {
			from, next = r.nextStretch(at)
		}
		if from.IsZero() || plain && r.isSpan(next) || !from.After(r.At) {
			continue
		}
		r.future = future{true, from, plain}
		if plain && (i == 0 || r.tokens[i-1].clause != t.clause) { // it begins with the day, and speaks of the present
			r.cue, r.changes = r.cue|cueNow, true
		}
		return
	}
	for _, h := range hits {
		if after := h.from > 0 && onsets.Has(r.tokens[h.from-1].lower); h.row == "some_day" && (verb || after) {
			r.future.told, r.future.plain = true, r.future.plain || after
		}
	}
	r.future.told = r.future.told || r.coming
}

// nextStretch returns the first day of the week, month, quarter or year after the running one, if it is named at a place behind "next", and the place behind it.
func (r *Reading) nextStretch(at int) (time.Time, int) {
	if at == 0 || at >= len(r.tokens) || r.tokens[at-1].lower != "next" || r.At.IsZero() {
		return time.Time{}, at
	}
	today := dayOfTime(r.At)
	year, month, _ := today.Date()
	first := func(month time.Month) time.Time { return time.Date(year, month, 1, 0, 0, 0, 0, time.UTC) }
	switch r.tokens[at].lower {
	case "week":
		return today.AddDate(0, 0, 7-int(today.Weekday()+6)%7), at + 1 // it begins on a Monday
	case "month":
		return first(month + 1), at + 1
	case "quarter":
		return first(month + 3 - (month-1)%3), at + 1
	case "year":
		return first(13), at + 1
	}
	return time.Time{}, at
}

// afterOnset returns the place where a day may begin behind the word at i: "as of", "starting in", "from the".
func (r *Reading) afterOnset(i int) int {
	for i++; i < len(r.tokens) && leads.Has(r.tokens[i].lower); i++ {
	}
	return i
}

// leads are the words between an onset and its day.
var leads = language.Changes.Row("onset_lead")

// isSpan reports whether a day is the first of a span: "from Monday to Friday".
func (r *Reading) isSpan(next int) bool {
	return next < len(r.tokens) && (r.tokens[next].lower == "to" || r.tokens[next].lower == "until" || r.tokens[next].lower == "till")
}

// mostAhead is how far ahead a month without a year may be: of a later one the last is meant.
const mostAhead = 8

// date returns the day that is named from a place on, and the place behind it: the first of a month or a year that is named alone.
func (r *Reading) date(at int) (time.Time, int) {
	if at >= len(r.tokens) || r.At.IsZero() {
		return time.Time{}, at
	}
	today := time.Date(r.At.Year(), r.At.Month(), r.At.Day(), 0, 0, 0, 0, time.UTC)
	word := r.tokens[at].lower
	if word == "tomorrow" {
		return today.AddDate(0, 0, 1), at + 1
	}
	if d, err := time.Parse(time.DateOnly, word); err == nil {
		return d, at + 1
	}
	for d := 1; d <= 7; d++ {
		if next := today.AddDate(0, 0, d); strings.EqualFold(next.Weekday().String(), word) {
			return next, at + 1
		}
	}
	dayOf, next := r.dayNumber(at)
	month, next := r.month(next)
	if month == 0 {
		if year := r.year(at); year > 0 {
			return time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC), at + 1
		}
		return time.Time{}, at
	}
	if dayOf == 0 {
		dayOf, next = r.dayNumber(next)
	}
	named := dayOf > 0
	if !named {
		dayOf = 1
	}
	if year := r.year(next); year > 0 {
		return time.Date(year, month, dayOf, 0, 0, 0, 0, time.UTC), next + 1
	}
	d := time.Date(today.Year(), month, dayOf, 0, 0, 0, 0, time.UTC)
	if d.Before(today) && (named || month != today.Month()) {
		d = d.AddDate(1, 0, 0)
	}
	if d.After(today.AddDate(0, mostAhead, 0)) {
		return time.Time{}, next
	}
	return d, next
}

// dayNumber returns the day of a month that stands at a place, 0 if none does, and the place behind it.
func (r *Reading) dayNumber(at int) (int, int) {
	if at >= len(r.tokens) {
		return 0, at
	}
	word := r.tokens[at].lower
	n, err := strconv.Atoi(strings.TrimRight(word, "stndrh"))
	if err != nil || n < 1 || n > 31 {
		return 0, at
	}
	if at+1 < len(r.tokens) && r.tokens[at+1].lower == "of" {
		at++
	}
	return n, at + 1
}

// month returns the month that is named at a place, 0 if none is, and the place behind it.
func (r *Reading) month(at int) (time.Month, int) {
	if at < len(r.tokens) && r.tokens[at].value == day {
		for m := time.January; m <= time.December; m++ {
			if strings.EqualFold(m.String(), r.tokens[at].lower) {
				return m, at + 1
			}
		}
	}
	return 0, at
}

// year returns the year that stands at a place, 0 if none does.
func (r *Reading) year(at int) int {
	if at >= len(r.tokens) || len(r.tokens[at].lower) != 4 {
		return 0
	}
	n, err := strconv.Atoi(r.tokens[at].lower)
	if err != nil || n < 1900 || n > 2199 {
		return 0
	}
	return n
}
