package hook

import (
	"sync"

	"github.com/ctx-mcp/ctx-mcp/guard"
)

// cause says why a conversation is owed the brief.
type cause int

const (
	started   cause = iota // it began, and the start takes no context
	compacted              // its context was lost
)

// mostDue is the number of conversations that are owed the brief at a time. Beyond it some lose their claim: a brief is a help, no promise.
const mostDue = 1000

// due holds the conversations whose brief had no place when it came up.
type due struct {
	mu    sync.Mutex
	owing map[guard.Conversation]cause
}

func (d *due) set(c guard.Conversation, why cause) {
	c.Folder = "" // an agent may leave it
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.owing == nil || len(d.owing) >= mostDue {
		d.owing = map[guard.Conversation]cause{}
	}
	d.owing[c] = why
}

// take returns what a conversation is owed for, and owes it no longer.
func (d *due) take(c guard.Conversation) (why cause, is bool) {
	c.Folder = ""
	d.mu.Lock()
	defer d.mu.Unlock()
	why, is = d.owing[c]
	delete(d.owing, c)
	return why, is
}
