package ctxmcp

import "errors"

// Question asks the user whom a tool works for to make one choice out of some.
type Question struct {
	Message string   // the question and its reason, for a person to read; lines are kept, other control characters are not
	Choices []Choice // one at least, no two with the same Value
}

// Choice is one answer that a Question offers.
type Choice struct {
	Value string // in the Answer
	Title string // for the user to read
}

// Answer is the outcome of a Question.
type Answer struct {
	Outcome Outcome
	Value   string // of the choice, if Outcome is Accepted
}

// Outcome says how a question ended. Only the first three are the user's doing.
type Outcome string

// The outcomes.
const (
	Accepted    Outcome = "accept"      // the user chose
	Declined    Outcome = "decline"     // the user refused to choose
	Dismissed   Outcome = "cancel"      // the user closed the question
	Unanswered  Outcome = "unanswered"  // no answer came in time, or none that was offered
	Unsupported Outcome = "unsupported" // the client cannot ask its user, or must not be made to
)

// Why returns the outcome as the reason why something stays undecided: a clause without a full stop.
func (o Outcome) Why() string {
	switch o {
	case Accepted:
		return "the user chose"
	case Declined:
		return "the user declined to choose"
	case Dismissed:
		return "the user closed the question"
	case Unanswered:
		return "no valid answer came from the user in time"
	default:
		return "the user cannot be asked here"
	}
}

// ErrAsking reaches a handler whose question can only travel with the end of the call, and must be returned as it is:
// the client then puts it to the user and calls again. It is no failure.
var ErrAsking = errors.New("the user is being asked; the client calls again with the answer")
