package change

import (
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

// Statement is a statement that is lined up with others. Only Text is required.
type Statement struct {
	Text      string
	Claim     ctxmcp.Claim
	At        time.Time // when it was said
	Author    string
	Authority ctxmcp.Authority
	Kind      ctxmcp.SourceKind
	Entities  []string // ids of the entities that it names
}

// Of returns an object as a statement.
func Of(o ctxmcp.ContextObject) Statement {
	at := o.ObservedAt
	if at.IsZero() {
		at = o.ValidFrom
		if !o.TxStart.IsZero() && at.After(o.TxStart) { // it is yet to come
			at = o.TxStart
		}
	}
	s := Statement{
		Text: o.Content, At: at, Author: o.Author, Authority: o.Authority, Kind: o.SourceKind, Entities: o.CanonicalEntityIDs,
	}
	if !o.ClaimExtracted {
		s.Claim = o.Claim
	}
	return s
}

// Kind is the effect of a later statement on an earlier one. The words are kept: append only.
type Kind string

// The kinds.
const (
	State    Kind = "state"    // it says how the same thing stands now
	Start    Kind = "start"    // something is so that was not
	Stop     Kind = "stop"     // something is no longer so
	Replace  Kind = "replace"  // another thing took its place
	Move     Kind = "move"     // it has another place or time
	Cancel   Kind = "cancel"   // a plan will not come true
	Correct  Kind = "correct"  // a statement was wrong
	Complete Kind = "complete" // an open thing is done
	Transfer Kind = "transfer" // it is somebody else's now
)

// Kinds lists the vocabulary.
func Kinds() []Kind {
	return []Kind{State, Start, Stop, Replace, Move, Cancel, Correct, Complete, Transfer}
}

// Verdict says how a later statement changes an earlier one. Probability is in [0, 1]: that the earlier one does not hold any
// more because of the later one.
type Verdict struct {
	Kind        Kind
	Probability float64
}

// The probabilities from which a change is carried out, and from which it is shown.
const (
	SureFrom   = 0.9
	LikelyFrom = 0.5
)

// Sure reports whether the later statement takes the place of the earlier one.
func (v Verdict) Sure() bool { return v.Probability >= SureFrom }

// Likely reports whether the earlier one is probably outdated.
func (v Verdict) Likely() bool { return v.Probability >= LikelyFrom }
