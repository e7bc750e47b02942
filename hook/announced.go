package hook

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"github.com/ctx-mcp/ctx-mcp/guard"
)

// The requests of the gateway to the server of the hooks, in the place of a client.
const (
	Claim    = "-claim"    // the conversation that announced a call; the input is a guard.Claim, the answer a guard.Claimed
	Recorded = "-recorded" // a call that was claimed has its result recorded; the input is its digest and the conversation's front and id
)

// announced are the calls of ctx-mcp's own tools that clients are about to make, and have not ended. The gateway that gets one asks whose it is.
type announced struct {
	mu  sync.Mutex
	all []*announcement // the oldest first
}

type announcement struct {
	of      guard.Conversation
	call    string        // its digest
	id      string        // that the client gave it; "": none
	claimed chan struct{} // nil: by nobody; closed once the result is recorded
}

// maxAnnounced is the number of calls that are held; what is forgotten is judged as one that nobody announced.
const maxAnnounced = 500

// add takes in a call that a client is about to make.
func (a *announced) add(c guard.Conversation, e event) {
	digest := guard.CallDigest(e.ownTool(c.Front), e.Arguments)
	if digest == "" {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.all = append(a.all, &announcement{of: c, call: digest, id: e.CallID})
	a.all = slices.Delete(a.all, 0, max(0, len(a.all)-maxAnnounced))
}

// find returns the call that a claim is about: the same call, by a client that names it, or its conversation, by the id that the hook was told.
// If that could be calls of two conversations, it is none.
func (a *announced) find(in guard.Claim) *announcement {
	a.mu.Lock()
	defer a.mu.Unlock()
	named := func(id string) bool { return len(id) >= guard.LeastID && slices.Contains(in.IDs, id) }
	var found []*announcement
	for _, o := range a.all {
		if o.call == in.Call && (named(o.id) || named(o.of.ID)) {
			found = append(found, o)
		}
	}
	if len(found) == 0 || slices.ContainsFunc(found, func(o *announcement) bool { return !o.of.Same(found[0].of) }) {
		return nil
	}
	best := found[0]
	for _, o := range found {
		if named(o.id) && !named(best.id) || o.claimed == nil && best.claimed != nil && named(o.id) == named(best.id) {
			best = o
		}
	}
	if best.claimed == nil {
		best.claimed = make(chan struct{})
	}
	return best
}

// finish notes that the result of a claimed call is recorded.
func (a *announced) finish(ticket string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, o := range a.all {
		if o.claimed != nil && Ticket(o.call, o.of) == ticket && !isClosed(o.claimed) {
			close(o.claimed)
			return
		}
	}
}

// Ticket names a claimed call to the server of the hooks.
func Ticket(call string, c guard.Conversation) string {
	return call + "\x00" + c.Front + "\x00" + c.ID
}

func isClosed(c chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// patience is how long a conversation waits for a gateway that has claimed its call and does not say that the result is recorded: it may have
// died.
const patience = 5 * time.Second

// settle takes in that a call has ended. It returns once its result is recorded, so that the next call is judged by it.
func (a *announced) settle(ctx context.Context, c guard.Conversation, e event) error {
	o, claimed := a.ended(c, guard.CallDigest(e.ownTool(c.Front), e.Arguments), e.CallID)
	if o == nil {
		return nil
	}
	defer a.drop(func(other *announcement) bool { return other == o })
	if claimed == nil {
		return nil
	}
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-claimed:
	case <-timer.C:
	case <-ctx.Done():
		return ctx.Err()
	}
	return nil
}

// ended returns the call of a conversation that has ended, by its id, or else the oldest that is the same.
func (a *announced) ended(c guard.Conversation, call, id string) (o *announcement, claimed chan struct{}) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, o := range a.all {
		if o.of.Same(c) && (id != "" && o.id == id || id == "" && o.call == call) {
			return o, o.claimed
		}
	}
	return nil, nil
}

// drop forgets calls.
func (a *announced) drop(which func(*announcement) bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.all = slices.DeleteFunc(a.all, which)
}

// claim answers a gateway that asks whose a call is. It gets the words of the user that no action was recorded with yet.
func (h *Handler) claim(ctx context.Context, input []byte) Answer {
	var in guard.Claim
	var out guard.Claimed
	if json.Unmarshal(input, &in) == nil && in.Call != "" && in.Tenant == h.By.Tenant && in.User == h.By.User {
		if o := h.announced.find(in); o != nil {
			words, err := h.Guard.HandOver(ctx, h.By, o.of)
			if err != nil {
				return Answer{Exit: 1}
			}
			out = guard.Claimed{Conversation: o.of, Words: words}
		}
	}
	text, err := json.Marshal(out)
	if err != nil {
		return Answer{Exit: 1}
	}
	return Answer{Stdout: string(text)}
}
