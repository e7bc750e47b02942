package compiler

import (
	"maps"
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/containment"
)

// The validation statuses. The words are sent: append only.
const (
	StatusClean    = "CLEAN"
	StatusWarnings = "WARNINGS"
)

// trace writes a row for every candidate, and the figures of the compile.
func (s *state) trace() {
	t := &s.out.Trace
	t.Task = s.in.Request.TaskType
	t.Compiled, t.Omitted, t.Quarantined = []Compiled{}, []Omitted{}, []Quarantined{}
	for _, it := range s.items {
		switch {
		case it.drop == nil:
			t.Compiled = append(t.Compiled, s.compiledRow(it))
		case it.drop.quarantine != "":
			t.Quarantined = append(t.Quarantined, quarantinedRow(it))
		default:
			t.Omitted = append(t.Omitted, omittedRow(it))
		}
	}
	if t.Conflicts == nil {
		t.Conflicts = []Conflict{}
	}
	s.estimate()
	s.cache()
	s.warnOfConflicts()
	t.Status = StatusClean
	if len(s.out.Warnings) > 0 {
		t.Status = StatusWarnings
	}
}

// warnOfConflicts says that what was asked is known, and held back: without it a model would answer that nothing is known.
func (s *state) warnOfConflicts() {
	bySlot := map[string]int{}
	for _, it := range s.items {
		if it.drop != nil && (it.drop.reason == InConflict || it.drop.reason == Unresolved) {
			about := "a matter of the question"
			if c := it.Object.Claim; !c.IsZero() {
				about = containment.OneLine(c.Subject + " (" + c.Predicate + ")")
			}
			bySlot[about]++
		}
	}
	for _, about := range slices.Sorted(maps.Keys(bySlot)) {
		s.warn(plural(bySlot[about], "claim") + " about " + about + " held back, because of a contradiction: review lists what a person has to decide")
	}
}

func (s *state) compiledRow(it *item) Compiled {
	o := it.Object
	return Compiled{
		ObjectID: it.id(), Version: o.Version, Kind: it.Kind, ObjectType: o.ObjectType, Authority: o.Authority, SourceOrigin: o.SourceOrigin,
		SourceAuthority: o.SourceAuthority, Confidence: ctxmcp.Round(o.Confidence(s.heldAt())), Classification: o.Classification,
		ContradictionStatus: o.ContradictionStatus, Tier: it.tier, CompiledAs: Rungs()[it.rung], Rung: it.rung, Why: it.why,
		Form: it.forms[it.form].Name, Zone: it.zone, Relevance: ctxmcp.Round(it.Relevance), Tokens: it.tokens,
		AttachedTo: it.attached, Affinity: ctxmcp.Round(it.affinity),
	}
}

func omittedRow(it *item) Omitted {
	row := Omitted{ObjectID: it.id(), Version: it.Object.Version, Kind: it.Kind, Stage: it.drop.stage, Reason: it.drop.reason,
		Tier: it.tier, Detail: it.drop.detail, By: it.drop.by, Relevance: ctxmcp.Round(it.Relevance)}
	if it.drop.reason == Expired {
		row.ValidUntil = it.Object.ValidUntil
	}
	return row
}

func quarantinedRow(it *item) Quarantined {
	return Quarantined{ObjectID: it.id(), Version: it.Object.Version, Kind: it.Kind, Stage: it.drop.stage, Reason: it.drop.reason,
		ContradictionStatus: it.drop.quarantine, By: it.drop.by, Detail: it.drop.detail}
}

// estimate judges the output by the relevance of what is in it: precision is the share of the tokens of memory that bears on
// the question, weighed by relevance to the best; recall the share of all relevance that was found and is in.
func (s *state) estimate() {
	t := &s.out.Trace
	tokens, relevant, in, all := 0.0, 0.0, 0.0, 0.0
	for _, it := range s.items {
		if it.drop == nil || it.drop.reason == OverBudget || it.drop.reason == IrrelevantTask {
			all += it.Relevance
		}
		if it.drop != nil || it.Kind != KindMemory {
			continue
		}
		in += it.Relevance
		share := it.share
		if it.tier == Critical || it.rung >= 4 {
			share = 1
		}
		tokens, relevant = tokens+float64(it.tokens), relevant+float64(it.tokens)*min(share, 1)
	}
	t.Metrics.Precision, t.Metrics.Recall = judged(relevant, tokens), judged(in, all)
	t.Retrieval.QueryHash = "qry-" + ctxmcp.Digest(s.in.Request.Query)[:8]
	t.Retrieval.Retrieved, t.Retrieval.Compiled = len(s.items), len(t.Compiled)
	t.Retrieval.Precision = t.Metrics.Precision
}

// judged returns a share; nil of nothing.
func judged(part, whole float64) *float64 {
	if whole == 0 {
		return nil
	}
	share := ctxmcp.Round(part / whole)
	return &share
}

func ratio(part, whole float64) float64 {
	if whole == 0 {
		return 0
	}
	return ctxmcp.Round(part / whole)
}

// cache says what a provider can keep, and what the next compile of the session has to begin with.
func (s *state) cache() {
	c := &s.out.Trace.Cache
	caller, r := s.in.Caller, s.in.Request
	c.Key = "ctx-" + ctxmcp.Digest(caller.Tenant + "\x00" + r.Scope.Project + "\x00" + r.Model)[:16]
	c.StaticTokens = s.zoneTokens(ZoneSystem) + s.zoneTokens(ZonePolicy)
	c.HistoryTokens, c.DynamicTokens = s.zoneTokens(ZoneHistory), s.zoneTokens(ZoneDynamic)
	c.Minimum, c.Rebuilt = cacheMinimum(r.Model), s.rebuilt
	prefix := []*item{}
	for _, it := range s.live() {
		switch it.section {
		case rulesSection, toolsSection:
			prefix = append(prefix, it)
		case appendedSection:
			c.Appended = append(c.Appended, it.id())
		}
	}
	slices.SortFunc(prefix, s.compareInSection)
	for _, it := range prefix {
		s.out.Pins = append(s.out.Pins, it.pin())
	}
	s.out.Trace.Metrics.CacheableShare = ratio(float64(c.StaticTokens+c.HistoryTokens), float64(s.out.Tokens))
}

// Row is a candidate's row in a trace.
type Row struct {
	Fate        string       `json:"fate"` // compiled, omitted or quarantined
	Compiled    *Compiled    `json:"compiled,omitempty"`
	Omitted     *Omitted     `json:"omitted,omitempty"`
	Quarantined *Quarantined `json:"quarantined,omitempty"`
}

// Fates returns the row of every candidate, by the version.
func (t Trace) Fates() map[Pin]Row {
	all := map[Pin]Row{}
	for i, c := range t.Compiled {
		all[Pin{ObjectID: c.ObjectID, Version: c.Version}] = Row{Fate: "compiled", Compiled: &t.Compiled[i]}
	}
	for i, o := range t.Omitted {
		all[Pin{ObjectID: o.ObjectID, Version: o.Version}] = Row{Fate: "omitted", Omitted: &t.Omitted[i]}
	}
	for i, q := range t.Quarantined {
		all[Pin{ObjectID: q.ObjectID, Version: q.Version}] = Row{Fate: "quarantined", Quarantined: &t.Quarantined[i]}
	}
	return all
}
