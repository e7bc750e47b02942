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

// mostUses bounds what is collected between two upkeeps.
const mostUses = 10_000

func (s *Service) used(memories []Memory) {
	if !s.Options.TrackUse && !s.Options.RefreshOnUse {
		return
	}
	s.uses.mu.Lock()
	defer s.uses.mu.Unlock()
	if s.uses.at == nil {
		s.uses.at = map[usedKey]time.Time{}
	}
	for _, m := range memories {
		if len(s.uses.at) < mostUses {
			s.uses.at[usedKey{m.Object.TenantID, m.Object.ObjectID}] = s.now()
		}
	}
}

func compareUsed(a, b usedKey) int {
	if a.tenant != b.tenant {
		return slices.Compare([]byte(a.tenant), []byte(b.tenant))
	}
	return slices.Compare([]byte(a.object), []byte(b.object))
}
