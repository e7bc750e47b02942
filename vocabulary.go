package ctxmcp

import (
	"slices"
	"strings"
)

// The bounded vocabularies. Words are stored and sent: append only, never rename. Each list is the one place where its
// words are written; JSON Schemas and error messages are derived from it.

// ObjectType is the type of an object.
type ObjectType string

// The object types.
const (
	Preference           ObjectType = "preference"
	IdentityFact         ObjectType = "identity_fact"
	ProjectDecision      ObjectType = "project_decision"
	RetrievedPassage     ObjectType = "retrieved_passage"
	PolicyRule           ObjectType = "policy_rule"
	ToolSchema           ObjectType = "tool_schema"
	InferredBelief       ObjectType = "inferred_belief"
	ActionableConstraint ObjectType = "actionable_constraint"
)

// ObjectTypes lists the vocabulary.
func ObjectTypes() []ObjectType {
	return []ObjectType{Preference, IdentityFact, ProjectDecision, RetrievedPassage, PolicyRule, ToolSchema,
		InferredBelief, ActionableConstraint}
}

// TaskType is the kind of work that an object is about.
type TaskType string

// The task types.
const (
	CodeGeneration      TaskType = "code_generation"
	AnalyticalReporting TaskType = "analytical_reporting"
	DataExtraction      TaskType = "data_extraction"
	SystemOrchestration TaskType = "system_orchestration"
)

// TaskTypes lists the vocabulary.
func TaskTypes() []TaskType {
	return []TaskType{CodeGeneration, AnalyticalReporting, DataExtraction, SystemOrchestration}
}

// ContradictionStatus says how an object stands towards the others in its slot.
type ContradictionStatus string

// The contradiction statuses.
const (
	Clean       ContradictionStatus = "clean"
	Disputed    ContradictionStatus = "disputed"    // a better trusted source says otherwise
	Overridden  ContradictionStatus = "overridden"  // superseded, or outranked by authority
	Quarantined ContradictionStatus = "quarantined" // in an open conflict: never compiled
)

// ContradictionStatuses lists the vocabulary.
func ContradictionStatuses() []ContradictionStatus {
	return []ContradictionStatus{Clean, Disputed, Overridden, Quarantined}
}

// RetirementRule is the way in which an object is retired at the end of its life.
type RetirementRule string

// The retirement rules.
const (
	Archive                 RetirementRule = "archive"
	HardDelete              RetirementRule = "hard_delete"
	DemoteToArchival        RetirementRule = "demote_to_archival"
	TriggerUserConfirmation RetirementRule = "trigger_user_confirmation"
)

// RetirementRules lists the vocabulary.
func RetirementRules() []RetirementRule {
	return []RetirementRule{Archive, HardDelete, DemoteToArchival, TriggerUserConfirmation}
}

// Layer is the state layer in which an object lives. The first four bound its visibility by the parts of its scope.
type Layer string

// The layers.
const (
	SessionLayer Layer = "session"
	TaskLayer    Layer = "task"
	ProjectLayer Layer = "project"
	UserLayer    Layer = "user"
	TenantLayer  Layer = "tenant"
	CorpusLayer  Layer = "corpus"
	ToolLayer    Layer = "tool"
	PolicyLayer  Layer = "policy"
	BeliefLayer  Layer = "belief"
)

// Layers lists the vocabulary.
func Layers() []Layer {
	return []Layer{SessionLayer, TaskLayer, ProjectLayer, UserLayer, TenantLayer, CorpusLayer, ToolLayer, PolicyLayer,
		BeliefLayer}
}

// Bound returns the parts of s that bound the visibility of an object in the layer. A layer below user level keeps the
// outer parts too: a session's object is also its project's and its user's.
func (l Layer) Bound(s Scope) Scope {
	switch l {
	case UserLayer:
		return Scope{User: s.User}
	case ProjectLayer:
		return Scope{User: s.User, Project: s.Project}
	case SessionLayer:
		return Scope{User: s.User, Project: s.Project, Session: s.Session}
	case TaskLayer, BeliefLayer:
		return s
	default: // tenant, corpus, tool, policy: visible to the whole tenant
		return Scope{}
	}
}

// SourceKind says through which channel an object arrived.
type SourceKind string

// The source kinds.
const (
	UserStatement SourceKind = "user_statement"
	Inference     SourceKind = "inference"
	ToolOutput    SourceKind = "tool_output"
	Document      SourceKind = "document"
	Web           SourceKind = "web"
	System        SourceKind = "system"
)

// SourceKinds lists the vocabulary.
func SourceKinds() []SourceKind {
	return []SourceKind{UserStatement, Inference, ToolOutput, Document, Web, System}
}

// Authority is the level of the five-tier scale on which an object stands; a smaller number outranks a larger one.
type Authority int

// The authority levels.
const (
	AuthorityPlatform  Authority = 0
	AuthorityDeveloper Authority = 1
	AuthorityUser      Authority = 2
	AuthorityInferred  Authority = 3
	AuthorityRetrieved Authority = 4
)

// Outranks reports whether a stands strictly above b.
func (a Authority) Outranks(b Authority) bool { return a < b }

// Classification is how sensitive an object is. The words order themselves by Rank.
type Classification string

// The classifications of objects, from the least to the most sensitive.
const (
	Public           Classification = "public"
	Restricted       Classification = "restricted"
	Confidential     Classification = "confidential"
	HighlyRestricted Classification = "highly_restricted"
)

// Classifications lists the vocabulary in order of Rank.
func Classifications() []Classification {
	return []Classification{Public, Restricted, Confidential, HighlyRestricted}
}

// Rank returns the place in the order, 0 for public. A word outside the vocabulary ranks above all: an unknown class
// counts as the most sensitive.
func (c Classification) Rank() int {
	if i := slices.Index(Classifications(), c); i >= 0 {
		return i
	}
	return len(Classifications())
}

// Known reports whether word is in the vocabulary list.
func Known[W ~string](word W, list []W) bool { return slices.Contains(list, word) }

// CheckWord returns a CodeInvalid Error that lists the allowed words unless word is one of them. name is the argument's.
func CheckWord[W ~string](name string, word W, list []W) error {
	if Known(word, list) {
		return nil
	}
	return Errorf(CodeInvalid, "%s %q is not a known word", name, clip(string(word))).
		WithHint("use one of: %s", Words(list))
}

// Words returns a vocabulary as text, separated by commas.
func Words[W ~string](list []W) string {
	words := make([]string, len(list))
	for i, w := range list {
		words[i] = string(w)
	}
	return strings.Join(words, ", ")
}
