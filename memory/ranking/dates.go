package ranking

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// dates holds the months, years and days of the month that a question names.
type dates struct {
	months []time.Month
	years  []int
	days   []int
}

var (
	yearForm  = language.NewPattern(`\b(19|20)\d\d\b`)
	dayForm   = language.NewPattern(`\b(\d{1,2})(?:st|nd|rd|th)?\b`)
	monthMay  = language.NewPattern(`\bMay\b`) // "may" is a verb more often than a month
	relative  = language.NewPattern(`(?i)\b(last|this|next) (week|month|year)\b|\b(yesterday|today)\b`)
	monthForm = func() *language.Pattern {
		names := make([]string, 12)
		for m := range names {
			names[m] = strings.ToLower(time.Month(m + 1).String())
		}
		return language.NewPattern(`(?i)\b(` + strings.Join(names, "|") + `)\b`)
	}()
)

// datesIn reads the date that a question names, or means relative to the instant at which it is asked.
func datesIn(text string, at time.Time) dates {
	var d dates
	for _, name := range monthForm.FindAllString(text, -1) {
		for m := time.January; m <= time.December; m++ {
			if strings.EqualFold(m.String(), name) && (m != time.May || monthMay.MatchString(text)) {
				d.months = append(d.months, m)
			}
		}
	}
	for _, year := range yearForm.FindAllString(text, -1) {
		y, _ := strconv.Atoi(year) // four digits
		d.years = append(d.years, y)
	}
	if len(d.months) > 0 {
		for _, m := range dayForm.FindAllStringSubmatch(text, -1) {
			if day, _ := strconv.Atoi(m[1]); day >= 1 && day <= 31 {
				d.days = append(d.days, day)
			}
		}
		return d
	}
	if m := relative.FindStringSubmatch(text); m != nil && len(d.years) == 0 {
		d.add(strings.ToLower(strings.TrimSpace(m[1]+" "+m[2]+m[3])), at)
	}
	return d
}

// add resolves an expression relative to an instant.
func (d *dates) add(expression string, at time.Time) {
	shift := map[string][3]int{
		"last week": {0, 0, -7}, "this week": {}, "next week": {0, 0, 7}, "last month": {0, -1, 0}, "this month": {},
		"next month": {0, 1, 0}, "last year": {-1, 0, 0}, "this year": {}, "next year": {1, 0, 0}, "yesterday": {0, 0, -1}, "today": {},
	}[expression]
	then := at.AddDate(shift[0], shift[1], shift[2])
	d.years = append(d.years, then.Year())
	if strings.HasSuffix(expression, "year") {
		return
	}
	d.months = append(d.months, then.Month())
	if !strings.HasSuffix(expression, "month") {
		d.days = append(d.days, then.Day())
	}
}

// agreement returns how well an instant agrees with the dates, from -0.6 for another month and year to 1.1.
func (d dates) agreement(t time.Time) float64 {
	sum := 0.0
	if len(d.months) > 0 {
		if slices.Contains(d.months, t.Month()) {
			sum += 0.6
			sum += 0.4 * d.nearness(t.Day())
		} else {
			sum -= 0.3
		}
	}
	if len(d.years) > 0 {
		if slices.Contains(d.years, t.Year()) {
			sum += 0.1
		} else {
			sum -= 0.3
		}
	}
	return sum
}

// nearness falls from 1 on a named day to 0 a week away.
func (d dates) nearness(day int) float64 {
	best := 0.0
	for _, named := range d.days {
		away := float64(max(day-named, named-day))
		best = max(best, 1-away/7)
	}
	return best
}
