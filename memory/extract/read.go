package extract

import (
	"strings"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// Reading holds the stances and acts that were read in a text. The zero value is a fine answer.
type Reading struct {
	Stances []Stance
	Acts    []Act
	// Asides counts the sentences that say something else, and are lost if the text is judged by its stances and acts
	// alone.
	Asides int
	// Continues says that the text goes on about the statement just before: it gives a reason and names nothing of its own.
	Continues bool
}

// Aspect is the kind of thing that a stance states or an act concerns.
type Aspect int

// The aspects. Any is of acts only: it may concern any open statement.
const (
	Any    Aspect = iota
	Task          // something to be done
	Liking        // a taste, for or against
	Event         // something at a time to come
	State         // something that is so: a thing owned or used, a home
)

// Stance is something that a text states to stand: a claim that may be proposed.
type Stance struct {
	Form       string // name of the form that read it
	Aspect     Aspect
	Subject    string // as the text names it; Speaker for the first person
	Predicate  string
	Value      string
	Against    bool    // a taste against it
	Confidence float64 // in [0, 1]
}

// Speaker is the subject of a stance that somebody states of himself.
const Speaker = "I"

// Kind is the effect of an act on earlier statements.
type Kind int

// The kinds of acts.
const (
	Ends      Kind = iota // it is over: done, sold, cancelled, no longer so
	Replaces              // something else holds from now on
	Withdraws             // it is not to be kept
)

// Act is something that a text does to earlier statements.
type Act struct {
	Form   string // name of the form that read it
	Kind   Kind
	Aspect Aspect
	Target string // the thing that it concerns, in the words of the text; "" where Before says it all
	Exact  bool   // the target stood in quotes
	Before bool   // the target is the statement just before: "that", "it"
	Value  string // the value that takes its place, of Replaces
	// Weak says that only the words tell a thing done from any other: it ends nothing but a task in the same words.
	Weak bool
	// Against says that a taste against the target ends.
	Against bool
}

// maxText bounds the part of a text that is read, in bytes, and maxSentence a sentence: a longer one is no statement.
const (
	maxText     = 4_000
	maxSentence = 600
	shortest    = 30 // of a reason: "it certainly is" gives none
)

// Read reads a text.
func Read(text string) Reading {
	if len(text) > maxText {
		return Reading{}
	}
	var r Reading
	all := sentences(strings.ToValidUTF8(text, " "))
	for i, s := range all {
		stances, acts := s.read()
		if len(stances) == 0 && len(acts) == 0 && !smallTalk.MatchString(s.whole.text) && !(s.asked && i > 0) {
			r.Asides++
		}
		r.Stances = append(r.Stances, stances...)
		r.Acts = append(r.Acts, acts...)
	}
	r.Continues = len(r.Acts) == 0 && len(all) > 0 && len(text) >= shortest && continues.MatchString(all[0].whole.text) && !aboutTalk.MatchString(text)
	return r
}

// read returns the stances and acts of one sentence. A sentence that reads as an act as a whole is not read by its clauses.
func (s sentence) read() ([]Stance, []Act) {
	if len(s.whole.text) > maxSentence {
		return nil, nil
	}
	if act, ok := s.whole.act(wholeForms, s.asked); ok {
		return act.stances(), []Act{act}
	}
	var stances []Stance
	var acts []Act
	for _, c := range s.clauses {
		if act, ok := c.act(clauseForms, s.asked); ok {
			acts = append(acts, act)
			stances = append(stances, act.stances()...)
			if st, ok := c.stance(); act.Weak && ok && st.Form == Acquired { // bought: done, and had from then on
				stances = append(stances, st)
			}
			continue
		}
		if s.asked {
			continue
		}
		if stance, ok := c.stance(); ok {
			stances = append(stances, stance)
		}
	}
	return stances, acts
}

var (
	// smallTalk matches a sentence that says nothing of the world: thanks, agreement, and how a talk comes to its point.
	smallTalk = language.NewPattern(`(?i)^%s\b`, language.Clauses.Row("small_talk"))
	// aboutTalk matches a text about the conversation itself.
	aboutTalk = language.NewPattern(`(?i)\b%s\b`, language.Clauses.Row("about_talk"))
	// continues matches how people go on to say why.
	continues = language.NewPattern(`(?i)^(?:(?:i think|i guess|i suppose|maybe|mostly|mainly|probably|i|i'd say)[, ]+(?:it's|it is|i've|i have|i just|i'm|just|they|the|because|my|he|she|his|her|their)\b|` +
		`because\b|it's (?:just|mostly|mainly|usually|the|that|because|her|his|their|more|about)\b|(?:his|her|their|its|they|he|she|it)\b|there's (?:just )?something\b|` +
		`i (?:just|really)?\s*(?:find|found|feel|felt|love how|like how|love that|like that|love the|like the|enjoy how|appreciate how|want something|wanted something|developed|outgrew|grew)\b|` +
		`i(?:'ve| have) (?:just|actually|really|also|simply)?\s*(?:found|realized|noticed|gravitated|grown|developed|outgrown|become|gotten|started|come|been)\b|` +
		`i(?:'m| am) (?:just|more)\b|the\b|my\b)`)
)
