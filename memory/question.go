package memory

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/analysis"
)

// question is what a question asks for beside its words: by whom, when, how many.
type question struct {
	terms    []string        // what to look for; names of those who spoke are not among them, unless nothing else finds anything
	authors  []string        // of Found.Authors, whom it asks about
	side     side            // which side of a conversation with an assistant it asks about
	cues     []cue           // kinds of answers that it asks for
	related  map[string]bool // terms of other words for what it asks advice on
	standing bool            // it asks how things stand with the one who asks
	present  bool            // it asks for what is, not for what was
	dates    dates
}

// side is one side of a conversation between a user and an assistant.
type side int

const (
	noSide side = iota
	userSide
	assistantSide
)

var (
	// asksPresent matches a question for what stands now, or for advice by it; asksPast one for what became of something.
	asksPresent = regexp.MustCompile(`(?i)\b(suggest\w*|recommend\w*|remain\w*|still|current(ly)?|upcoming|next|left to|pending|outstanding|` +
		`to-?do|tasks|should i|right now|nowadays|these days|now|do (i|we) (have|own|need|like|prefer|use|want))\b`)
	asksPast = regexp.MustCompile(`(?i)\b(finish\w*|complete\w*|done|did|was|were|had|used to|sold|cancel\w*|no longer|any ?more|former(ly)?|` +
		`previous(ly)?|before|past|ago|happened|ever|stop\w*|quit|chang\w+)\b`)
	// asksStanding matches a question about a state that lasts: how much by now, where, since when, which.
	asksStanding = regexp.MustCompile(`(?i)\b(do|does|am|is|are|have|has|currently|now|'s)\b.*\b(i|my|we|our)\b|\bmy (current|new|latest)\b|\b(i|my|we|our)\b.*\b(is|are|have|has|do|currently|now)\b`)
	asksBefore   = regexp.MustCompile(`(?i)\b(did|was|were|had|previous(ly)?|former(ly)?|before|first|initial(ly)?|earlier|originally|used to|ago|last (week|month|year|time)|when|total|in all|altogether|` +
		`between|compared|suggest\w*|recommend\w*|order)\b`)
	// asksAssistant matches a question about what the assistant itself said before.
	asksAssistant = regexp.MustCompile(`(?i)\b(you (said|told|recommended|suggested|mentioned|provided|gave|listed|wrote|` +
		`created|shared|explained|advised|described|helped|made|showed)|did you|remind me|you were|` +
		`your (suggestion|recommendation|advice|list)|(our|the) (previous|last|earlier) (chat|conversation|discussion)|` +
		`we (discussed|talked|chatted))\b`)
	firstPerson = regexp.MustCompile(`(?i)\b(i|my|me|mine|i'm|i've|i'd)\b`)
)

// read understands a question that is asked at an instant of what a search found.
func read(text string, at time.Time, found Found) question {
	q := question{
		terms: analysis.Query(text), cues: cuesOf(text), dates: datesIn(text, at),
		standing: asksStanding.MatchString(text) && !asksBefore.MatchString(text),
		present:  asksPresent.MatchString(text) && !asksPast.MatchString(text),
	}
	if slices.Contains(found.Authors, "assistant") {
		if q.side = sideOf(text); q.side == assistantSide {
			q.cues = nil // what was answered is of any kind
		}
		q.related = related(q.cues, q.terms)
		return q
	}
	q.findAuthors(found)
	if len(q.authors) > 0 {
		q.cues = slices.DeleteFunc(q.cues, func(c cue) bool { return c.own })
	}
	return q
}

func sideOf(text string) side {
	switch {
	case asksAssistant.MatchString(text):
		return assistantSide
	case firstPerson.MatchString(text):
		return userSide
	default:
		return noSide
	}
}

// findAuthors takes the names of authors out of the terms, unless nothing else finds anything. As words they would favour
// greetings.
func (q *question) findAuthors(found Found) {
	named := map[string]bool{}
	for _, author := range found.Authors {
		parts := analysis.Terms(author)
		asked := slices.ContainsFunc(parts, func(p string) bool { return slices.Contains(q.terms, p) })
		if asked {
			q.authors = append(q.authors, author)
			for _, p := range parts {
				named[p] = true
			}
		}
	}
	rest := slices.DeleteFunc(slices.Clone(q.terms), func(t string) bool { return named[t] })
	if slices.ContainsFunc(rest, func(t string) bool { return found.Frequency[t] > 0 }) {
		q.terms = rest
	}
}

// dates is what a question says of a date: any of the months, years and days of the month.
type dates struct {
	months []time.Month
	years  []int
	days   []int
}

var (
	yearForm  = regexp.MustCompile(`\b(19|20)\d\d\b`)
	dayForm   = regexp.MustCompile(`\b(\d{1,2})(?:st|nd|rd|th)?\b`)
	monthMay  = regexp.MustCompile(`\bMay\b`) // "may" is a verb more often than a month
	relative  = regexp.MustCompile(`(?i)\b(last|this|next) (week|month|year)\b|\b(yesterday|today)\b`)
	monthForm = func() *regexp.Regexp {
		names := make([]string, 12)
		for m := range names {
			names[m] = strings.ToLower(time.Month(m + 1).String())
		}
		return regexp.MustCompile(`(?i)\b(` + strings.Join(names, "|") + `)\b`)
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

// said returns when an object was said: when it was observed, else when it begins to be true.
func said(o ctxmcp.ContextObject) time.Time {
	if !o.ObservedAt.IsZero() {
		return o.ObservedAt
	}
	return o.ValidFrom
}
