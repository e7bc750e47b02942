package ctxmcp

import (
	"encoding/json"
	"slices"
)

// Verdict is the decision on an action.
type Verdict string

// The verdicts, from the least to the most strict.
const (
	Allow  Verdict = "allow"
	Modify Verdict = "modify"  // allowed with other arguments: those of Decision.Modifications
	StepUp Verdict = "step_up" // a person decides; no answer in time denies
	Defer  Verdict = "defer"   // not enough is known; no resolution in time denies
	Deny   Verdict = "deny"
)

// Verdicts lists the vocabulary in order of strictness.
func Verdicts() []Verdict { return []Verdict{Allow, Modify, StepUp, Defer, Deny} }

// Strictness returns the place in the order, 0 for allow. A word outside the vocabulary is as strict as deny.
func (v Verdict) Strictness() int {
	if i := slices.Index(Verdicts(), v); i >= 0 {
		return i
	}
	return Deny.Strictness()
}

// Stricter reports whether v stands strictly above w.
func (v Verdict) Stricter(w Verdict) bool { return v.Strictness() > w.Strictness() }

// DefaultRule stands for a rule in decisions on which no rule speaks.
const DefaultRule = "default"

// Decision is a verdict with its rule and its why.
type Decision struct {
	Verdict       Verdict        `json:"verdict"`
	Rule          string         `json:"rule"`                    // id of the rule that decided, or default, error, engine
	Why           string         `json:"why"`                     // for the agent and the operator
	Modifications []Modification `json:"modifications,omitempty"` // with Modify, and with StepUp for when it is approved
	Unattested    bool           `json:"unattested,omitempty"`    // it were milder if a harness had said that the user said so
	Opinion       *Opinion       `json:"opinion,omitempty"`       // of a model about an action that the rules would put to a person
	Answerable    bool           `json:"-"`                       // with StepUp: every rule that asks lets a model answer
}

// Opinion is the answer of a model to whether the user wants an action that the rules would put to a person.
type Opinion struct {
	Verdict  Verdict `json:"verdict"`            // Allow, or StepUp: it is left to a person
	Model    string  `json:"model,omitempty"`    // empty: none was asked
	Why      string  `json:"why,omitempty"`      // in the model's words, redacted and cut: for people, and never for an agent
	Question string  `json:"question,omitempty"` // SHA-256 of the question, as sha256:hex
	Failed   string  `json:"failed,omitempty"`   // why there is no answer
}

// Modification is one change of an action's arguments.
type Modification struct {
	Argument string `json:"argument"` // a name of the parameters, or a JSON pointer into them
	Change   Change `json:"change"`
	Value    any    `json:"value,omitempty"` // with Replace: any JSON
}

// Change is a way to change an argument.
type Change string

// The changes.
const (
	RedactArgument  Change = "redact"  // its value becomes a placeholder
	ReplaceArgument Change = "replace" // its value becomes Modification.Value
)

// Changes lists the vocabulary.
func Changes() []Change { return []Change{RedactArgument, ReplaceArgument} }

// Finding is the finding of a risk signal, with its evidence.
type Finding struct {
	Signal   string     `json:"signal"`
	Why      string     `json:"why"`
	Evidence []Evidence `json:"evidence"`
}

// Evidence names where a value of an action comes from.
type Evidence struct {
	Argument string `json:"argument,omitempty"` // a name of the parameters, or a JSON pointer into them
	Value    string `json:"value,omitempty"`
	Source   string `json:"source"`           // the id of the action whose result it is, or SourceRequest
	Origin   string `json:"origin,omitempty"` // the tool or site that the result is from
	Span     Span   `json:"span"`             // of the sentence or field, in the text of the source; holds Value
	Quote    string `json:"quote,omitempty"`  // the text of Span, perhaps cut
}

// SourceRequest is the source of the user's texts.
const SourceRequest = "request"

// Span is a half-open stretch of a text, in bytes.
type Span struct{ Start, End int }

// MarshalJSON writes the span as [start, end].
func (s Span) MarshalJSON() ([]byte, error) { return json.Marshal([2]int{s.Start, s.End}) }

// UnmarshalJSON reads what MarshalJSON writes.
func (s *Span) UnmarshalJSON(text []byte) error {
	var pair [2]int
	if err := json.Unmarshal(text, &pair); err != nil {
		return err
	}
	s.Start, s.End = pair[0], pair[1]
	return nil
}

// ActionKind is the effect of an action on the world.
type ActionKind string

// The kinds of actions.
const (
	ReadAction     ActionKind = "read"     // changes nothing
	WriteAction    ActionKind = "write"    // changes something that stays within reach
	OutboundAction ActionKind = "outbound" // sends something, or pays, to somebody
	UnknownAction  ActionKind = "unknown"  // counts as outbound
)

// ActionKinds lists the vocabulary.
func ActionKinds() []ActionKind {
	return []ActionKind{ReadAction, WriteAction, OutboundAction, UnknownAction}
}

// DataClass is how sensitive the data of an action is: the classifications of objects in the spelling of actions.
type DataClass string

// The data classes, from the least to the most sensitive.
const (
	PublicData       DataClass = "PUBLIC"
	InternalData     DataClass = "INTERNAL"
	ConfidentialData DataClass = "CONFIDENTIAL"
	RestrictedData   DataClass = "RESTRICTED"
)

// DataClasses lists the vocabulary in order of Rank.
func DataClasses() []DataClass {
	return []DataClass{PublicData, InternalData, ConfidentialData, RestrictedData}
}

// Rank returns the place in the order, 0 for PUBLIC. A word outside the vocabulary ranks as the highest: an unknown class
// counts as the most sensitive.
func (c DataClass) Rank() int {
	if i := slices.Index(DataClasses(), c); i >= 0 {
		return i
	}
	return RestrictedData.Rank()
}

// Classification returns the same class in the spelling of objects; the two lists are one ordering.
func (c DataClass) Classification() Classification { return Classifications()[c.Rank()] }

// DataClass returns the same class in the spelling of actions. A word outside the vocabulary becomes RESTRICTED.
func (c Classification) DataClass() DataClass {
	return DataClasses()[min(c.Rank(), RestrictedData.Rank())]
}
