package compiler

import (
	"github.com/ctx-mcp/ctx-mcp"
)

// state is a compile on its way through the stages.
type state struct {
	in        Inputs
	counter   Counter
	items     []*item // in an order that does not depend on that of the candidates
	stage     string
	record    Step
	out       Output
	subjects  map[string]string // normalised name -> entity id
	fields    []Field
	alignable alignable
	blocks    []*block
	room      int // tokens of the output
	history   []turn
	// systemTexts are the system messages of the conversation, in a form that has one place for them.
	systemTexts []string
	asked       *question   // its matter, once it was read
	said        string      // the user's turn; empty: the conversation or a result carries the step
	silent      bool        // only a warning tells that messages are left out
	sent        int         // texts of the output so far
	pinned      map[Pin]int // place in the prefix of the session; nil: it has none yet
	rebuilt     string
}

// item is a candidate on its way. It has a outcome: a drop, or a place in the output.
type item struct {
	Candidate
	drop *drop

	relation string // to what the question names
	capped   string // why it climbs no higher than task context
	tier     Tier
	share    float64 // of the best relevance
	// activated: it says when it matters, by a reason or the types of its tasks, and matters now.
	activated bool
	ofArea    bool  // nothing but its area brought it
	ofRest    bool  // its words did not bring it
	doubt     *item // a later statement that may leave it behind
	rung      int
	why       string // it stands on the rung

	contained bool // behind delimiters
	text      string
	forms     []Form // that may be shown, the fullest first; text is that of the chosen one
	form      int    // shown; -1: none
	zone      ZoneName
	section   section

	attached string
	affinity float64
	tokens   int
}

// drop says why an item is not compiled.
type drop struct {
	stage      string
	reason     Reason
	quarantine ctxmcp.ContradictionStatus // set: the candidate is quarantined
	by, detail string
}

func newState(in Inputs, counter Counter) *state {
	s := &state{in: in, counter: counter, subjects: map[string]string{}, alignable: alignable{}, fields: in.Fields, room: in.Request.MaxTokens}
	if in.Prefix != nil {
		s.pinned = map[Pin]int{}
		for i, p := range in.Prefix.Pins {
			s.pinned[p] = i
		}
	}
	s.out = Output{Schema: OutputSchema, Format: in.Request.Format, Messages: nil, Budget: in.Request.MaxTokens, Counter: counter.Name(),
		Warnings: append([]string{}, in.Warnings...), Pins: []Pin{}}
	return s
}

// live returns the items that nothing has dropped.
func (s *state) live() []*item {
	alive := make([]*item, 0, len(s.items))
	for _, it := range s.items {
		if it.drop == nil {
			alive = append(alive, it)
		}
	}
	return alive
}

// omit gives an item its outcome: it is left out.
func (s *state) omit(it *item, reason Reason, by, detail string) {
	s.dropped(it, drop{stage: s.stage, reason: reason, by: by, detail: detail})
}

// quarantine gives an item its outcome: it is held back, because something contradicts it.
func (s *state) quarantine(it *item, reason Reason, status ctxmcp.ContradictionStatus, by, detail string) {
	s.dropped(it, drop{stage: s.stage, reason: reason, quarantine: status, by: by, detail: detail})
}

func (s *state) dropped(it *item, d drop) {
	it.drop = &d
	if s.record.Drops == nil {
		s.record.Drops = map[Reason]int{}
	}
	s.record.Drops[d.reason]++
}

func (s *state) note(text string) { s.record.Notes = append(s.record.Notes, text) }

func (s *state) warn(text string) { s.out.Warnings = append(s.out.Warnings, text) }

func (it *item) id() string { return it.Object.ObjectID }

func (it *item) pin() Pin { return Pin{ObjectID: it.Object.ObjectID, Version: it.Object.Version} }

// standard reports whether the item stands above every user: it is a rule, and belongs to the static prefix.
func (it *item) standard() bool {
	return it.Kind == KindMemory && it.Object.Authority <= ctxmcp.AuthorityDeveloper && len(it.Object.Domains) == 0
}
