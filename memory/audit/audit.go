package audit

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/ctx-mcp/ctx-mcp/redact"
)

// Options sets the thresholds of the checks. Now and Redact are required.
type Options struct {
	Now time.Time
	// Redact hides the secrets of a text and lists them.
	Redact func(text string) (redacted string, found []redact.Finding)
	// Coexists reports whether a slot of the predicate holds several values at a time; nil: none does.
	Coexists         func(predicate string) bool
	Similarity       float64       // from which two texts are near duplicates, above 0 to 1; default 0.8
	MaxLength        int           // characters, above which a memory is oversized; default 4000
	UnconfirmedAfter time.Duration // after which a memory that was not said again is stale; default a year
	UnusedAfter      time.Duration // after which a memory should have been recalled; default 30 days
}

// day is the unit in which people think of ages.
const day = 24 * time.Hour

// Defaults returns the thresholds that count where an option is zero. 4000 characters are about the 1000 tokens that
// a recall returns if nobody asks for more: a longer memory is not recalled.
func Defaults() Options {
	return Options{Similarity: 0.8, MaxLength: 4000, UnconfirmedAfter: 365 * day, UnusedAfter: 30 * day}
}

func (o Options) withDefaults() Options {
	d := Defaults()
	o.Similarity = cmp.Or(o.Similarity, d.Similarity)
	o.MaxLength = cmp.Or(o.MaxLength, d.MaxLength)
	o.UnconfirmedAfter = cmp.Or(o.UnconfirmedAfter, d.UnconfirmedAfter)
	o.UnusedAfter = cmp.Or(o.UnusedAfter, d.UnusedAfter)
	if o.Coexists == nil {
		o.Coexists = func(string) bool { return false }
	}
	return o
}

// Audit takes records, one after the other, and reports on them.
type Audit struct {
	options Options
	running []examiner // in the order of checks
	counts  struct{ records, versions int }
}

// New returns an Audit that has seen nothing.
func New(o Options) *Audit {
	a := &Audit{options: o.withDefaults()}
	for _, c := range checks {
		a.running = append(a.running, c.begin(a.options))
	}
	return a
}

// Add looks at a record.
func (a *Audit) Add(r Record) {
	a.counts.versions++
	if !r.Past {
		a.counts.records++
	}
	seen := a.options.redacted(r)
	for i, c := range checks {
		if !r.Past || c.past {
			a.running[i].examine(seen)
		}
	}
}

// Report returns the findings, the worst first. The error is that of ctx.
func (a *Audit) Report(ctx context.Context) (Report, error) {
	report := Report{
		Form: Form, At: a.options.Now, Records: a.counts.records, Versions: a.counts.versions, Findings: []Finding{},
	}
	for i, c := range checks {
		found, err := a.running[i].findings(ctx)
		if err != nil {
			return Report{}, err
		}
		slices.SortStableFunc(found, worse)
		count := Count{Kind: c.Kind, Doc: c.Doc, Findings: len(found)}
		for _, f := range found {
			f.Kind = c.Kind
			count.Records += len(f.Records)
			report.Findings = append(report.Findings, f)
		}
		report.Kinds = append(report.Kinds, count)
	}
	return report, nil
}

// worse orders findings of one kind: by weight, then by place.
func worse(x, y Finding) int {
	return cmp.Or(cmp.Compare(y.weight, x.weight), comparePlaces(x.Records[0], y.Records[0]))
}
