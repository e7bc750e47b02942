package audit

import "context"

// Kind names the fault that a check looks for. Words are sent and typed: append only, never rename.
type Kind string

// The kinds, the worst first.
const (
	Secret        Kind = "secret"
	Contradiction Kind = "contradiction"
	Duplicate     Kind = "duplicate"
	NearDuplicate Kind = "near_duplicate"
	Stale         Kind = "stale"
	Oversized     Kind = "oversized"
	Unrecalled    Kind = "unrecalled"
)

// Kinds lists the vocabulary in the order of the checks.
func Kinds() []Kind {
	var all []Kind
	for _, c := range checks {
		all = append(all, c.Kind)
	}
	return all
}

// Check is one thing that an audit looks for. Every change of it is tested with its samples.
type Check struct {
	Kind    Kind
	Doc     string // the fault, and the remedy
	past    bool   // past versions too
	begin   func(Options) examiner
	samples []sample
}

// examiner is a check at work: it sees every record once, and then returns its findings.
type examiner interface {
	examine(*record)
	findings(context.Context) ([]Finding, error)
}

// sample is a list of records with the findings of a check: the reason of each, with the ids of its records.
type sample struct {
	records []Record
	want    []string
}

// checks lists them, the worst first.
var checks = []Check{
	secrets,
	contradictions,
	duplicates,
	nearDuplicates,
	stale,
	oversized,
	unrecalled,
}

// Checks returns the table.
func Checks() []Check { return append([]Check(nil), checks...) }

// each is a check that needs no record but the one that it looks at. It returns why something is wrong with the record,
// and how wrong it is; "" is nothing.
func each(why func(Options, *record) (why string, weight float64)) func(Options) examiner {
	return func(o Options) examiner { return &single{options: o, why: why} }
}

type single struct {
	options Options
	why     func(Options, *record) (string, float64)
	found   []Finding
}

func (s *single) examine(r *record) {
	if why, weight := s.why(s.options, r); why != "" {
		s.found = append(s.found, Finding{Why: why, Records: []Place{r.place}, weight: weight})
	}
}

func (s *single) findings(context.Context) ([]Finding, error) { return s.found, nil }
