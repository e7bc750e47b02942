package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// lineWriter writes one message a line, each whole, until it is closed or a write fails.
type lineWriter struct {
	log    *slog.Logger
	closed atomic.Bool   // no lock: a write to a client that does not read may hold it for ever
	failed chan struct{} // closed when a write fails
	cause  error         // why; set before failed is closed

	mu  sync.Mutex
	out io.Writer
}

func newLineWriter(out io.Writer, log *slog.Logger) *lineWriter {
	return &lineWriter{out: out, log: log, failed: make(chan struct{})}
}

// send writes a message. One that cannot be encoded is a fault of a tool: the log has it, and its request, if it is the
// answer to one, gets an internal error.
func (w *lineWriter) send(message any) {
	text, err := json.Marshal(message)
	if err != nil {
		w.log.Error("encode message", "error", err)
		reply, ok := message.(mcp.JSONRPCResponse)
		if !ok {
			return
		}
		text, _ = json.Marshal(mcp.NewJSONRPCError(reply.ID, mcp.INTERNAL_ERROR, errInternal.Error(), nil))
	}
	w.write(text)
}

// sendWritten writes a message that is JSON already, as it is: results that pass from another server are long. Where a reader could take a part of
// it for the end of a line, it is written anew.
func (w *lineWriter) sendWritten(text json.RawMessage) {
	for _, end := range []string{"\n", "\r", "\u2028", "\u2029"} {
		if bytes.Contains(text, []byte(end)) {
			w.send(text)
			return
		}
	}
	w.write(text)
}

// write writes a line.
func (w *lineWriter) write(text []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed.Load() {
		return
	}
	if _, err := w.out.Write(append(text, '\n')); err != nil {
		w.cause = fmt.Errorf("write answer: %w", err)
		w.close()
		close(w.failed)
	}
}

// close keeps a call that outlived its cancellation from writing any more.
func (w *lineWriter) close() { w.closed.Store(true) }

// err returns why a write failed.
func (w *lineWriter) err() error {
	select {
	case <-w.failed:
		return w.cause
	default:
		return nil
	}
}

// stdioSession is the client on stdio. The library's own is one for the whole process and marks its notifications as
// nobody's in particular.
type stdioSession struct {
	answers *lineWriter
	box     *outbox // for notifications to all clients
	asked   *asks   // questions that the client has not answered yet

	mu           sync.Mutex
	initialized  bool
	level        mcp.LoggingLevel
	info         mcp.Implementation
	capabilities mcp.ClientCapabilities
	version      string
}

var (
	_ server.SessionWithLogging         = (*stdioSession)(nil)
	_ server.SessionWithClientInfo      = (*stdioSession)(nil)
	_ server.SessionWithProtocolVersion = (*stdioSession)(nil)
	_ server.SessionWithElicitation     = (*stdioCall)(nil)
)

func newStdioSession(answers *lineWriter) *stdioSession {
	return &stdioSession{
		answers: answers,
		box:     newOutbox(func(n mcp.JSONRPCNotification) { answers.send(n) }),
		asked:   newAsks(),
		level:   mcp.LoggingLevelError,
	}
}

// SessionID returns the name of the only session.
func (s *stdioSession) SessionID() string { return "stdio" }

// NotificationChannel returns the queue of notifications to all clients.
func (s *stdioSession) NotificationChannel() chan<- mcp.JSONRPCNotification { return s.box.queue }

// Initialize notes that the client is ready for notifications.
func (s *stdioSession) Initialize() { s.with(func() { s.initialized = true }) }

// Initialized reports whether it is.
func (s *stdioSession) Initialized() (ok bool) { s.with(func() { ok = s.initialized }); return ok }

// SetLogLevel sets the level from which log messages are sent.
func (s *stdioSession) SetLogLevel(level mcp.LoggingLevel) { s.with(func() { s.level = level }) }

// GetLogLevel returns it.
func (s *stdioSession) GetLogLevel() (level mcp.LoggingLevel) {
	s.with(func() { level = s.level })
	return level
}

// SetClientInfo notes the client's names of itself.
func (s *stdioSession) SetClientInfo(info mcp.Implementation) {
	s.with(func() { s.info = briefly(info) })
}

// GetClientInfo returns it.
func (s *stdioSession) GetClientInfo() (info mcp.Implementation) {
	s.with(func() { info = s.info })
	return info
}

// SetClientCapabilities notes the client's capabilities.
func (s *stdioSession) SetClientCapabilities(c mcp.ClientCapabilities) {
	s.with(func() { s.capabilities = known(c) })
}

// GetClientCapabilities returns it.
func (s *stdioSession) GetClientCapabilities() (c mcp.ClientCapabilities) {
	s.with(func() { c = s.capabilities })
	return c
}

// SetProtocolVersion notes the revision that initialize settled on.
func (s *stdioSession) SetProtocolVersion(version string) { s.with(func() { s.version = version }) }

// ProtocolVersion returns it.
func (s *stdioSession) ProtocolVersion() (version string) {
	s.with(func() { version = s.version })
	return version
}

func (s *stdioSession) with(do func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	do()
}

// stdioCall is the session of one request: the client's, with an outbox and a turn of its own.
type stdioCall struct {
	*stdioSession
	box  *outbox
	turn *turn // nil outside of the order
}

// NotificationChannel returns the queue of the request's outbox.
func (s *stdioCall) NotificationChannel() chan<- mcp.JSONRPCNotification { return s.box.queue }

// RequestElicitation sends the client a question and waits for the answer. The call gives up its turn: a person may
// take minutes, and the calls behind this one would wait for them.
func (s *stdioCall) RequestElicitation(ctx context.Context, r mcp.ElicitationRequest) (*mcp.ElicitationResult, error) {
	if s.turn != nil {
		s.turn.end()
	}
	return s.asked.elicit(ctx, s.SessionID(), r.Params, s.answers.send)
}
