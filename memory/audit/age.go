package audit

import (
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

// stale looks at the three ways in which a memory grows old; the first that applies is reported.
var stale = Check{
	Kind: Stale,
	Doc:  "no longer true, faded, or not said again for long: confirm it, or end it",
	begin: each(func(o Options, r *record) (string, float64) {
		for _, way := range []func(Options, *record) (string, time.Duration){ended, faded, unconfirmed} {
			if why, age := way(o, r); why != "" {
				return why, age.Hours()
			}
		}
		return "", 0
	}),
	samples: []sample{
		{[]Record{{ID: "a", Content: "x", Valid: ctxmcp.Interval{To: sampleNow}}}, []string{"its time ended on 2026-01-01: a"}},
		{[]Record{{ID: "a", Content: "x", Valid: ctxmcp.Interval{To: sampleNow.Add(1)}}}, nil},
		{[]Record{{ID: "a", Content: "x", Valid: ctxmcp.Interval{To: sampleNow}, Replaced: true}}, nil},
		{[]Record{{ID: "a", Content: "x", FadesAt: sampleNow.Add(-day)}}, []string{"its confidence fell below its threshold on 2025-12-31: a"}},
		{[]Record{{ID: "a", Content: "x", FadesAt: sampleNow.Add(1)}}, nil},
		{[]Record{{ID: "a", Content: "x", Confirmed: sampleNow.Add(-366 * day)}, {ID: "b", Content: "y", Recorded: sampleNow.Add(-500 * day)}},
			[]string{"not said again since 2024-08-19: b", "not said again since 2024-12-31: a"}},
		{[]Record{{ID: "a", Content: "x", Recorded: sampleNow.Add(-500 * day), Confirmed: sampleNow.Add(-365 * day)}, {ID: "b", Content: "no times"}}, nil},
		{[]Record{{ID: "a", Content: "x", Past: true, Recorded: sampleNow.Add(-500 * day)}}, nil},
	},
}

// sampleNow is the instant of the samples.
var sampleNow = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func ended(o Options, r *record) (string, time.Duration) {
	if r.Replaced || r.Valid.To.IsZero() || r.Valid.To.After(o.Now) {
		return "", 0
	}
	return "its time ended on " + date(r.Valid.To), o.Now.Sub(r.Valid.To)
}

func faded(o Options, r *record) (string, time.Duration) {
	if r.FadesAt.IsZero() || r.FadesAt.After(o.Now) {
		return "", 0
	}
	return "its confidence fell below its threshold on " + date(r.FadesAt), o.Now.Sub(r.FadesAt)
}

func unconfirmed(o Options, r *record) (string, time.Duration) {
	since := r.said()
	if r.Replaced || since.IsZero() || o.Now.Sub(since) <= o.UnconfirmedAfter {
		return "", 0
	}
	return "not said again since " + date(since), o.Now.Sub(since)
}

// said returns when the memory was last said, as far as is known.
func (r *record) said() time.Time {
	if r.Confirmed.IsZero() {
		return r.Recorded
	}
	return r.Confirmed
}

func date(t time.Time) string { return t.UTC().Format(time.DateOnly) }

var unrecalled = Check{
	Kind: Unrecalled,
	Doc:  "never recalled: nobody needed it, or nothing finds it",
	begin: each(func(o Options, r *record) (string, float64) {
		age := o.Now.Sub(r.Recorded)
		if !r.CountsUse || !r.Used.IsZero() || r.Recorded.IsZero() || age <= o.UnusedAfter {
			return "", 0
		}
		return "never recalled since " + date(r.Recorded), age.Hours()
	}),
	samples: []sample{
		{[]Record{{ID: "a", Content: "x", CountsUse: true, Recorded: sampleNow.Add(-31 * day)}}, []string{"never recalled since 2025-12-01: a"}},
		{[]Record{
			{ID: "a", Content: "x", CountsUse: true, Recorded: sampleNow.Add(-30 * day)},
			{ID: "b", Content: "x", CountsUse: true, Recorded: sampleNow.Add(-90 * day), Used: sampleNow.Add(-80 * day)},
			{ID: "c", Content: "x", Recorded: sampleNow.Add(-90 * day)},
			{ID: "d", Content: "x", CountsUse: true},
		}, nil},
	},
}
