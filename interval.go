package ctxmcp

import "time"

// Interval is half-open, [From, To), in UTC at microseconds. A zero From has no beginning; a zero To has no end.
type Interval struct{ From, To time.Time }

// Contains reports whether t lies in the interval.
func (i Interval) Contains(t time.Time) bool {
	return !t.Before(i.From) && (i.To.IsZero() || t.Before(i.To))
}

// Empty reports whether no instant lies in the interval.
func (i Interval) Empty() bool { return !i.To.IsZero() && !i.From.Before(i.To) }

// Overlaps reports whether some instant lies in both.
func (i Interval) Overlaps(o Interval) bool {
	return !i.Empty() && !o.Empty() &&
		(i.To.IsZero() || o.From.Before(i.To)) && (o.To.IsZero() || i.From.Before(o.To))
}

// Subtract returns the rest of i once o is taken out: none, one or two intervals, in order.
func (i Interval) Subtract(o Interval) []Interval {
	if !i.Overlaps(o) {
		if i.Empty() {
			return nil
		}
		return []Interval{i}
	}
	var rest []Interval
	if i.From.Before(o.From) {
		rest = append(rest, Interval{i.From, o.From})
	}
	if !o.To.IsZero() && (i.To.IsZero() || o.To.Before(i.To)) {
		rest = append(rest, Interval{o.To, i.To})
	}
	return rest
}

// Instant returns t as it is stored: UTC, cut to microseconds, so that every store gives back the same instant.
func Instant(t time.Time) time.Time {
	if t.IsZero() {
		return time.Time{}
	}
	return t.UTC().Truncate(time.Microsecond)
}

// Representable reports whether RFC 3339, and so JSON, can write t in UTC: whether it lies in the years 1 to 9999.
func Representable(t time.Time) bool {
	year := t.UTC().Year()
	return 1 <= year && year <= 9999
}

// instantForms are the forms in which a caller may write an instant, the standard one first. A form without a zone is UTC.
var instantForms = [...]string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02"}

// ParseInstant reads an instant in RFC 3339, or in a form of it that leaves out the zone or the time of day. It returns
// a CodeInvalid Error for any other text, and for an instant that is not Representable. The first instant of year 1 is
// refused too: it stands for "not given".
func ParseInstant(text string) (time.Time, error) {
	for _, form := range instantForms {
		if t, err := time.Parse(form, text); err == nil {
			t = Instant(t)
			if t.IsZero() || !Representable(t) {
				return time.Time{}, Errorf(CodeInvalid, "a time outside the years 1 to 9999")
			}
			return t, nil
		}
	}
	return time.Time{}, Errorf(CodeInvalid, "not a time").WithHint("write it as 2026-01-31T09:00:00Z")
}
