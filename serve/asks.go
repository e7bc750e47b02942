package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"
)

// asks are the requests that the server has sent to clients of the older revisions and that wait for their answers.
type asks struct {
	mu   sync.Mutex
	last int
	open map[string]openAsk // by id
}

// openAsk waits for the answer of one session, which is a whole message.
type openAsk struct {
	session string
	answer  chan []byte // holds one
}

// maxOpen is the number of requests that may wait for one session. A person answers one at a time, and over stdio it must be well
// below maxCalls: calls that wait for an answer must leave the input room to bring it.
const maxOpen = 16

var (
	errTooManyOpen = errors.New("too many requests wait for this client")
	errNoResult    = errors.New("the client answered with an error, or not in the form of an answer")
)

func newAsks() *asks { return &asks{open: map[string]openAsk{}} }

// elicit sends elicitation/create to a session and returns the result that it answers with. Once ctx is done it tells the
// client to ask no longer.
func (a *asks) elicit(
	ctx context.Context, session string, params mcp.ElicitationParams, send func(message any),
) (*mcp.ElicitationResult, error) {
	text, err := a.ask(ctx, session, string(mcp.MethodElicitationCreate), params, send)
	if err != nil {
		return nil, err
	}
	return resultOf(text)
}

// ask sends a request to a session and returns the message that answers it. Once ctx is done it tells the client to go on no longer.
func (a *asks) ask(ctx context.Context, session, method string, params any, send func(message any)) ([]byte, error) {
	id, answer, err := a.add(session)
	if err != nil {
		return nil, err
	}
	defer a.drop(id)
	send(mcp.JSONRPCRequest{JSONRPC: mcp.JSONRPC_VERSION, ID: mcp.NewRequestId(id), Params: params, Request: mcp.Request{Method: method}})
	select {
	case text := <-answer:
		return text, nil
	case <-ctx.Done():
	}
	select {
	case text := <-answer: // it came before the end did
		return text, nil
	default:
		send(cancellation(id))
		return nil, ctx.Err()
	}
}

// answer hands over a message of a session, and reports whether a request of that session waited for it.
func (a *asks) answer(session string, m message, text []byte) bool {
	var id string
	if json.Unmarshal(m.ID, &id) != nil {
		return false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	open, ok := a.open[id]
	if !ok || open.session != session {
		return false
	}
	delete(a.open, id) // the first answer counts
	open.answer <- text
	return true
}

func (a *asks) add(session string) (id string, answer <-chan []byte, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	n := 0
	for _, open := range a.open {
		if open.session == session {
			n++
		}
	}
	if n >= maxOpen {
		return "", nil, errTooManyOpen
	}
	a.last++
	id = fmt.Sprint("ask-", a.last) // a string: the library counts its own requests in numbers
	open := openAsk{session, make(chan []byte, 1)}
	a.open[id] = open
	return id, open.answer, nil
}

func (a *asks) drop(id string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.open, id)
}

// resultOf returns the result in the answer to an elicitation/create.
func resultOf(text []byte) (*mcp.ElicitationResult, error) {
	var m struct {
		Result *mcp.ElicitationResult `json:"result"`
	}
	if err := json.Unmarshal(text, &m); err != nil || m.Result == nil {
		return nil, errNoResult
	}
	return m.Result, nil
}

// cancellation is the notification that a request needs no answer any more.
func cancellation(id string) mcp.JSONRPCNotification {
	n := mcp.JSONRPCNotification{JSONRPC: mcp.JSONRPC_VERSION}
	n.Method = string(mcp.MethodNotificationCancelled)
	n.Params.AdditionalFields = map[string]any{"requestId": id, "reason": "the server waits no longer"}
	return n
}
