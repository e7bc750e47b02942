package actions

import (
	"encoding/json"
	"maps"
	"slices"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions/effect"
	"github.com/ctx-mcp/ctx-mcp/actions/taint"
)

// accumulator is the state of a session: a fold over its log. It reads no clock and draws nothing.
type accumulator struct {
	opts    Options
	start   startBody
	started time.Time
	ended   time.Time
	closing Closing

	entries  []Entry // the recent ones, whole
	summary  *Summary
	messages []string
	stated   map[string]bool   // ids of the actions whose statements of the user are in the fold
	acts     map[string]*act   // by id of the action
	keys     map[string]string // idempotency key -> id of the action
	pace     pace              // of the actions
	tally    tally
	signals  map[string]bool
	verdicts map[ctxmcp.Verdict]int
	waiting  map[string]*waiting // by id of the action
	latest   time.Time           // of the last record
	digest   string              // chain over all that was folded in, without ids and times
	known    *taint.Provenance
	fetched  map[string]bool // files that came from the network
	made     []effect.Made   // by the session itself
	copies   []string        // files with the content of a file of secrets
	staged   bool            // a file of secrets stands in what git sends next
	asked    *asked          // the question that was put last, or nil
}

// fetchedFile reports whether a file came from the network in the session.
func (a *accumulator) fetchedFile(path string) bool { return a.fetched[path] }

// act holds the parts of an action that are always kept.
type act struct {
	seq      int    // of its record
	index    int    // in the session, from 0
	sum      string // of what the caller gave
	result   string // sum of the result; empty: none yet
	verdict  ctxmcp.Verdict
	ruling   *ctxmcp.Decision // after it waited
	tool     string           // resolved
	declared ctxmcp.DataClass
	class    ctxmcp.DataClass
	makes    []effect.Made // once its result is there
}

// waiting is an action whose decision is still to be made: by a person, or once an action that it depends on is decided.
type waiting struct {
	id, receipt string
	verdict     ctxmcp.Verdict // step_up or defer
	since       time.Time
	until       time.Time // no decision by then denies it
	index       int       // of the action in its session, from 1
	roles       []string  // of the caller, at the time
	tool        string
	operation   string
	parameters  json.RawMessage
	answer      ctxmcp.Decision
	findings    []ctxmcp.Finding
	calls       []taint.Call
	parents     []string         // waiting actions that it depends on
	held        *ctxmcp.Decision // the decision once they are approved; nil: it waits for a person itself
	values      map[string]bool  // in its parameters, as they are compared
}

// asked is an action that a person was asked about, or that was denied because nobody could be asked.
type asked struct {
	calls    []taint.Call
	findings []ctxmcp.Finding
}

// visible reports whether the caller may name the project of the session.
func (a *accumulator) visible(by ctxmcp.Caller) bool {
	p := a.start.Scope.Project
	return p == "" || len(by.Projects) == 0 || slices.Contains(by.Projects, p)
}

// snapshot returns the accumulated state as it is now, sharing nothing.
func (a *accumulator) snapshot() State { return a.tally.state(a.start.Distance) }

// document returns the session in the form of the evaluation context, sharing nothing that changes.
func (a *accumulator) document() Document {
	d := Document{
		SessionID: a.start.Session, StartedAt: a.started, EndedAt: a.ended, OriginalRequest: a.start.Request,
		UserMessages: slices.Clone(a.messages), ActionHistory: slices.Clone(a.entries), State: a.snapshot(),
		RiskSignals: maps.Clone(a.signals), Digest: a.digest,
	}
	if d.ActionHistory == nil {
		d.ActionHistory = []Entry{}
	}
	for _, u := range a.known.Unread() {
		d.UnreadResults = append(d.UnreadResults, u.Action)
	}
	if a.summary != nil {
		summary := *a.summary
		summary.Tools = maps.Clone(summary.Tools)
		d.HistorySummary = &summary
	}
	return d
}
