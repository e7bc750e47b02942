package serve

import (
	"crypto/rand"
	"errors"
	"net/http"
	"reflect"
	"sync"

	ctxmcp "github.com/ctx-mcp/ctx-mcp"
	"github.com/mark3labs/mcp-go/server"
)

// sessions issues the protocol sessions of the older revisions. A session belongs to the Caller that began it: for any
// other caller, the same user with other rights included, it does not exist. The library forgets idle ones through the
// same interface, so the map does not grow for ever.
type sessions struct {
	mu     sync.Mutex
	owners map[string]ctxmcp.Caller
}

func newSessions() *sessions { return &sessions{owners: map[string]ctxmcp.Caller{}} }

// ResolveSessionIdManager returns the sessions as the caller of r may use them. The library passes no request when it
// sweeps idle sessions.
func (s *sessions) ResolveSessionIdManager(r *http.Request) server.SessionIdManager {
	if r == nil {
		return claim{sessions: s}
	}
	caller, _ := CallerFrom(r.Context())
	return claim{sessions: s, caller: caller}
}

// owned reports whether the session exists and is the caller's.
func (s *sessions) owned(id string, caller ctxmcp.Caller) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	owner, ok := s.owners[id]
	return ok && reflect.DeepEqual(owner, caller)
}

// claim is the sessions in the hands of one caller.
type claim struct {
	*sessions
	caller ctxmcp.Caller
}

var errNoSession = errors.New("no such session")

// Generate begins a session of the caller.
func (c claim) Generate() string {
	id := "mcp-session-" + rand.Text()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.owners[id] = c.caller
	return id
}

// Validate returns an error for a session that is not the caller's. Whether it is was checked before the library was asked.
func (c claim) Validate(id string) (terminated bool, err error) {
	if !c.owned(id, c.caller) {
		return false, errNoSession
	}
	return false, nil
}

// Terminate forgets a session. Whether the caller may is checked before the library is asked.
func (c claim) Terminate(id string) (notAllowed bool, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.owners, id)
	return false, nil
}
