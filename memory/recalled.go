package memory

import (
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory/brief"
)

// Ask is a question to memory. Scope is resolved already. Without a query, and with one that asks for everything, it asks for a
// brief; for a list where it says Newest, Cursor or ObjectTypes.
type Ask struct {
	Query         string
	Newest        bool     // the newest first, not the most relevant
	Cursor        string   // of the page before, in a list
	Limit         int      // memories; default 10, in a brief any number
	MaxTokens     int      // their cost together, by Price; default 1000, of a brief 400
	MinRelevance  *float64 // in [0, 1]; nil takes the configured one
	ObjectTypes   []ctxmcp.ObjectType
	TaskType      ctxmcp.TaskType
	AsOf          time.Time // the instant of valid time; default now
	BelievedAt    time.Time // the instant of transaction time; default now
	ReferenceTime time.Time // "last week" is relative to it; default now
	Archived      bool      // archived memories too
	Origin        string    // URL or domain that the task is about: objects learned from another domain are left out
	Prefix        string    // "user_42:*": everything below, instead of the objects visible from Scope
	SaidOnly      bool      // in a brief, nothing that was inferred; an empty one is not explained
	Scope         ctxmcp.Scope
	// Price returns what a memory costs in the answer, in tokens; nil: what its content does.
	Price func(ctxmcp.ContextObject) int
}

// Bounds of an ask.
const (
	defaultLimit  = 10
	maxLimit      = 1_000
	defaultTokens = 1_000
	maxTokens     = 1_000_000
	maxQuery      = 10_000 // characters
)

// Recalled is the answer to a question.
type Recalled struct {
	Read      bool    // whether any memory passed the gate
	Best      float64 // relevance of the best candidate, passed or not
	Memories  []Memory
	Tokens    int
	MaxTokens int // the bound on Tokens
	Counter   string
	Omitted   map[Omission]int
	Namespace string // the searched one
	Warnings  []string
	Brief     bool     // the memories are a brief, in the order of its parts
	Held      int      // memories that could answer such an ask, in a brief, a list and an answer without memories
	Next      string   // cursor of the next page, in a list that has one
	Try       []string // words that memories hold, in an answer without memories
	Then      bool     // the ask was of another time than now
	Unsure    bool     // it is open whether any of the memories answers the question
}

// Memory is an object that was recalled. Relevance, how surely it answers, and Bearing, how much of the question it speaks of, are in
// [0, 1]; Tokens is its price in the answer.
type Memory struct {
	Object    ctxmcp.ContextObject
	Relevance float64
	Bearing   float64
	Leading   bool // among the best few: no floor but one that is asked for leaves it out
	HoldsOn   bool // it answers by a part that holds on, where another part may be outdated
	Tokens    int
	Ended     bool       // of Meant: no version of it is held any more
	Part      brief.Part // of a brief; Constraints also for what holds for a task whatever the question

	stored *ctxmcp.ContextObject // nil: as it is shown
}

// Stored returns the object as the store has it, for digests. It may hold secrets that the settings hid only later.
func (m Memory) Stored() ctxmcp.ContextObject {
	if m.stored == nil {
		return m.Object
	}
	return *m.stored
}

// Omission is the reason why a candidate was left out. The words are sent: append only.
type Omission string

// The omissions.
const (
	BelowRelevance Omission = "below_min_relevance"
	OtherTask      Omission = "not_for_task_type"
	NotActive      Omission = "why_it_matters_does_not_match"
	HasFaded       Omission = "faded"
	Contradicted   Omission = "contradicted"
	MaybeOutdated  Omission = "maybe_outdated"
	OverLimit      Omission = "over_limit"
	OverBudget     Omission = "over_max_tokens"
)
