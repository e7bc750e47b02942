package serve

import (
	"context"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// outbox sends the notifications of one call, in order, on the response of that call. The library's own way over HTTP
// is a channel which all calls of a session share and whose reader drops its notifications when the answer overtakes
// it.
type outbox struct {
	queue   chan mcp.JSONRPCNotification
	closing chan struct{}
	sent    chan struct{}
}

// outboxSize is the number of notifications that may wait for a slow client; the next one is refused to the handler.
const outboxSize = 100

// newOutbox returns an outbox that hands every notification to send. The caller must flush it.
func newOutbox(send func(mcp.JSONRPCNotification)) *outbox {
	box := &outbox{
		queue:   make(chan mcp.JSONRPCNotification, outboxSize),
		closing: make(chan struct{}),
		sent:    make(chan struct{}),
	}
	go box.run(send)
	return box
}

func (box *outbox) run(send func(mcp.JSONRPCNotification)) {
	defer close(box.sent)
	for {
		select {
		case n := <-box.queue:
			send(n)
		case <-box.closing:
			box.rest(send)
			return
		}
	}
}

func (box *outbox) rest(send func(mcp.JSONRPCNotification)) {
	for {
		select {
		case n := <-box.queue:
			send(n)
		default:
			return
		}
	}
}

// flush returns when everything that was queued before it has been sent. A later one is dropped: the channel stays
// open, because a goroutine that a handler left behind may still write to it.
func (box *outbox) flush() {
	close(box.closing)
	<-box.sent
}

// httpSession is everything that the library's HTTP sessions can do, so that a callSession can do it too.
type httpSession interface {
	server.SessionWithLogging
	server.SessionWithTools
	server.SessionWithResources
	server.SessionWithResourceTemplates
	server.SessionWithClientInfo
	server.SessionWithProtocolVersion
	server.SessionWithStreamableHTTPConfig
	server.SessionWithSubscriptionFilter
	server.SessionWithSampling
	server.SessionWithElicitation
	server.SessionWithRoots
}

// callSession is the session of one tool call over HTTP: the client's, with an outbox of its own, and with the response
// to the call for the questions to the client.
type callSession struct {
	httpSession
	box   *outbox
	out   *response
	asked *asks
}

// NotificationChannel returns the queue of the call's outbox.
func (s *callSession) NotificationChannel() chan<- mcp.JSONRPCNotification { return s.box.queue }

// RequestElicitation sends the client a question on the response to the call and waits for the POST that answers it. The
// library has to know that the result will be an event behind it.
func (s *callSession) RequestElicitation(ctx context.Context, r mcp.ElicitationRequest) (*mcp.ElicitationResult, error) {
	s.UpgradeToSSEWhenReceiveNotification()
	return s.asked.elicit(ctx, s.SessionID(), r.Params, s.out.event)
}

// deliver is tool middleware that has every notification of a call on its response before the call returns.
func deliver(next server.ToolHandlerFunc) server.ToolHandlerFunc {
	return func(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		out, overHTTP := ctx.Value(responseKey{}).(*response)
		session, ok := server.ClientSessionFromContext(ctx).(httpSession)
		if !overHTTP || !ok {
			return next(ctx, request)
		}
		box := newOutbox(func(n mcp.JSONRPCNotification) { out.event(n) })
		defer box.flush()
		ctx = server.ServerFromContext(ctx).WithContext(ctx, &callSession{session, box, out, out.asked})
		return next(ctx, request)
	}
}

// acknowledged is a hook that holds back the result of subscriptions/listen until the acknowledgement, which the
// library sends in its own way, is on the response. If nothing can be subscribed to, the result follows at once and
// would overtake it.
func acknowledged(ctx context.Context, _ any, _ *mcp.SubscriptionsListenRequest, _ *mcp.SubscriptionsListenResult) {
	if out, overHTTP := ctx.Value(responseKey{}).(*response); overHTTP {
		select {
		case <-out.begun:
		case <-ctx.Done():
		}
	}
}
