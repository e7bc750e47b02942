package serve

import (
	"container/list"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"net/http"
	"reflect"
	"strings"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	ctxmcp "github.com/ctx-mcp/ctx-mcp"
)

// sessions issues the protocol sessions of the older revisions. A session belongs to the Caller that began it: for any
// other caller, the same user with other rights included, it does not exist.
//
// Their number is bounded, of one caller and in all: one more ends the one that was used longest ago, which then does not
// exist any more. The facts about a client are kept here, in little, and the library forgets them at once: its own record
// of a session has queues of tens of kilobytes, for messages that no client can fetch.
type sessions struct {
	most, each int

	mu     sync.Mutex
	byID   map[string]*session
	recent *list.List // of *session, the one that was used last in front
	counts map[callerID]int
	gone   []string // ids of those that ended by themselves, for the library
}

// session is the record of one session.
type session struct {
	id     string
	owner  ctxmcp.Caller
	used   time.Time
	place  *list.Element
	client hello
}

// hello is a client's description of itself in initialize.
type hello struct {
	info    mcp.Implementation
	can     mcp.ClientCapabilities
	version string // that was agreed on
}

// The defaults of HTTPOptions.Sessions and SessionsEach.
const (
	defaultSessions     = 4096
	defaultSessionsEach = 256
)

func newSessions(most, each int) *sessions {
	return &sessions{most: most, each: each, byID: map[string]*session{}, recent: list.New(), counts: map[callerID]int{}}
}

// ResolveSessionIdManager returns the sessions as the caller of r may use them. The library passes no request when it
// sweeps idle sessions.
func (s *sessions) ResolveSessionIdManager(r *http.Request) server.SessionIdManager {
	if r == nil {
		return claim{sessions: s}
	}
	caller, _ := CallerFrom(r.Context())
	return claim{s, caller, r.Context().Value(releasing{}) != nil}
}

// find returns the session, if it exists and is the caller's, else nil. It counts as used then.
func (s *sessions) find(id string, caller ctxmcp.Caller) *session {
	s.mu.Lock()
	defer s.mu.Unlock()
	found, ok := s.byID[id]
	if !ok || !reflect.DeepEqual(found.owner, caller) {
		return nil
	}
	if time.Since(found.used) >= sessionIdleTTL {
		s.end(found)
		return nil
	}
	found.used = time.Now()
	s.recent.MoveToFront(found.place)
	return found
}

// begin adds a session of the caller, in the place of others where there are too many.
func (s *sessions) begin(id string, caller ctxmcp.Caller) {
	s.mu.Lock()
	defer s.mu.Unlock()
	by := callerID{caller.Tenant, caller.User}
	for last := s.oldest(nil); last != nil && (time.Since(last.used) >= sessionIdleTTL || len(s.byID) >= s.most); last = s.oldest(nil) {
		s.end(last)
	}
	for s.counts[by] >= s.each {
		s.end(s.oldest(&by))
	}
	begun := &session{id: id, owner: caller, used: time.Now()}
	begun.place = s.recent.PushFront(begun)
	s.byID[id] = begun
	s.counts[by]++
}

// oldest returns the session, of a caller or of all, that was used longest ago.
func (s *sessions) oldest(by *callerID) *session {
	for e := s.recent.Back(); e != nil; e = e.Prev() {
		if found := e.Value.(*session); by == nil || found.by() == *by {
			return found
		}
	}
	return nil
}

func (s *session) by() callerID { return callerID{s.owner.Tenant, s.owner.User} }

// end removes a session, and notes it for the library.
func (s *sessions) end(ended *session) {
	s.remove(ended)
	s.gone = append(s.gone, ended.id)
}

func (s *sessions) remove(ended *session) {
	delete(s.byID, ended.id)
	s.recent.Remove(ended.place)
	if s.counts[ended.by()]--; s.counts[ended.by()] == 0 {
		delete(s.counts, ended.by())
	}
}

// takeGone returns the sessions that ended by themselves since it was asked last.
func (s *sessions) takeGone() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	gone := s.gone
	s.gone = nil
	return gone
}

// note keeps the hello of a client.
func (s *sessions) note(id string, said hello) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if found, ok := s.byID[id]; ok {
		found.client = said
	}
}

// known returns the hello that was noted.
func (s *sessions) known(id string) (hello, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	found, ok := s.byID[id]
	if !ok {
		return hello{}, false
	}
	return found.client, true
}

// claim is the sessions in the hands of one caller.
type claim struct {
	*sessions
	caller ctxmcp.Caller
	keep   bool // the library forgets the session, and nobody else
}

var errNoSession = errors.New("no such session")

// Generate begins a session of the caller.
func (c claim) Generate() string {
	id := "mcp-session-" + rand.Text()
	c.begin(id, c.caller)
	return id
}

// Validate returns an error for a session that is not the caller's. The handler has checked that before it asks the library.
func (c claim) Validate(id string) (terminated bool, err error) {
	if c.find(id, c.caller) == nil {
		return false, errNoSession
	}
	return false, nil
}

// Terminate forgets a session. The handler has checked the caller's right before it asks the library.
func (c claim) Terminate(id string) (notAllowed bool, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if found, ok := c.byID[id]; ok && !c.keep {
		c.remove(found)
	}
	return false, nil
}

// releasing marks a request to the library to forget its own record of a session.
type releasing struct{}

// release has the library forget its record of a session.
func (h *Handler) release(id string) {
	h.mcp.Handle(nowhere{}, &server.HTTPRequest{
		Method: http.MethodDelete, Header: http.Header{server.HeaderKeySessionID: {id}},
		Context: context.WithValue(context.Background(), releasing{}, true),
	})
}

// releaseBegun has the library forget its records of the session that a response began, and of those that ended for it.
func (h *Handler) releaseBegun(header http.Header) {
	if id := header.Get(server.HeaderKeySessionID); id != "" {
		h.release(id)
	}
	for _, id := range h.sessions.takeGone() {
		h.release(id)
	}
}

// nowhere is the response to nobody.
type nowhere struct{}

func (nowhere) Header() http.Header            { return http.Header{} }
func (nowhere) WriteHeader(int)                {}
func (nowhere) Write(text []byte) (int, error) { return io.Discard.Write(text) }
func (nowhere) Flush()                         {}
func (nowhere) CanStream() bool                { return false }

// sessionsKey finds the sessions of the handler that a message came to.
type sessionsKey struct{}

// noteClient is a hook that keeps the hello of a client, after initialize.
func noteClient(ctx context.Context, _ any, asked *mcp.InitializeRequest, agreed *mcp.InitializeResult) {
	all, overHTTP := ctx.Value(sessionsKey{}).(*sessions)
	if overHTTP {
		all.note(server.ClientSessionFromContext(ctx).SessionID(),
			hello{briefly(asked.Params.ClientInfo), known(asked.Params.Capabilities), agreed.ProtocolVersion})
	}
}

// recallClient is a hook that gives the library's session of one message the hello of the client.
func recallClient(ctx context.Context, _ any, _ any) error {
	all, overHTTP := ctx.Value(sessionsKey{}).(*sessions)
	session, able := server.ClientSessionFromContext(ctx).(interface {
		server.SessionWithClientInfo
		SetProtocolVersion(version string)
	})
	if !overHTTP || !able {
		return nil
	}
	if said, ok := all.known(session.SessionID()); ok && said.version != "" {
		session.SetClientInfo(said.info)
		session.SetClientCapabilities(said.can)
		session.SetProtocolVersion(said.version)
	}
	return nil
}

// maxClientInfo is how much of each text of a client's name is kept, in characters.
const maxClientInfo = 256

// briefly returns a client's names of itself, in the length that is logged.
func briefly(info mcp.Implementation) mcp.Implementation {
	return mcp.Implementation{
		Name: shortened(info.Name), Version: shortened(info.Version), Title: shortened(info.Title),
		Description: shortened(info.Description), WebsiteURL: shortened(info.WebsiteURL),
	}
}

// shortened returns the first maxClientInfo characters of a text, and does not hold on to the rest.
func shortened(text string) string { return strings.Clone(ctxmcp.Cut(text, maxClientInfo)) }

// known returns the capabilities that the protocol names; those that a client makes up are of any size, and nobody asks.
func known(can mcp.ClientCapabilities) mcp.ClientCapabilities {
	can.Extensions, can.Experimental = nil, nil
	return can
}
