package memory

import (
	"cmp"
	"time"
)

// Options tunes a Service. The zero value works: a number that is 0 has its default, and so has a pointer that is nil, where 0 means 0.
type Options struct {
	MinLength    int           // characters, for an agent's own words; default 50
	MaxLength    int           // characters; default 50 000
	MinLetters   *float64      // share of letters among the characters; nil: 0.3
	MinRelevance *float64      // of a recalled memory that does not lead; nil: 0.15
	Skew         time.Duration // how far a clock of a caller may run ahead; default 5 minutes
	EmbedTimeout time.Duration // how long recall waits for the vector of its question; default 3 seconds

	SessionTTL   time.Duration // after its last write a session is over, and its objects with it; default 24 hours
	TaskTTL      time.Duration // likewise a task; default 30 days
	RefreshOnUse bool          // being recalled counts as a confirmation, for objects that fade
	TrackUse     bool          // recall keeps when an object was last used
	LearnFromUse bool          // what came of an object counts in its later rank, for the same user

	IgnoreActs bool     // keep "I sold the car" as a text only: carry nothing out that a text does to earlier ones
	MinClaim   *float64 // confidence from which a claim that a text makes is attached to it; nil: 0.85; 1: never

	// Predicates that hold several values at a time, or one, whatever the default says of them: normalised, with
	// underscores for spaces.
	ManyValued, SingleValued []string
}

func (o Options) withDefaults() Options {
	o.MinLength = cmp.Or(o.MinLength, 50)
	o.MaxLength = cmp.Or(o.MaxLength, 50_000)
	o.MinLetters = cmp.Or(o.MinLetters, new(0.3))
	o.MinRelevance = cmp.Or(o.MinRelevance, new(0.15))
	o.Skew = cmp.Or(o.Skew, 5*time.Minute)
	o.EmbedTimeout = cmp.Or(o.EmbedTimeout, 3*time.Second)
	o.MinClaim = cmp.Or(o.MinClaim, new(0.85))
	o.SessionTTL = cmp.Or(o.SessionTTL, 24*time.Hour)
	o.TaskTTL = cmp.Or(o.TaskTTL, 30*24*time.Hour)
	return o
}
