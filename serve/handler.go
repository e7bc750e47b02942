package serve

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"github.com/rs/cors"
	"golang.org/x/time/rate"

	"github.com/ctx-mcp/ctx-mcp/serve/admission"
)

// misfitEvery is the time between two warnings about access tokens that do not fit.
const misfitEvery = 10 * time.Second

// sessionIdleTTL is how long the library remembers a protocol session that nobody uses.
const sessionIdleTTL = 30 * time.Minute

// Handler serves the MCP endpoint with /healthz, /readyz, /metrics and /debug/pprof/ beside it. HTTP runs one on a listener; a test may
// run it by itself.
type Handler struct {
	o         HTTPOptions
	cors      *cors.Cors // nil: no page's scripts may call
	limits    *limits    // nil: there are none
	mcp       *server.StreamableHTTPServer
	sessions  *sessions
	closed    atomic.Bool // tokens are needed from now on
	asked     *asks
	answering answering
	misfits   rate.Sometimes  // is what tells of access tokens that do not fit
	draining  context.Context // done once Close is called: streams and questions end with it, calls do not
	drain     context.CancelFunc
	mu        sync.Mutex     // nothing is added to posts once draining is done
	posts     sync.WaitGroup // the messages under way
}

// NewHandler returns the handler of s. The caller must Close it. s must have been made with Options.
func NewHandler(s *server.MCPServer, o HTTPOptions) *Handler {
	o = o.withDefaults()
	h := &Handler{
		misfits: rate.Sometimes{Interval: misfitEvery},
		o:       o, sessions: newSessions(o.Sessions, o.SessionsEach), asked: newAsks(), cors: newCORS(o.CORSOrigins), limits: newLimits(o),
	}
	h.draining, h.drain = context.WithCancel(context.Background())
	h.mcp = server.NewStreamableHTTPServer(s,
		server.WithSessionIdManagerResolver(h.sessions),
		server.WithSessionIdleTTL(sessionIdleTTL),
		server.WithDisableStreaming(true),
		server.WithStreamableHTTPLogger(o.Logger))
	return h
}

// Close ends the open streams, refuses messages that have not arrived whole and forgets the protocol sessions. Running
// calls go on.
func (h *Handler) Close() {
	h.mu.Lock()
	h.drain()
	h.mu.Unlock()
	_ = h.mcp.Shutdown(context.Background()) // no server is attached to it, so nothing can fail
}

// ServeHTTP answers one request.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	x := &exchange{ResponseWriter: w, began: time.Now()}
	defer h.log(x, r)
	x.Header().Set("X-Content-Type-Options", "nosniff")
	x.Header().Set("Cache-Control", "no-store")
	h.route(x, r)
}

// route leaves only /healthz open to any Host: a probe has no name for the server.
func (h *Handler) route(x *exchange, r *http.Request) {
	switch path := r.URL.Path; {
	case path == "/healthz":
		_, _ = io.WriteString(x, "ok\n")
	case !h.admits(x, r):
	case path == h.o.Path && h.answersPreflight(x, r):
	case path == h.o.Path:
		h.serveMCP(x, r)
	case path == "/readyz":
		h.serveReady(x, r)
	case path == "/metrics" && h.o.Metrics != nil:
		h.serveMetrics(x, r)
	case strings.HasPrefix(path, profilesPath):
		h.serveProfiles(x, r)
	case h.o.Console != nil && (path == "/ui" || strings.HasPrefix(path, "/ui/")):
		h.serveConsole(x, r)
	case (path == h.metadataPath() || path == server.WellKnownProtectedResourcePath) && h.tokensCount(r.Context()):
		h.serveMetadata(x, r)
	default:
		refuse(x, http.StatusNotFound, serverError, "nothing is served here; the MCP endpoint is "+h.o.Path+h.pages())
	}
}

// pages names the pages for people, where they are served.
func (h *Handler) pages() string {
	if h.o.Console == nil {
		return ""
	}
	return ", and the pages for people are under /ui/"
}

// serveConsole leaves a browser to the console, which asks for a token itself: a browser cannot send one in a header.
func (h *Handler) serveConsole(x *exchange, r *http.Request) {
	if r.URL.Path == "/ui" {
		http.Redirect(x, r, "/ui/", http.StatusSeeOther)
		return
	}
	h.o.Console.ServeHTTP(x, r)
}

func (h *Handler) serveMetrics(x *exchange, r *http.Request) {
	if h.o.Kept {
		by, ok := h.authenticate(x, r)
		if !ok {
			return
		}
		x.user = by.caller.User
	}
	h.o.Metrics.ServeHTTP(x, r)
}

// serveMCP answers on the MCP endpoint. GET is not among its methods: the stream that it opened in older revisions shares
// its messages with the responses to POST, and messages go astray.
func (h *Handler) serveMCP(x *exchange, r *http.Request) {
	if r.Method != http.MethodPost && r.Method != http.MethodDelete {
		x.Header().Set("Allow", "POST, DELETE")
		refuse(x, http.StatusMethodNotAllowed, serverError, "send MCP messages with POST")
		return
	}
	by, ok := h.authenticate(x, r)
	if !ok {
		return
	}
	caller := by.caller
	x.user = caller.User
	if !h.admitsRate(r.Context(), x, caller) {
		return
	}
	r = r.WithContext(context.WithValue(withCaller(r.Context(), caller), grantKey{}, by))
	if r.Method == http.MethodPost {
		h.post(x, r)
		return
	}
	if !modern(r.Header, nil) && h.sessions.find(r.Header.Get(server.HeaderKeySessionID), caller) == nil {
		refuse(x, http.StatusNotFound, serverError, errNoSession.Error())
		return
	}
	h.dispatch(r.Context(), x, r, message{})
}

// post hands one message to the library.
func (h *Handler) post(w http.ResponseWriter, r *http.Request) {
	if !h.enter() {
		w.Header().Set("Connection", "close")
		refuseStopping(w)
		return
	}
	defer h.posts.Done()
	leave, ok := h.admitsBody(w, r)
	if !ok {
		return
	}
	body, ok := h.read(w, r)
	leave() // the room of a message that was read is another
	if !ok {
		return
	}
	if leave, ok = h.admitsMessage(w, r, body); !ok {
		return
	}
	defer leave()
	r = r.WithContext(admission.Arrived(r.Context()))
	m, refusal := parse(body)
	switch {
	case refusal != nil:
		refuseWith(w, http.StatusBadRequest, *refusal)
		return
	case m.Method == mcp.MethodInitialize && len(body) > maxInitialize:
		refuseTooLarge(w, maxInitialize)
		return
	case !h.allows(w, r, m):
		return
	}
	if m.cancels() && !mayCancel(r, m.rest) {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	if !h.inSession(w, r, m) {
		return
	}
	if m.cancels() {
		h.answering.cancel(r.Header.Get(server.HeaderKeySessionID), m.Params.RequestID)
	}
	if m.isResponse() && kind(m.ID) == '"' && !modern(r.Header, m.rest) {
		h.takeAnswer(w, r, m, body)
		return
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	if m.listens() {
		defer context.AfterFunc(h.draining, cancel)()
		if h.tokensCount(ctx) {
			by, _ := CallerFrom(ctx)
			go h.endWithToken(ctx, bearer(r.Header), by, cancel)
		} else if h.o.Open != nil {
			go h.endOnceTokensCount(ctx, cancel)
		}
	}
	h.dispatch(withArguments(ctx, m), w, r, m)
	if m.Method == mcp.MethodInitialize {
		h.releaseBegun(w.Header())
	}
}

// enter counts a message among those under way, unless the server is stopping.
func (h *Handler) enter() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.draining.Err() != nil {
		return false
	}
	h.posts.Add(1)
	return true
}

// inSession reports whether a message may reach the library: in the older revisions, all but initialize belong to a
// session of the caller. An unsupported revision is left to the library, which names those that it has.
func (h *Handler) inSession(w http.ResponseWriter, r *http.Request, m message) bool {
	version := r.Header.Get(mcp.HeaderProtocolVersion)
	if m.Method == mcp.MethodInitialize || modern(r.Header, m.rest) || version != "" && !mcp.IsValidProtocolVersion(version) {
		return true
	}
	id := r.Header.Get(server.HeaderKeySessionID)
	caller, _ := CallerFrom(r.Context())
	switch {
	case id == "":
		refuseWith(w, http.StatusBadRequest, *m.refusal(serverError, "missing Mcp-Session-Id: initialize first"))
	case h.sessions.find(id, caller) == nil:
		refuseWith(w, http.StatusNotFound, *m.refusal(errorUnknownSession, "unknown session: initialize again"))
	default:
		return true
	}
	return false
}

// read returns the body of a POST. Over the limit it answers 413, 408 if the server's read deadline passes first, and 503
// if the server stops first.
func (h *Handler) read(w http.ResponseWriter, r *http.Request) (body []byte, ok bool) {
	stop := context.AfterFunc(h.draining, func() {
		_ = http.NewResponseController(w).SetReadDeadline(time.Unix(1, 0))
	})
	most := h.maxBody(r)
	var whole bytes.Buffer
	if r.ContentLength > 0 && r.ContentLength <= most {
		whole.Grow(int(r.ContentLength) + bytes.MinRead) // there is room for it, and for no more copies
	}
	_, err := whole.ReadFrom(io.LimitReader(r.Body, most+1))
	body = whole.Bytes()
	switch {
	case !stop(): // even if the body is whole: the deadline would cancel its call
		w.Header().Set("Connection", "close")
		refuseStopping(w)
	case int64(len(body)) > most:
		refuseTooLarge(w, most)
	case errors.Is(err, os.ErrDeadlineExceeded):
		w.Header().Set("Connection", "close")
		refuse(w, http.StatusRequestTimeout, mcp.INVALID_REQUEST, "the message took too long to arrive")
	case err != nil:
		refuse(w, http.StatusBadRequest, mcp.INVALID_REQUEST, "the message did not arrive whole")
	default:
		return body, true
	}
	return nil, false
}

// maxInitialize is the size that an initialize may have, in bytes.
const maxInitialize = 128 << 10

// maxBody returns the size that the body of a POST may have. Without a session, in the older revisions, it can only be an
// initialize.
func (h *Handler) maxBody(r *http.Request) int64 {
	if r.Header.Get(server.HeaderKeySessionID) == "" && !modern(r.Header, nil) {
		return min(maxInitialize, h.o.MaxBodyBytes)
	}
	return h.o.MaxBodyBytes
}

// refuseTooLarge answers a message whose rest is not read.
func refuseTooLarge(w http.ResponseWriter, most int64) {
	w.Header().Set("Connection", "close")
	refuse(w, http.StatusRequestEntityTooLarge, mcp.INVALID_REQUEST, fmt.Sprintf("the message is larger than %d bytes; send it in parts", most))
}

// takeAnswer hands an answer to the call of the same session that waits for it. The owner of the session is checked here
// too, because inSession lets some messages pass to the library, which refuses them; as it may answers under a number,
// which none of our questions has.
func (h *Handler) takeAnswer(w http.ResponseWriter, r *http.Request, m message, body []byte) {
	id := r.Header.Get(server.HeaderKeySessionID)
	caller, _ := CallerFrom(r.Context())
	if h.sessions.find(id, caller) != nil && h.asked.answer(id, m, body) {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	refuseWith(w, http.StatusNotFound, *m.refusal(serverError, "no question waits for this answer"))
}

// mayCancel reports whether a notifications/cancelled may reach the library. It finds running calls by session and
// request id, and calls outside a session all share the empty one: there, one client's notification would end another
// client's call. Those clients cancel by closing the response.
func mayCancel(r *http.Request, body []byte) bool {
	return r.Header.Get(server.HeaderKeySessionID) != "" && !modern(r.Header, body)
}

func (h *Handler) dispatch(ctx context.Context, w http.ResponseWriter, r *http.Request, m message) {
	out := newResponse(w, h.asked)
	defer out.abandon()
	ctx = context.WithValue(context.WithValue(ctx, responseKey{}, out), sessionsKey{}, h.sessions)
	ctx = context.WithValue(ctx, stoppingKey{}, h.draining)
	if h.fronted(ctx, r, m, out) {
		return
	}
	h.mcp.Handle(out, &server.HTTPRequest{
		Method:  r.Method,
		URL:     r.URL,
		Header:  r.Header,
		Body:    m.rest,
		Context: ctx,
	})
}
