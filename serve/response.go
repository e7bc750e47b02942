package serve

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"
)

// response is the writer that the library answers a POST through. The library and the outbox of a call both write to it:
// each Write is one whole event or one whole body, and the first of the two to write decides the form.
type response struct {
	header http.Header   // as the library sets it; copied out when the response starts
	begun  chan struct{} // closed when the response starts
	asked  *asks         // where answers to the questions on it arrive

	mu      sync.Mutex
	w       http.ResponseWriter
	started bool
}

// responseKey finds the response of the POST that a context belongs to.
type responseKey struct{}

func newResponse(w http.ResponseWriter, asked *asks) *response {
	return &response{header: http.Header{}, begun: make(chan struct{}), asked: asked, w: w}
}

// Header returns the headers that count if the library is the first to write.
func (r *response) Header() http.Header { return r.header }

// CanStream reports that events leave at once.
func (r *response) CanStream() bool { return true }

// WriteHeader starts the response, unless it has started.
func (r *response) WriteHeader(status int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.start(status, r.header)
}

// Write sends one event or one body. It does not fail: the library would log every client that has gone as an error of the server,
// and the request's context tells that it has.
func (r *response) Write(text []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.start(http.StatusOK, r.header)
	_, _ = r.w.Write(text)
	return len(text), nil
}

// Flush sends the bytes written so far.
func (r *response) Flush() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.flush()
}

// event sends a message as a server-sent event. A client that has gone is noticed by its request's context, not here.
func (r *response) event(message any) {
	text, err := json.Marshal(message)
	if err != nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.start(http.StatusOK, http.Header{"Content-Type": {"text/event-stream"}, "Cache-Control": {"no-cache"}})
	_, _ = fmt.Fprintf(r.w, "event: message\ndata: %s\n\n", text)
	r.flush()
}

// reply sends the answer to the request: as an event behind others, or by itself, with the status.
func (r *response) reply(status int, text json.RawMessage) {
	r.mu.Lock()
	started := r.started
	r.mu.Unlock()
	if started {
		r.event(text)
		return
	}
	r.header.Set("Content-Type", "application/json")
	r.WriteHeader(status)
	_, _ = r.Write(text)
}

// abandon answers a request that the library left without an answer, as it does when the request's context ends.
func (r *response) abandon() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.started {
		r.started = true
		refuseStopping(r.w)
	}
}

func (r *response) start(status int, header http.Header) {
	if r.started {
		return
	}
	r.started = true
	maps.Copy(r.w.Header(), header)
	if strings.HasPrefix(header.Get("Content-Type"), "text/event-stream") {
		r.w.Header().Set("X-Accel-Buffering", "no")
	}
	r.w.WriteHeader(status)
	close(r.begun)
}

func (r *response) flush() { _ = http.NewResponseController(r.w).Flush() }

// refuse answers with a JSON-RPC error that has no id.
func refuse(w http.ResponseWriter, status, code int, text string) {
	refuseWith(w, status, errorMessage(code, text))
}

func refuseWith(w http.ResponseWriter, status int, refusal mcp.JSONRPCError) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(refusal)
}

func refuseStopping(w http.ResponseWriter) {
	refuse(w, http.StatusServiceUnavailable, serverError, "the server is stopping; try again")
}
