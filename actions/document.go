package actions

import (
	"encoding/json"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

// Request holds the user's words, with the caller's knowledge of them.
type Request struct {
	Text                   string           `json:"text"`
	Intent                 string           `json:"intent_classification"`
	Entities               []string         `json:"entities"`
	ExpectedScope          []string         `json:"expected_scope"`
	ExpectedClassification ctxmcp.DataClass `json:"expected_classification,omitempty"` // empty: PUBLIC
}

// Document is a session as a decision sees it: the context accumulator of AARM, field by field, and what was added to it.
type Document struct {
	SessionID       string          `json:"session_id"`
	StartedAt       time.Time       `json:"started_at"`
	EndedAt         time.Time       `json:"ended_at,omitzero"`
	OriginalRequest Request         `json:"original_request"`
	UserMessages    []string        `json:"user_messages,omitempty"` // the later texts of the user, in order
	ActionHistory   []Entry         `json:"action_history"`
	HistorySummary  *Summary        `json:"history_summary,omitempty"` // of the actions before those in the history
	State           State           `json:"accumulated_state"`
	RiskSignals     map[string]bool `json:"risk_signals"`             // of the latest action
	UnreadResults   []string        `json:"unread_results,omitempty"` // actions whose results could not be read, so that nobody knows what those say
	Digest          string          `json:"context_digest"`           // SHA-256 over all that led here, but for ids and times
}

// Entry is one action of the history.
type Entry struct {
	ID             string           `json:"action_id"`
	Timestamp      time.Time        `json:"timestamp"`
	Tool           string           `json:"tool"`
	Operation      string           `json:"operation"`
	Parameters     json.RawMessage  `json:"parameters" jsonschema_description:"Any JSON"`
	ResultSummary  string           `json:"result_summary"`
	Classification ctxmcp.DataClass `json:"data_classification"`
	Verdict        ctxmcp.Verdict   `json:"verdict"`
	Distance       float64          `json:"semantic_distance"`
	Findings       []ctxmcp.Finding `json:"findings,omitempty"`
	IsError        bool             `json:"is_error,omitempty"`
	CompletedAt    time.Time        `json:"completed_at,omitzero"` // when the result came; zero: none yet
}

// State holds the sums over the session.
type State struct {
	Classifications []ctxmcp.DataClass          `json:"data_classifications_accessed"` // from the least sensitive
	ToolsUsed       []string                    `json:"tools_used"`                    // in the order of their first use
	Entities        []string                    `json:"entities_accessed"`             // in the order in which they were met
	ActionCount     int                         `json:"action_count"`
	Distance        float64                     `json:"semantic_distance"` // mean over the actions, 0 to 1
	DistanceMethod  string                      `json:"distance_method"`   // lexical, or the model of the embeddings
	ByOrigin        map[string]ctxmcp.DataClass `json:"classification_by_tool"`
}

// Summary holds the counts of the actions that have left the history.
type Summary struct {
	Actions int            `json:"actions"`
	From    time.Time      `json:"from"`
	To      time.Time      `json:"to"`
	Tools   map[string]int `json:"tools"`
	Flagged int            `json:"flagged"` // actions that were not allowed
	Digest  string         `json:"digest"`  // SHA-256 over the entries that were left out, chained
}
