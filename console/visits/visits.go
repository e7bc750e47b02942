// Package visits keeps the browsers that were let in to the pages: in the memory of one server, or sealed where every server of a database finds them.
//
// It owns the end of a visit, and the form of one at rest. It refuses to let anybody in.
//
// # Invariants
//
// A visit is known by the digest of the browser's cookie. At rest it is sealed under a key of that cookie and of the installation: neither a copy of the
// database nor the installation's key opens it, nor both.
//
// A visit that was ended at one server is over at all of them with the next request.
package visits

import (
	"context"
	"crypto/sha256"
	"sync"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

const (
	most      = 256            // browsers at once, of a server that keeps them itself; the one that was idle longest goes
	idleAfter = 12 * time.Hour // a browser that asks for nothing is to show its secret again
)

// Visit is one browser that is in.
type Visit struct {
	Secret string        // is to be admitted again with each request; "": By is in
	By     ctxmcp.Caller // without a Secret
	Until  time.Time     // from then on it is to sign in again; zero: as long as it asks for something
}

// Book keeps visits by the cookies of the browsers. Implementations are safe for concurrent use. The errors of one that needs a database are
// CodeUnavailable where it cannot be asked.
type Book interface {
	// Begin adds a visit.
	Begin(ctx context.Context, cookie string, v Visit, now time.Time) error
	// Find returns the visit of a cookie, and takes note of its browser having asked for something. It reports whether there is one that is not over.
	Find(ctx context.Context, cookie string, now time.Time) (v Visit, ok bool, err error)
	// End removes a visit, if there is one.
	End(ctx context.Context, cookie string) error
}

// over reports whether a visit that was seen at an instant is over.
func (v Visit) over(seen, now time.Time) bool {
	return now.Sub(seen) > idleAfter || !v.Until.IsZero() && !now.Before(v.Until)
}

// Memory is the Book of one server. It is made by NewMemory.
type Memory struct {
	mu     sync.Mutex // guards visits
	visits map[[sha256.Size]byte]*kept
}

type kept struct {
	Visit
	seen time.Time
}

// NewMemory returns a Book without visits.
func NewMemory() *Memory { return &Memory{visits: map[[sha256.Size]byte]*kept{}} }

// Begin implements Book.
func (m *Memory) Begin(_ context.Context, cookie string, v Visit, now time.Time) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.forgetIdle(now)
	m.visits[digestOf(cookie)] = &kept{v, now}
	return nil
}

// Find implements Book.
func (m *Memory) Find(_ context.Context, cookie string, now time.Time) (Visit, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	v := m.visits[digestOf(cookie)]
	switch {
	case v == nil:
		return Visit{}, false, nil
	case v.over(v.seen, now):
		delete(m.visits, digestOf(cookie))
		return Visit{}, false, nil
	}
	v.seen = now
	return v.Visit, true, nil
}

// End implements Book.
func (m *Memory) End(_ context.Context, cookie string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.visits, digestOf(cookie))
	return nil
}

// forgetIdle makes room for one more browser.
func (m *Memory) forgetIdle(now time.Time) {
	var oldest [sha256.Size]byte
	var since time.Time
	for key, v := range m.visits {
		if v.over(v.seen, now) {
			delete(m.visits, key)
		} else if since.IsZero() || v.seen.Before(since) {
			oldest, since = key, v.seen
		}
	}
	if len(m.visits) >= most {
		delete(m.visits, oldest)
	}
}

func digestOf(cookie string) [sha256.Size]byte { return sha256.Sum256([]byte(cookie)) }
