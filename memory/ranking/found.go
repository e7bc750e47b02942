package ranking

import (
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

// Found is the result of a text search, with the statistics that ranking needs. They are counted over every version that
// lives in the namespaces of the query, whatever its times.
type Found struct {
	Candidates []Candidate
	// Former has by object id what a candidate has taken the place of, and what holds no more.
	Former    map[string][]Candidate
	Whole     bool           // every version in the namespaces is a candidate
	Documents int            // versions in the namespaces
	Length    int            // their terms, in all
	Frequency map[string]int // term -> versions that hold it
	Sessions  map[string]int // SessionKey -> terms of all its versions
	Authors   []string       // authors of any of it, in order
}

// Candidate is a version that may answer, with all of its terms.
type Candidate struct {
	Object   *ctxmcp.ContextObject // shared with the store and with other questions: nobody changes it
	Terms    []string
	Position int // place among the versions of its session in its namespace, from 1; 0 without a session
	// Standing is the score of its earlier use for the one who asks, in [-1, 1]; 0 if that is not known.
	Standing float64

	said *statement // nil: it is looked up
}

// Kept returns the candidate with room for what ranking reads in it: a store that keeps it keeps that too.
func (c Candidate) Kept() Candidate {
	if c.IsStatement() {
		c.said = read(c.Object)
	}
	return c
}

// Place is the position of a version in a session.
type Place struct {
	Session  string // of SessionKey
	Position int
}

// Near is a version found by its vector. Similarity is the cosine, in [-1, 1].
type Near struct {
	Candidate
	Similarity float64
}

// SessionKey names the session that a version was said in, within the namespace where it lives; "" if there is none.
func SessionKey(o *ctxmcp.ContextObject) string {
	if o.SessionID == "" {
		return ""
	}
	return o.Home().Namespace() + "/" + o.SessionID
}

// toldAt returns when an object was said: when it was observed, else when it begins to be true.
func toldAt(o *ctxmcp.ContextObject) time.Time {
	if !o.ObservedAt.IsZero() {
		return o.ObservedAt
	}
	return o.ValidFrom
}
