package memory

import (
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/redact"
)

// Status is the outcome of a draft.
type Status string

// The statuses.
const (
	Stored     Status = "stored"
	Confirmed  Status = "confirmed"   // it was held already
	Superseded Status = "superseded"  // stored, and others were displaced
	Quarantine Status = "quarantined" // stored, but it contradicts an object that stands higher
	Rejected   Status = "rejected"    // the write gate turned it away, and nothing was stored; or the user did, and it is history
)

// Statuses lists the vocabulary.
func Statuses() []Status { return []Status{Stored, Confirmed, Superseded, Quarantine, Rejected} }

// Remembered is the answer to a draft. It holds no content, so that it can be kept for repetitions of the request.
type Remembered struct {
	Status     Status
	ObjectID   string
	FactID     string
	Version    int
	Namespace  string
	Reason     string
	Redactions []redact.Finding
	Entities   []Named
	Displaced  []Displaced
	Similar    []Similar
	Claims     []SlotClaim `json:"-"` // that the subject of its claim has beside
	RecordedAt time.Time
	Warnings   []string
	Review     string // id of the review that asks a person about it, if one does
	Waits      string // id of the review of whether it takes the place of others that are held, if that is not sure
}

// Displaced is an object that a new one took the place of.
type Displaced struct {
	ObjectID string
	Content  string `json:"-"` // not kept with the answer for repetitions
	Status   ctxmcp.ContradictionStatus
}
