package policy

import (
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

// Input is all that a decision depends on. A pointer that is nil, a missing signal and an empty word where the comment says
// so are not known yet: a rule that needs one of them defers.
type Input struct {
	Tenant   string
	User     string
	Roles    []string
	Session  string
	Request  Request
	Action   Action
	Effect   Effect // one of those that the action has
	State    State
	Signals  map[string]bool // by name, of Signals; false: not raised, or switched off
	Findings []ctxmcp.Finding
}

// Request is the user's request, as rules see it.
type Request struct {
	Text          string
	Intent        string   // of intent_classification; empty: not known
	Entities      []string // as declared
	ExpectedScope []string // tools; empty: not declared, so not known
	Delegates     bool     // the words ask to do what some text says
	Looks         bool     // the words ask for no more than to look at something
}

// Action is the one that is to be decided, with a wrapper resolved to the tool that it wraps.
type Action struct {
	Tool           string
	Operation      string
	Kind           ctxmcp.ActionKind
	Classification ctxmcp.DataClass // empty: not known, which counts as the highest
	Parameters     map[string]any   // as JSON decodes
}

// Effect is one thing that the action would do, and on whose word.
type Effect struct {
	Class     string // of package effect
	Danger    int    // of the class, 0 to 4
	Authority string // of package taint: the weakest of the values that decide it
	Named     bool   // the user said a value that it is about
	Asked     bool   // the user spoke of such an effect
	Refused   bool   // the user said not to do such a thing
	Exceeds   bool   // the user asked for less than this
	Astray    bool   // it is for another person than the named one
	Reaches   bool   // it leaves something to run later, and that reaches the network
	Own       bool   // the session itself has made what it is about
	Over      bool   // it writes over the file that is at its path outside of the workspace, if there is one
	Public    bool   // it hands something to everybody, for good
	Opens     bool   // it only gives out a secret, and the user asked for none and spoke not of this one
	Delegated bool   // the user handed on to a text that has it
	Vouched   bool   // it is about the one whom that text is of, as a look-up showed
	Carries   string // nothing, private or secret: what leaves with it
	Pointed   bool   // the user pointed to the text that has the value, and may have handed on nothing
	Told      bool   // the text that has the value tells somebody to do something
	Spurred   bool   // a result shortly before speaks to a machine, and tells it to do something
	Speaks    bool   // that text speaks to a machine, poses as somebody, or hides
}

// State holds the sums over the session before the action.
type State struct {
	Actions             int              // recorded before this one
	Tools               []string         // used before this one
	Classification      ctxmcp.DataClass // highest seen; empty: nothing was read
	SemanticDistance    *float64         // of this action from the request, 0 to 2
	CumulativeDistance  *float64         // of the session from the request, 0 to 2
	Confidence          *float64         // in the findings, 0 to 1
	Elapsed             time.Duration    // since the session began
	UntrustedSourceRead bool             // a result from outside was read in the session
	UnreadResult        bool             // a result of the session could not be read
}
