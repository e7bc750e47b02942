package ctxmcp_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

var noon = time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)

// hour returns the instant n hours after noon; 0 is the zero time, which has no beginning and no end.
func hour(n int) time.Time {
	if n == 0 {
		return time.Time{}
	}
	return noon.Add(time.Duration(n) * time.Hour)
}

func intervals(hours int) []ctxmcp.Interval {
	var all []ctxmcp.Interval
	for from := range hours {
		for to := range hours {
			all = append(all, ctxmcp.Interval{From: hour(from), To: hour(to)})
		}
	}
	return all
}

// TestIntervalsByInstants checks every pair of intervals over few instants, by asking at every half hour: the rest of
// one without the other holds each of its other instants once, and the words about pairs follow.
func TestIntervalsByInstants(t *testing.T) {
	const hours = 6
	for _, i := range intervals(hours) {
		for _, o := range intervals(hours) {
			rest, inI, both := i.Subtract(o), false, false
			for h := range 2*hours + 2 {
				at := noon.Add(time.Duration(h) * 30 * time.Minute)
				held := 0
				for _, r := range rest {
					if r.Contains(at) {
						held++
					}
				}
				want := 0
				if i.Contains(at) && !o.Contains(at) {
					want = 1
				}
				if held != want {
					t.Fatalf("%v minus %v holds %v %d times, want %d: %v", i, o, at, held, want, rest)
				}
				inI = inI || i.Contains(at)
				both = both || i.Contains(at) && o.Contains(at)
			}
			if i.Empty() == inI || i.Overlaps(o) != both {
				t.Errorf("%v: Empty = %v; Overlaps(%v) = %v, want %v and %v", i, i.Empty(), o, i.Overlaps(o), !inI, both)
			}
			checkPieces(t, i, o, rest)
		}
	}
}

// checkPieces: no piece is empty, and they come in order.
func checkPieces(t *testing.T, i, o ctxmcp.Interval, rest []ctxmcp.Interval) {
	t.Helper()
	for n, r := range rest {
		if r.Empty() || n > 0 && (rest[n-1].To.IsZero() || r.From.Before(rest[n-1].To)) {
			t.Errorf("%v minus %v = %v, which is out of order or holds an empty piece", i, o, rest)
		}
	}
}

func TestInstant(t *testing.T) {
	at := time.Date(2026, 1, 31, 13, 0, 0, 123_456_789, time.FixedZone("CET", 3600))
	got := ctxmcp.Instant(at)
	if want := time.Date(2026, 1, 31, 12, 0, 0, 123_456_000, time.UTC); got != want {
		t.Errorf("Instant(%v) = %v, want %v", at, got, want)
	}
	if again := ctxmcp.Instant(got); again != got {
		t.Errorf("Instant(%v) = %v, want it unchanged", got, again)
	}
	if now := time.Now(); ctxmcp.Instant(now) != ctxmcp.Instant(now.Round(0)) {
		t.Error("Instant keeps the reading of the monotonic clock")
	}
	if zero := ctxmcp.Instant(time.Time{}.In(time.FixedZone("CET", 3600))); zero != (time.Time{}) {
		t.Errorf("Instant of the zero time = %v, want the zero time", zero)
	}
}

func TestParseInstant(t *testing.T) {
	for text, want := range map[string]time.Time{
		"2026-01-31T12:00:00Z":           noon,
		"2026-01-31T13:00:00+01:00":      noon,
		"2026-01-31T12:00:00.000000999Z": noon,
		"2026-01-31T12:00:00.000001Z":    noon.Add(time.Microsecond),
		"2026-01-31T12:00:00":            noon,
		"2026-01-31T12:00":               noon,
		"2026-01-31 12:00:00":            noon,
		"2026-01-31 12:00":               noon,
		"2026-01-31":                     noon.Add(-12 * time.Hour),
		"0001-01-01T00:00:01Z":           time.Date(1, 1, 1, 0, 0, 1, 0, time.UTC),
		"9999-12-31T23:59:59Z":           time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC),
	} {
		if got, err := ctxmcp.ParseInstant(text); err != nil || got != want {
			t.Errorf("ParseInstant(%q) = %v, %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{
		"", "now", "yesterday", "2026", "2026-13-01", "2026-02-30T00:00:00Z", "2026-01-31T25:00:00Z", " 2026-01-31", "1769860800",
		"2026-01-31T12:00:00Z; DROP TABLE versions",
		"0001-01-01T00:00:00Z",      // reads as "not given"
		"0000-01-01T00:00:00+14:00", // lies outside the years that RFC 3339 can write
		"9999-12-31T23:59:59-14:00",
	} {
		got, err := ctxmcp.ParseInstant(text)
		if wantError(t, err, ctxmcp.CodeInvalid, "time"); !got.IsZero() {
			t.Errorf("ParseInstant(%q) = %v beside an error, want the zero time", text, got)
		}
	}
}

// FuzzParseInstant: an instant is read in the form in which it is stored, and can be written and read again.
func FuzzParseInstant(f *testing.F) {
	for _, text := range []string{"2026-01-31T12:00:00.5+14:00", "2026-01-31", "9999-12-31T23:59:59-14:00", "0000-01-01T00:00:00+01:00"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		at, err := ctxmcp.ParseInstant(text)
		if err != nil {
			return
		}
		if at.IsZero() || ctxmcp.Instant(at) != at {
			t.Fatalf("ParseInstant(%q) = %v, which is not as it is stored", text, at)
		}
		if again, err := ctxmcp.ParseInstant(at.Format(time.RFC3339Nano)); err != nil || again != at {
			t.Fatalf("%q is read as %v and then as %v, %v", text, at, again, err)
		}
		if _, err := json.Marshal(at); err != nil {
			t.Fatalf("%q is read as %v, which cannot be sent: %v", text, at, err)
		}
	})
}
