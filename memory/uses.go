package memory

import (
	"cmp"
	"sync"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

// uses collects which objects reached a model, until the next upkeep writes them: recall itself writes nothing.
type uses struct {
	mu sync.Mutex
	at map[usedKey]time.Time
}

type usedKey struct{ tenant, user, object string }

// mostUses bounds the uses that are collected between two upkeeps.
const mostUses = 10_000

// note collects that the memories reached a model at an instant.
func (u *uses) note(by ctxmcp.Caller, memories []Memory, at time.Time) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.at == nil {
		u.at = map[usedKey]time.Time{}
	}
	for _, m := range memories {
		if len(u.at) < mostUses {
			u.at[usedKey{m.Object.TenantID, by.User, m.Object.ObjectID}] = at
		}
	}
}

// take returns the collected uses, and begins anew.
func (u *uses) take() map[usedKey]time.Time {
	u.mu.Lock()
	defer u.mu.Unlock()
	at := u.at
	u.at = nil
	return at
}

func compareUsed(a, b usedKey) int {
	return cmp.Or(cmp.Compare(a.tenant, b.tenant), cmp.Compare(a.user, b.user), cmp.Compare(a.object, b.object))
}
