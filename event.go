package ctxmcp

import "time"

// Event is a line of the audit trail. It never holds content.
type Event struct {
	At       time.Time
	Tenant   string
	User     string
	Action   string
	ObjectID string
	Detail   string
}
