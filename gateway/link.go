package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"sync/atomic"

	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/ctx-mcp/ctx-mcp/directives/upstream"
	"github.com/ctx-mcp/ctx-mcp/schema/ijson"
	"github.com/ctx-mcp/ctx-mcp/serve"
)

// link is the wire to one server. Messages pass as they are.
type link interface {
	// request sends a request and returns the reply. Once ctx is done the server is told, and nobody waits any more.
	request(ctx context.Context, method string, params json.RawMessage) (serve.Reply, error)
	notify(ctx context.Context, method string, params json.RawMessage) error
	agreed(version string) // tells the wire the revision that was agreed on
	gone() <-chan struct{} // closed once the wire is of no more use
	close()
}

// ears take in what a server sends of its own accord.
type ears struct {
	notified func(method string, params json.RawMessage)
	asked    func(ctx context.Context, method string, params json.RawMessage) serve.Reply
}

// frame is a message on the wire.
type frame struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   json.RawMessage `json:"error,omitempty"`
}

// readFrame takes a message apart, in one pass behind the check that it is JSON. Its parts are parts of the text.
func readFrame(text []byte) (f frame, ok bool) {
	if !ijson.Valid(text) {
		return f, false
	}
	for quoted, value := range ijson.Members(text) {
		name, err := ijson.Unquote(quoted)
		if err != nil {
			return f, false
		}
		switch name {
		case "id":
			f.ID = value
		case "params":
			f.Params = value
		case "result":
			f.Result = value
		case "error":
			f.Error = value
		case "method":
			if json.Unmarshal(value, &f.Method) != nil {
				return f, false
			}
		}
	}
	return f, true
}

var (
	errGone    = errors.New("the connection has ended")
	errUnsent  = fmt.Errorf("%w before the request was sent", errGone)
	errTooLong = errors.New("the server sent a message that is larger than the limit")
)

// lines is a link over two pipes: a message a line.
type lines struct {
	ears ears
	out  io.Writer

	writing sync.Mutex // of out
	last    atomic.Int64
	mu      sync.Mutex
	waiting map[string]chan frame         // by id
	asking  map[string]context.CancelFunc // the server's requests, by its id
	over    chan struct{}
	once    sync.Once
	life    context.Context
	giveUp  context.CancelFunc
}

// newLines returns a link. It reads until the input ends.
func newLines(in io.Reader, out io.Writer, most int, e ears) *lines {
	l := &lines{ears: e, out: out, waiting: map[string]chan frame{}, asking: map[string]context.CancelFunc{}, over: make(chan struct{})}
	l.life, l.giveUp = context.WithCancel(context.Background())
	go l.read(in, most)
	return l
}

func (l *lines) read(in io.Reader, most int) {
	defer l.close()
	r := newLineReader(in, most)
	for {
		text, err := r.next()
		if err != nil {
			return
		}
		if f, ok := readFrame(text); ok {
			l.take(f)
		}
	}
}

func (l *lines) take(f frame) {
	switch id := string(f.ID); {
	case f.Method != "" && id != "" && id != "null":
		l.answer(f)
	case f.Method == string(mcp.MethodNotificationCancelled):
		var which struct {
			ID json.RawMessage `json:"requestId"`
		}
		_ = json.Unmarshal(f.Params, &which) // without an id nothing is cancelled
		l.mu.Lock()
		cancel := l.asking[string(which.ID)]
		l.mu.Unlock()
		if cancel != nil {
			cancel()
		}
	case f.Method != "":
		l.ears.notified(f.Method, f.Params)
	default:
		l.mu.Lock()
		answer := l.waiting[id]
		delete(l.waiting, id)
		l.mu.Unlock()
		if answer != nil {
			answer <- f
		}
	}
}

// maxAsking is the number of requests of a server that may wait for their answers.
const maxAsking = 32

// answer has a request of the server answered.
func (l *lines) answer(f frame) {
	ctx, cancel := context.WithCancel(l.life)
	id := string(f.ID)
	l.mu.Lock()
	full := len(l.asking) >= maxAsking
	if !full {
		l.asking[id] = cancel
	}
	l.mu.Unlock()
	if full {
		cancel()
		refused := serve.Failed(mcp.INTERNAL_ERROR, "too many requests wait already")
		go func() { _ = l.write(frame{ID: f.ID, Error: refused.Error}) }() // a server that has gone needs no answer
		return
	}
	go func() {
		defer cancel()
		reply := l.ears.asked(ctx, f.Method, f.Params)
		l.mu.Lock()
		delete(l.asking, id)
		l.mu.Unlock()
		_ = l.write(frame{ID: f.ID, Result: reply.Result, Error: reply.Error}) // a server that has gone needs no answer
	}()
}

func (l *lines) request(ctx context.Context, method string, params json.RawMessage) (serve.Reply, error) {
	id, answer := fmt.Sprint(l.last.Add(1)), make(chan frame, 1)
	l.mu.Lock()
	l.waiting[id] = answer
	l.mu.Unlock()
	defer func() {
		l.mu.Lock()
		delete(l.waiting, id)
		l.mu.Unlock()
	}()
	if err := l.write(frame{ID: json.RawMessage(id), Method: method, Params: params}); err != nil {
		return serve.Reply{}, err
	}
	select {
	case f := <-answer:
		return serve.Reply{Result: f.Result, Error: f.Error}, nil
	case <-l.over:
	case <-ctx.Done():
		if method != string(mcp.MethodInitialize) {
			_ = l.notify(context.Background(), string(mcp.MethodNotificationCancelled), json.RawMessage(`{"requestId":`+id+`,"reason":"the client waits no longer"}`))
		}
		return serve.Reply{}, ctx.Err()
	}
	select {
	case f := <-answer: // it came before the end
		return serve.Reply{Result: f.Result, Error: f.Error}, nil
	default:
		return serve.Reply{}, errGone
	}
}

func (l *lines) notify(_ context.Context, method string, params json.RawMessage) error {
	return l.write(frame{Method: method, Params: params})
}

// write sends one message. A server that does not read holds up whoever writes to it, and nobody else; its end frees them.
func (l *lines) write(f frame) error {
	f.JSONRPC = mcp.JSONRPC_VERSION
	text, err := ijson.Compact(f)
	if err != nil {
		return err
	}
	select {
	case <-l.over:
		return errUnsent
	default:
	}
	l.writing.Lock()
	defer l.writing.Unlock()
	if _, err := l.out.Write(append(text, '\n')); err != nil {
		l.close()
		return errUnsent
	}
	return nil
}

func (l *lines) agreed(string)         {}
func (l *lines) gone() <-chan struct{} { return l.over }

func (l *lines) close() {
	l.once.Do(func() {
		close(l.over)
		l.giveUp()
	})
}

// web is a link over Streamable HTTP, by the library's transport: it hands results on as they are, and notifications and requests of
// the server as values.
type web struct {
	t       *transport.StreamableHTTP
	over    chan struct{}
	once    sync.Once
	last    atomic.Int64
	version atomic.Value // string
}

func newWeb(ctx context.Context, url string, headers map[string]string, by http.RoundTripper, most int64, e ears) (*web, error) {
	//lint:ignore SA1019 servers of the older revisions tell of changes on that stream only
	listening := transport.WithContinuousListening()
	t, err := transport.NewStreamableHTTP(url, transport.WithHTTPHeaders(headers), transport.WithHTTPLogger(silent),
		listening, transport.WithHTTPBasicClient(&http.Client{
			Transport:     limited{by, most},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }, // headers are for this host alone
		}))
	if err != nil {
		return nil, err
	}
	t.SetNotificationHandler(func(n mcp.JSONRPCNotification) {
		if params, err := json.Marshal(n.Params); err == nil {
			e.notified(n.Method, params)
		}
	})
	t.SetRequestHandler(func(ctx context.Context, r transport.JSONRPCRequest) (*transport.JSONRPCResponse, error) {
		params, err := json.Marshal(r.Params)
		if err != nil {
			return nil, err
		}
		reply := e.asked(ctx, r.Method, params)
		if reply.Error == nil {
			return transport.NewJSONRPCResultResponse(r.ID, reply.Result), nil
		}
		out := &transport.JSONRPCResponse{JSONRPC: mcp.JSONRPC_VERSION, ID: r.ID, Error: &mcp.JSONRPCErrorDetails{}}
		return out, json.Unmarshal(reply.Error, out.Error)
	})
	return &web{t: t, over: make(chan struct{})}, t.Start(ctx)
}

func (w *web) request(ctx context.Context, method string, params json.RawMessage) (serve.Reply, error) {
	id := w.last.Add(1)
	request := transport.JSONRPCRequest{JSONRPC: mcp.JSONRPC_VERSION, ID: mcp.NewRequestId(id), Method: method}
	if params != nil {
		request.Params = params
	}
	if version, _ := w.version.Load().(string); mcp.IsModernProtocol(version) {
		request.Header = http.Header{}
		for name, value := range mcp.StandardHeaders(version, mcp.MCPMethod(method), params) {
			request.Header.Set(name, value)
		}
	}
	got, err := w.t.SendRequest(ctx, request)
	switch {
	case ctx.Err() != nil:
		note := json.RawMessage(fmt.Sprintf(`{"requestId":%d,"reason":"the client waits no longer"}`, id))
		go func() { _ = w.notify(context.WithoutCancel(ctx), string(mcp.MethodNotificationCancelled), note) }() // it may have gone
		return serve.Reply{}, ctx.Err()
	case errors.Is(err, transport.ErrSessionTerminated):
		w.close()
		return serve.Reply{}, errUnsent
	case errors.Is(err, transport.ErrLegacySSEServer): // a refusal of the handshake by its status, which newer servers give, too
		return serve.Failed(mcp.INVALID_REQUEST, "its status is one of 4xx"), nil
	case err != nil:
		return serve.Reply{}, err
	case got.Error != nil:
		text, err := json.Marshal(got.Error)
		return serve.Reply{Error: text}, err
	}
	return serve.Reply{Result: got.Result}, nil
}

func (w *web) notify(ctx context.Context, method string, params json.RawMessage) error {
	n := mcp.JSONRPCNotification{JSONRPC: mcp.JSONRPC_VERSION}
	n.Method = method
	if params != nil {
		if err := json.Unmarshal(params, &n.Params); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return w.t.SendNotification(ctx, n)
}

func (w *web) agreed(version string) {
	w.version.Store(version)
	w.t.SetProtocolVersion(version)
}

func (w *web) gone() <-chan struct{} { return w.over }

func (w *web) close() {
	w.once.Do(func() {
		close(w.over)
		go func() { _ = w.t.Close() }() // it tells the server, which may hang
	})
}

// limited bounds the body of every answer but that of a GET, whose stream lasts.
type limited struct {
	http.RoundTripper
	most int64
}

func (l limited) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Method == http.MethodGet {
		return l.RoundTripper.RoundTrip(r)
	}
	return upstream.Limited{RoundTripper: l.RoundTripper, Most: l.most}.RoundTrip(r)
}
