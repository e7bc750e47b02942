package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/ctx-mcp/ctx-mcp/serve/admission"
)

// calls are the requests under way on stdio.
type calls struct {
	base     context.Context // of every request: it carries the caller and outlives the end of the input
	server   *server.MCPServer
	session  *stdioSession
	log      *slog.Logger
	places   chan struct{} // one for each running call
	turns    turns
	running  sync.WaitGroup
	messages Messages           // nil: nothing bounds their memory
	front    Front              // nil: the server answers all
	deafen   context.CancelFunc // ends the wait for questions that no answer can come to any more

	mu   sync.Mutex
	byID map[string]*call // the id as it was written
}

// maxCalls is the number of calls that may be under way before the next line waits.
const maxCalls = 256

// call is one of them.
type call struct {
	cancel context.CancelCauseFunc
	stream bool // it ends only when it is cancelled
}

// The causes for which a call is cancelled.
var (
	errByClient = errors.New("cancelled by the client")
	errStopping = errors.New("the server is stopping")
)

func newCalls(base context.Context, s *server.MCPServer, session *stdioSession, log *slog.Logger) *calls {
	listening, deafen := context.WithCancel(context.Background())
	return &calls{
		base: context.WithValue(base, stoppingKey{}, listening), deafen: deafen, server: s, session: session, log: log,
		places: make(chan struct{}, maxCalls),
		byID:   map[string]*call{},
	}
}

// start runs a request on its own. It waits for a place, unless stopping is done first.
func (c *calls) start(stopping context.Context, m message, text []byte) {
	caller, _ := CallerFrom(c.base)
	leave, err := enter(stopping, c.messages, caller, weight(text))
	if err != nil {
		c.session.answers.send(*m.refusal(serverError, fmt.Sprintf("too much is under way; try again in %d s", retryAfter)))
		return
	}
	select {
	case c.places <- struct{}{}:
	case <-stopping.Done():
		leave()
		return
	}
	ctx, cancel := context.WithCancelCause(c.base)
	id, this := string(m.ID), &call{cancel: cancel, stream: m.listens()}
	c.mu.Lock()
	c.byID[id] = this
	c.mu.Unlock()
	turn := c.turn(m)
	c.running.Go(func() {
		defer func() {
			c.forget(id, this)
			cancel(nil)
			turn.end()
			leave()
			<-c.places
		}()
		if turn.begin(ctx) {
			c.answer(withArguments(admission.Arrived(ctx), m), m, turn)
		} else if !byClient(ctx) {
			c.session.answers.send(failure(m, errStopping.Error()))
		}
	})
}

// turn returns the place of a request in the order. Only requests that touch the state of the tools take part: a ping
// or a list is answered at once.
func (c *calls) turn(m message) *turn {
	switch m.Method {
	case mcp.MethodToolsCall:
		tool := c.server.GetTool(m.Params.Name)
		if tool == nil && c.front != nil { // of another server, which keeps its own order
			break
		}
		reads := tool == nil || tool.Tool.Annotations.ReadOnlyHint != nil && *tool.Tool.Annotations.ReadOnlyHint
		return c.turns.take(!reads)
	case mcp.MethodResourcesRead:
		return c.turns.take(false)
	}
	return &turn{ended: make(chan struct{})}
}

// answer has the library handle a message, and sends the notifications and then the result. A client that has
// cancelled a request gets no answer to it.
func (c *calls) answer(ctx context.Context, m message, turn *turn) {
	if c.fronted(ctx, m) {
		return
	}
	box := newOutbox(func(n mcp.JSONRPCNotification) { c.session.answers.send(n) })
	reply := c.handle(c.server.WithContext(ctx, &stdioCall{c.session, box, turn}), m)
	box.flush()
	if reply != nil && !byClient(ctx) {
		c.session.answers.send(reply)
	}
}

// handle is the library's HandleMessage without its panics. Those of tools do not get this far.
func (c *calls) handle(ctx context.Context, m message) (reply mcp.JSONRPCMessage) {
	defer func() {
		if p := recover(); p != nil {
			c.log.ErrorContext(ctx, "panic", "method", m.Method, "panic", p, "stack", string(debug.Stack()))
			if m.isRequest() {
				reply = failure(m, errInternal.Error())
			}
		}
	}()
	return c.server.HandleMessage(ctx, m.rest)
}

// cancel ends the call with the id on behalf of the client. An id that nothing runs under is not an error.
func (c *calls) cancel(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if call, ok := c.byID[id]; ok {
		call.cancel(errByClient)
	}
}

// cancelAll ends every call.
func (c *calls) cancelAll() { c.cancelWhere(func(*call) bool { return true }) }

func (c *calls) cancelWhere(match func(*call) bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, call := range c.byID {
		if match(call) {
			call.cancel(errStopping)
		}
	}
}

func (c *calls) forget(id string, this *call) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byID[id] == this {
		delete(c.byID, id)
	}
}

// finish ends the streams and the questions, waits for the calls, and cancels the calls that still run after grace.
func (c *calls) finish(grace time.Duration) {
	c.deafen()
	c.cancelWhere(func(call *call) bool { return call.stream })
	c.running.Go(c.session.box.flush)
	done := make(chan struct{})
	go func() { c.running.Wait(); close(done) }()
	select {
	case <-done:
		return
	case <-time.After(grace):
	}
	c.log.Warn("calls still ran after the grace and are cancelled", "grace", grace)
	c.cancelAll()
	select {
	case <-done:
	case <-time.After(cancelGrace):
	}
}

func byClient(ctx context.Context) bool { return context.Cause(ctx) == errByClient }

// failure answers a request with an internal error.
func failure(m message, text string) mcp.JSONRPCError {
	var id any
	_ = json.Unmarshal(m.ID, &id) // parse has accepted it
	return mcp.NewJSONRPCError(mcp.NewRequestId(id), mcp.INTERNAL_ERROR, text, nil)
}
