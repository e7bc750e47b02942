package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	ctxmcp "github.com/ctx-mcp/ctx-mcp"
)

// Front stands before the server: it answers messages in its place, or changes its answers. Messages pass as they were sent, so that
// nothing which this program does not know of is lost.
type Front interface {
	// Answer answers a request, or reports false: then the server does. own has the server answer a message.
	Answer(ctx context.Context, from Peer, method string, params json.RawMessage, own func(params json.RawMessage) Reply) (reply Reply, mine bool)
	// Notice takes in a notification of a client, beside the server.
	Notice(ctx context.Context, from Peer, method string, params json.RawMessage)
}

// Reply is the outcome of a request: one of both is set.
type Reply struct {
	Result json.RawMessage
	Error  json.RawMessage // an object with code and message
}

// Failed returns the reply that is a JSON-RPC error.
func Failed(code int, message string) Reply {
	text, err := json.Marshal(map[string]any{"code": code, "message": message})
	if err != nil {
		panic(err) // a number and a string
	}
	return Reply{Error: text}
}

// Peer is the client that a message came from.
type Peer struct {
	Caller  ctxmcp.Caller
	Session string // of the protocol; "" where there is none
	Label   string // that the client's configuration gives its session, in the header X-Ctx-Session; "" without
	Lasting bool   // it can be told and asked outside of its requests: the one client on stdio
	Modern  bool   // it speaks a revision without sessions, and cannot be asked in the middle of a call
	Can     mcp.ClientCapabilities
	Version string // of the protocol

	send func(message any)
	asks *asks
}

// Notify sends the client a notification, before the reply to the request that the Peer came with.
func (p Peer) Notify(method string, params json.RawMessage) {
	p.send(notification{mcp.JSONRPC_VERSION, method, params})
}

type notification struct {
	JSONRPC string          `json:"jsonrpc"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params,omitempty"`
}

var errCannotBeAsked = errors.New("the client takes no requests here")

// Request sends the client a request and returns its reply. A client of a revision without sessions takes none.
func (p Peer) Request(ctx context.Context, method string, params json.RawMessage) (Reply, error) {
	if p.Modern || p.Session == "" {
		return Reply{}, errCannotBeAsked
	}
	if stopping, ok := ctx.Value(stoppingKey{}).(context.Context); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(stopping, cancel)()
	}
	var with any
	if len(params) > 0 {
		with = params
	}
	text, err := p.asks.ask(ctx, p.Session, method, with, p.send)
	if err != nil {
		return Reply{}, err
	}
	var m struct{ Result, Error json.RawMessage }
	if err := json.Unmarshal(text, &m); err != nil || len(m.Result)+len(m.Error) == 0 {
		return Reply{}, errNoResult
	}
	return Reply{m.Result, m.Error}, nil
}

// asked returns a context in which an Asker finds what it needs to ask the client about a call.
func (p Peer) asked(ctx context.Context, params json.RawMessage) context.Context {
	var call mcp.CallToolParams
	if err := json.Unmarshal(params, &call); err != nil {
		return ctx
	}
	if p.Modern {
		ctx = server.WithRequestProtocolInfo(ctx, &server.RequestProtocolInfo{Modern: true, ProtocolVersion: p.Version, ClientCapabilities: &p.Can})
	}
	return context.WithValue(context.WithValue(ctx, roundKey{}, &round{call}), peerKey{}, p)
}

// peerKey finds the Peer of a call that a Front answers.
type peerKey struct{}

// AskPeer puts a question about a tool call that a Front answers, as Ask does. A question that ends the call comes back as its result.
func (a *Asker) AskPeer(ctx context.Context, p Peer, params json.RawMessage, q ctxmcp.Question, keep any) (answer ctxmcp.Answer, result json.RawMessage, err error) {
	answer, err = a.Ask(p.asked(ctx, params), q, keep)
	if e, ok := errors.AsType[asking](err); ok {
		result, err = json.Marshal(e.result)
	}
	return answer, result, err
}

// KeptByPeer is Kept for a call that a Front answers.
func (a *Asker) KeptByPeer(ctx context.Context, p Peer, params json.RawMessage, into any) (bool, error) {
	return a.Kept(p.asked(ctx, params), into)
}

// lifted are the parts of a message that a Front works with.
type lifted struct {
	ID     json.RawMessage `json:"id"`
	Params json.RawMessage `json:"params"`
}

// fronted has the front answer a request. own answers a whole message in the name of the server. It returns nil if the request is the server's.
func fronted(ctx context.Context, f Front, log *slog.Logger, p Peer, m message, own func(text []byte) Reply) (reply json.RawMessage) {
	var parts lifted
	if json.Unmarshal(m.whole, &parts) != nil {
		return nil
	}
	defer func() {
		if broken := recover(); broken != nil {
			log.ErrorContext(ctx, "panic", "method", m.Method, "panic", broken, "stack", string(debug.Stack()))
			reply = Failed(mcp.INTERNAL_ERROR, errInternal.Error()).message(parts.ID)
		}
	}()
	answer, mine := f.Answer(ctx, p, string(m.Method), parts.Params, func(params json.RawMessage) Reply {
		text, err := json.Marshal(struct {
			JSONRPC string          `json:"jsonrpc"`
			ID      json.RawMessage `json:"id"`
			Method  mcp.MCPMethod   `json:"method"`
			Params  json.RawMessage `json:"params,omitempty"`
		}{mcp.JSONRPC_VERSION, parts.ID, m.Method, params})
		if err != nil {
			return Failed(mcp.INTERNAL_ERROR, errInternal.Error())
		}
		return own(text)
	})
	if !mine {
		return nil
	}
	return answer.message(parts.ID)
}

// message returns the reply as a message.
func (r Reply) message(id json.RawMessage) json.RawMessage {
	var b bytes.Buffer
	name, value := "result", r.Result
	if r.Error != nil {
		name, value = "error", r.Error
	}
	if value == nil {
		value = json.RawMessage("{}")
	}
	fmt.Fprintf(&b, `{"jsonrpc":"2.0","id":%s,"%s":%s}`, id, name, value)
	return b.Bytes()
}

// replyIn returns the reply that a message of the server holds.
func replyIn(text []byte) Reply {
	var m struct{ Result, Error json.RawMessage }
	if json.Unmarshal(text, &m) != nil || len(m.Result)+len(m.Error) == 0 {
		return Failed(mcp.INTERNAL_ERROR, errInternal.Error())
	}
	return Reply{m.Result, m.Error}
}

// said returns the protocol and the capabilities that a message of the revisions without sessions brings with it.
func (m message) said() (version string, can mcp.ClientCapabilities, modern bool) {
	var in struct {
		Params struct {
			Meta *mcp.Meta `json:"_meta"`
		} `json:"params"`
	}
	if json.Unmarshal(m.rest, &in) != nil || !mcp.IsModernProtocol(in.Params.Meta.ProtocolVersion()) {
		return "", can, false
	}
	if named := in.Params.Meta.ClientCapabilities(); named != nil {
		can = *named
	}
	return in.Params.Meta.ProtocolVersion(), can, true
}

// peer returns the client on stdio, as a message came from it.
func (c *calls) peer(m message) Peer {
	caller, _ := CallerFrom(c.base)
	p := Peer{
		Caller: caller, Session: c.session.SessionID(), Lasting: true, Can: c.session.GetClientCapabilities(), Version: c.session.ProtocolVersion(),
		send: c.session.answers.send, asks: c.session.asked,
	}
	if version, can, modern := m.said(); modern {
		p.Modern, p.Version, p.Can = true, version, can
	}
	return p
}

// fronted has the front answer a request on stdio; false: it is the server's.
func (c *calls) fronted(ctx context.Context, m message) bool {
	if c.front == nil {
		return false
	}
	p := c.peer(m)
	if !m.isRequest() {
		c.front.Notice(ctx, p, string(m.Method), paramsOf(m))
		return false
	}
	box := newOutbox(func(n mcp.JSONRPCNotification) { c.session.answers.send(n) })
	defer box.flush()
	text := fronted(ctx, c.front, c.log, p, m, func(text []byte) Reply {
		again, refusal := parse(text)
		if refusal != nil {
			return Failed(refusal.Error.Code, refusal.Error.Message)
		}
		own := c.handle(c.server.WithContext(ctx, &stdioCall{c.session, box, nil}), again)
		out, err := json.Marshal(own)
		if err != nil {
			return Failed(mcp.INTERNAL_ERROR, errInternal.Error())
		}
		return replyIn(out)
	})
	if text != nil && !byClient(ctx) {
		c.session.answers.sendWritten(text)
	}
	return text != nil
}

func paramsOf(m message) json.RawMessage {
	var parts lifted
	_ = json.Unmarshal(m.whole, &parts) // parse has accepted it
	return parts.Params
}

// peer returns the client of a POST.
func (h *Handler) peer(r *http.Request, m message, out *response) Peer {
	caller, _ := CallerFrom(r.Context())
	p := Peer{Caller: caller, Label: r.Header.Get("X-Ctx-Session"), send: out.event, asks: h.asked}
	if version, can, modern := m.said(); modern {
		p.Modern, p.Version, p.Can = true, version, can
		return p
	}
	if p.Session = r.Header.Get(server.HeaderKeySessionID); p.Session != "" {
		said, _ := h.sessions.known(p.Session)
		p.Can, p.Version = said.can, said.version
	}
	return p
}

// fronted has the front answer a POST; false: it is the server's.
func (h *Handler) fronted(ctx context.Context, r *http.Request, m message, out *response) bool {
	if h.o.Front == nil || m.whole == nil {
		return false
	}
	p := h.peer(r, m, out)
	if !agrees(r.Header, p, m) {
		return false
	}
	if !m.isRequest() {
		h.o.Front.Notice(ctx, p, string(m.Method), paramsOf(m))
		return false
	}
	ctx, end := h.answering.begin(ctx, p.Session, m.ID)
	defer end()
	refused := http.StatusOK // by the library: the status of an error that the front hands on
	text := fronted(ctx, h.o.Front, h.o.Logger, p, m, func(text []byte) Reply {
		c := &captured{header: http.Header{}, status: http.StatusOK}
		h.mcp.Handle(c, &server.HTTPRequest{Method: r.Method, URL: r.URL, Header: r.Header, Body: text, Context: ctx})
		for name, values := range c.header {
			out.header[name] = values // of initialize: the session
		}
		out.header.Del("Content-Length")
		reply := replyIn(c.body.Bytes())
		if reply.Error != nil {
			refused = c.status
		}
		return reply
	})
	if text == nil {
		return false
	}
	if replyIn(text).Error == nil {
		refused = http.StatusOK
	}
	out.reply(refused, text)
	return true
}

// agrees reports whether the headers of a POST say the same as its message, as the revision without sessions requires. The library refuses one
// that does not, as it refuses those that are its own.
func agrees(header http.Header, p Peer, m message) bool {
	if !p.Modern {
		return !mcp.IsModernProtocol(header.Get(mcp.HeaderProtocolVersion))
	}
	return header.Get(mcp.HeaderProtocolVersion) == p.Version && header.Get(mcp.HeaderLastEventID) == "" &&
		mcp.ValidateStandardHeaders(header.Get, p.Version, m.Method, paramsOf(m)) == nil
}

// captured is the answer of the library to a message that a Front gave it.
type captured struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (c *captured) Header() http.Header            { return c.header }
func (c *captured) WriteHeader(status int)         { c.status = status }
func (c *captured) Write(text []byte) (int, error) { return c.body.Write(text) }
func (c *captured) Flush()                         {}
func (c *captured) CanStream() bool                { return false }

// answering are the requests of sessions that a Front answers, for their cancellation.
type answering struct {
	mu   sync.Mutex
	ends map[[2]string]context.CancelCauseFunc // by session and id
}

// begin returns the context of a request, which ends with its cancellation.
func (a *answering) begin(ctx context.Context, session string, id json.RawMessage) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	key := [2]string{session, string(id)}
	if session == "" {
		return ctx, func() { cancel(nil) }
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.ends == nil {
		a.ends = map[[2]string]context.CancelCauseFunc{}
	}
	a.ends[key] = cancel
	return ctx, func() {
		a.mu.Lock()
		delete(a.ends, key)
		a.mu.Unlock()
		cancel(nil)
	}
}

// cancel ends a request of a session, if it is answered now.
func (a *answering) cancel(session string, id json.RawMessage) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if end := a.ends[[2]string{session, string(id)}]; end != nil {
		end(errByClient)
	}
}
