package actions

import (
	"cmp"
	"context"
	"encoding/json"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/quota"
	"github.com/ctx-mcp/ctx-mcp/receipts"
)

// Key names a session: the handle alone says nothing to another caller.
type Key struct{ Tenant, User, Session string }

// RecordKind says what a record of a session's log is of. The words are stored: append only.
type RecordKind string

// The kinds of records.
const (
	StartRecord   RecordKind = "start"
	MessageRecord RecordKind = "message" // what the user said
	ActionRecord  RecordKind = "action"
	ResultRecord  RecordKind = "result"
	RulingRecord  RecordKind = "ruling" // what became of actions that waited
	EndRecord     RecordKind = "end"
)

// Record is one entry of a session's log. It never changes.
type Record struct {
	Seq  int // from 1, without gaps
	Kind RecordKind
	At   time.Time
	Body json.RawMessage
	// Waiting is how many actions of the session wait for a decision after this record: for AppendAction only.
	Waiting int
}

// Store keeps the logs of sessions. It decides nothing.
type Store interface {
	// AppendAction adds a record to the log of the session and keeps the whole log until the given instant. It returns the
	// Error of Moved unless the record follows the last one. With a proof it appends its receipt too, both or none, and
	// returns the error of its Make. It returns CodeTooLarge if what the record claims is over a quota.
	AppendAction(ctx context.Context, k Key, r Record, until time.Time, audit ctxmcp.Event, proof *receipts.Proof) error
	// ActionLog returns the records of the session after the given number, in order; at most limit, if that is not 0.
	ActionLog(ctx context.Context, k Key, after, limit int) ([]Record, error)
	// WaitingSessions returns the sessions of the user, or of the whole tenant if there is none, with actions that wait.
	WaitingSessions(ctx context.Context, tenant, user string) ([]Key, error)
	// ActionSessions returns the user's sessions, those first whose logs are kept longest, then by their names from the end: the order of
	// Listed.Compare from its end. Behind asks for those that stand before a mark in it: the next page.
	ActionSessions(ctx context.Context, tenant, user string, behind *Listed, limit int) ([]Listed, error)
	// SweepActions removes every log that was to be kept until the instant or less, and the private parts of the session's
	// receipts, and returns how many those were. The receipts stay.
	SweepActions(ctx context.Context, at time.Time) (int, error)
}

// Listed is a session as a list has it.
type Listed struct {
	Session string
	Records int       // of its log
	Waiting int       // actions that wait for a decision
	Until   time.Time // the log is kept
}

// Compare orders sessions by how long their logs are kept, which follows from when something was last recorded, then by name.
func (l Listed) Compare(other Listed) int {
	return cmp.Or(l.Until.Compare(other.Until), cmp.Compare(l.Session, other.Session))
}

// Moved is the Error for a record that does not follow the last one.
func Moved(session string) error {
	return ctxmcp.Errorf(ctxmcp.CodeConflict, "session %s has moved on", session).WithHint("call again")
}

// Claims returns what the record would add to what the session's tenant holds, where its body takes size bytes in the store. The end of
// a session and what becomes of an action that waits claim nothing: both can always be written.
func (r Record) Claims(k Key, size int) []quota.Claim {
	if r.Kind == EndRecord || r.Kind == RulingRecord {
		return nil
	}
	claims := []quota.Claim{{Tenant: k.Tenant, Name: quota.ActionBytes, Add: int64(size)}}
	if r.Seq == 1 {
		claims = append(claims, quota.Claim{Tenant: k.Tenant, Name: quota.ActionSessions, Add: 1})
	}
	return claims
}
