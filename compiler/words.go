package compiler

// Tier is how much a candidate matters to the task. The words are sent: append only.
type Tier string

// The tiers, from the most to the least.
const (
	Critical   Tier = "critical"
	Important  Tier = "important"
	Useful     Tier = "useful"
	Minimal    Tier = "minimal"
	Irrelevant Tier = "irrelevant"
)

// Tiers lists the vocabulary in order.
func Tiers() []Tier { return []Tier{Critical, Important, Useful, Minimal, Irrelevant} }

// Rung is a step of the ladder from what was observed to what a model must do. The words are sent: append only.
type Rung string

// Rungs lists the ladder: the number of a rung is its place.
func Rungs() []Rung {
	return []Rung{"raw_observation", "normalized_fact", "scoped_memory", "task_context", "behavioral_guidance", "hard_constraint"}
}

// Reason says why a candidate is not in the output. The words are sent: append only.
type Reason string

// The reasons, in the order of the stages that give them.
const (
	ProviderFailed Reason = "source_failed"
	NotPermitted   Reason = "not_permitted"
	AboveClearance Reason = "above_clearance"
	OtherTenant    Reason = "other_tenant"
	OtherScope     Reason = "outside_scope"
	OtherOrigin    Reason = "learned_from_another_domain"
	NotHeld        Reason = "not_held_then"
	Superseded     Reason = "superseded"
	Expired        Reason = "expired_valid_time"
	NotYetValid    Reason = "not_yet_valid"
	Decayed        Reason = "decayed_below_threshold"
	StaleSource    Reason = "source_has_changed"
	Outranked      Reason = "contradicted_by_higher_authority"
	OlderClaim     Reason = "contradicted_by_later_valid_time"
	LessTrusted    Reason = "contradicted_by_better_source"
	Unresolved     Reason = "conflicting_claim_unresolved"
	InConflict     Reason = "in_open_conflict"
	IsDisputed     Reason = "disputed"
	OtherTask      Reason = "not_for_task_type"
	NotActive      Reason = "why_it_matters_does_not_match"
	IrrelevantTask Reason = "irrelevant_to_active_task"
	Duplicate      Reason = "duplicate"
	NearDuplicate  Reason = "near_duplicate"
	Subsumed       Reason = "subsumed"
	Outdated       Reason = "outdated_by_later_statement"
	OverBudget     Reason = "over_budget"
)

// Reasons lists the vocabulary.
func Reasons() []Reason {
	return []Reason{ProviderFailed, NotPermitted, AboveClearance, OtherTenant, OtherScope, OtherOrigin, NotHeld, Superseded, Expired,
		NotYetValid, Decayed, StaleSource, Outranked, OlderClaim, LessTrusted, Unresolved, InConflict, IsDisputed, OtherTask,
		NotActive, IrrelevantTask, Duplicate, NearDuplicate, Subsumed, Outdated, OverBudget}
}
