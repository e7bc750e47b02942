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

// Subtract returns what is left of i once o is taken out: none, one or two intervals, in order.
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

// Instant returns t as it is stored: UTC, cut to microseconds, so that every store gives back what it was given.
func Instant(t time.Time) time.Time {
	if t.IsZero() {
		return time.Time{}
	}
	return t.UTC().Truncate(time.Microsecond)
}
