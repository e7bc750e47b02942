package ctxmcp

import (
	"math"
	"slices"
	"time"
)

// ContextObject is the atomic unit of managed state: content with its whole tenure. Field names in JSON are those of the
// Context Object schema (docs/format/context-object.md), which is derived from this type; fields after the schema's own
// are additions of this system. Times are UTC at microseconds; a zero ValidUntil or TxEnd means "still".
type ContextObject struct {
	ObjectID              string              `json:"object_id" jsonschema:"format=uuid"`
	Content               string              `json:"content"`
	NormalizedClaim       string              `json:"normalized_claim"`
	ObjectType            ObjectType          `json:"object_type"`
	CanonicalEntityIDs    []string            `json:"canonical_entity_ids"`
	Aliases               []string            `json:"aliases,omitempty"`
	SourceOrigin          string              `json:"source_origin" jsonschema:"format=uri"`
	SourceAuthority       float64             `json:"source_authority" jsonschema:"minimum=0,maximum=1"`
	ConfidenceScore       float64             `json:"confidence_score" jsonschema:"minimum=0,maximum=1"`
	Classification        Classification      `json:"security_classification"`
	PermissionScope       PermissionScope     `json:"permission_scope"`
	TenantID              string              `json:"tenant_id"`
	UserID                string              `json:"user_id,omitempty"`
	ProjectID             string              `json:"project_id,omitempty"`
	SessionID             string              `json:"session_id,omitempty"`
	ValidFrom             time.Time           `json:"valid_from"`
	ValidUntil            time.Time           `json:"valid_until,omitzero" jsonschema:"nullable"`
	TxStart               time.Time           `json:"tx_start"`
	TxEnd                 time.Time           `json:"tx_end,omitzero" jsonschema:"nullable"`
	LastConfirmed         time.Time           `json:"last_confirmed,omitzero"`
	LastUsed              time.Time           `json:"last_used,omitzero"`
	WhyItMatters          string              `json:"why_it_matters"`
	ApplicableTaskTypes   []TaskType          `json:"applicable_task_types"`
	BehavioralImplication string              `json:"behavioral_implication,omitempty"`
	ContradictionStatus   ContradictionStatus `json:"contradiction_status"`
	SupersessionLink      string              `json:"supersession_link,omitempty" jsonschema:"format=uuid,nullable"`
	DecayRule             *DecayRule          `json:"decay_rule,omitempty"`
	UpdatePath            string              `json:"update_path,omitempty" jsonschema:"format=uri"`
	RetirementRule        RetirementRule      `json:"retirement_rule,omitempty"`

	FactID      string     `json:"fact_id" jsonschema:"format=uuid"`
	Version     int        `json:"version" jsonschema:"minimum=1"`
	Layer       Layer      `json:"layer"`
	TaskID      string     `json:"task_id,omitempty"`
	Claim       Claim      `json:"claim,omitzero"`
	SourceKind  SourceKind `json:"source_kind"`
	Authority   Authority  `json:"authority_level" jsonschema:"minimum=0,maximum=4"`
	Author      string     `json:"author,omitempty"`
	ObservedAt  time.Time  `json:"observed_at,omitzero"`
	DerivedFrom []string   `json:"derived_from,omitempty"`
	// Domains are the web domains that the object was learned from, itself or through its sources.
	Domains  []string `json:"origin_domains,omitempty"`
	Archived bool     `json:"archived,omitempty"`
	// ClaimExtracted says that the claim was read from the content, and not given by the caller.
	ClaimExtracted bool `json:"claim_extracted,omitempty"`
	// Ending says that the content tells only that something is over: it answers what became of the thing, not the present state.
	Ending bool `json:"ending,omitempty"`
	// Matters are the matters in which the content says how things stand by now, where it took the place of another: it is found by
	// their words too.
	Matters []string `json:"matters,omitempty"`
	// MaybeOutdatedBy is the object that probably says how things stand by now, if it is held: it is recalled before this one.
	MaybeOutdatedBy string `json:"maybe_outdated_by,omitempty" jsonschema:"format=uuid"`
	// OutdatedPart has the words of the content that this concerns, where the rest of it holds on. It is read anew for each answer, and never stored.
	OutdatedPart string `json:"-"`
	// Closing says how the version ended, once TxEnd is set. These two, MaybeOutdatedBy, LastConfirmed and LastUsed are all of a
	// version that is written later.
	Closing *Closing `json:"closing,omitempty"`
}

// Closing is how a version ended.
type Closing struct {
	Status ContradictionStatus `json:"contradiction_status"` // of the version after it was closed
	Link   string              `json:"supersession_link,omitempty" jsonschema:"format=uuid"`
	Reason string              `json:"reason"`
}

// DecayRule says how confidence fades since the last confirmation.
type DecayRule struct {
	HalfLifeDays     float64 `json:"half_life_days" jsonschema:"minimum=0"`
	MinimumThreshold float64 `json:"minimum_threshold" jsonschema:"minimum=0,maximum=1"`
}

// Clone returns a copy that shares no memory with o, but for texts.
func (o ContextObject) Clone() ContextObject {
	for _, list := range []*[]string{
		&o.CanonicalEntityIDs, &o.Aliases, &o.DerivedFrom, &o.Domains, &o.Matters, &o.PermissionScope.AllowRoles, &o.PermissionScope.DenyRoles,
	} {
		*list = slices.Clone(*list)
	}
	o.ApplicableTaskTypes = slices.Clone(o.ApplicableTaskTypes)
	if o.Closing != nil {
		o.Closing = new(*o.Closing)
	}
	if o.DecayRule != nil {
		o.DecayRule = new(*o.DecayRule)
	}
	return o
}

// Scope returns everything that the object names of its place, the parts kept as provenance included.
func (o ContextObject) Scope() Scope {
	return Scope{User: o.UserID, Project: o.ProjectID, Session: o.SessionID, Task: o.TaskID}
}

// Home returns the scope that bounds the object's visibility.
func (o ContextObject) Home() Scope { return o.Layer.Bound(o.Scope()) }

// Valid returns when the object is true.
func (o ContextObject) Valid() Interval { return Interval{o.ValidFrom, o.ValidUntil} }

// Tx returns when the system held this version.
func (o ContextObject) Tx() Interval { return Interval{o.TxStart, o.TxEnd} }

// Confidence returns the confidence in the object at an instant: that of the last confirmation, halved once in every
// half-life since. Without a decay rule it does not fade. (Ebbinghaus's forgetting curve, as an exponential.)
func (o ContextObject) Confidence(at time.Time) float64 {
	since := at.Sub(o.LastConfirmed)
	if o.DecayRule == nil || o.DecayRule.HalfLifeDays <= 0 || since <= 0 {
		return o.ConfidenceScore
	}
	return o.ConfidenceScore * math.Exp2(-since.Hours()/24/o.DecayRule.HalfLifeDays)
}

// Faded reports whether the confidence has fallen below the threshold of the object's decay rule at an instant.
func (o ContextObject) Faded(at time.Time) bool {
	return o.DecayRule != nil && o.Confidence(at) < o.DecayRule.MinimumThreshold
}

// FadesAt returns the instant from which Faded holds: the zero time if it never does.
func (o ContextObject) FadesAt() time.Time {
	r := o.DecayRule
	if r == nil || r.HalfLifeDays <= 0 || r.MinimumThreshold <= 0 {
		return time.Time{}
	}
	days := r.HalfLifeDays * math.Log2(o.ConfidenceScore/r.MinimumThreshold)
	if !(days > 0) {
		return o.LastConfirmed
	}
	if days > maxDays {
		return time.Time{}
	}
	return o.LastConfirmed.Add(time.Duration(days * 24 * float64(time.Hour)))
}

// maxDays is how far ahead an instant is counted: an object that fades later than in a century does not fade.
const maxDays = 36_500

// StatusNow returns the status to show in a history: the final one if the version is closed, else the present one.
func (o ContextObject) StatusNow() ContradictionStatus {
	if o.Closing != nil && o.Closing.Status != "" {
		return o.Closing.Status
	}
	return o.ContradictionStatus
}

// LinkNow returns the id of the object that supersedes this version, or "".
func (o ContextObject) LinkNow() string {
	if o.Closing != nil && o.Closing.Link != "" {
		return o.Closing.Link
	}
	return o.SupersessionLink
}
