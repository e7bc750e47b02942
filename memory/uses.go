package memory

import (
	"slices"
	"sync"
	"time"
)

// uses collects which objects reached a model, until the next upkeep writes them: recall itself writes nothing.
type uses struct {
	mu sync.Mutex
	at map[usedKey]time.Time
}

type usedKey struct{ tenant, object string }

// mostUses bounds the uses that are collected between two upkeeps.
const mostUses = 10_000

// note collects that the memories reached a model at an instant.
func (u *uses) note(memories []Memory, at time.Time) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.at == nil {
		u.at = map[usedKey]time.Time{}
	}
	for _, m := range memories {
		if len(u.at) < mostUses {
			u.at[usedKey{m.Object.TenantID, m.Object.ObjectID}] = at
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
	if a.tenant != b.tenant {
		return slices.Compare([]byte(a.tenant), []byte(b.tenant))
	}
	return slices.Compare([]byte(a.object), []byte(b.object))
}
