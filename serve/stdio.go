package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	ctxmcp "github.com/ctx-mcp/ctx-mcp"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// StdioOptions configures Stdio. The zero value works, for a Caller without any rights.
type StdioOptions struct {
	Caller       ctxmcp.Caller // who every request is from
	Logger       *slog.Logger  // must not write to out; default none
	Messages     Messages      // bounds the memory of messages under way; nil: nothing does
	MaxLineBytes int           // of one message, its newline included; default 32 MiB
	Front        Front         // stands before the server; nil: nobody does
	Grace        time.Duration // for running calls once the input has ended or ctx is done; default 10 seconds
}

func (o StdioOptions) withDefaults() StdioOptions {
	o.Logger = cmp.Or(o.Logger, slog.New(slog.DiscardHandler))
	o.MaxLineBytes = cmp.Or(o.MaxLineBytes, 32<<20)
	o.Grace = cmp.Or(o.Grace, 10*time.Second)
	return o
}

// Stdio serves s to the one client that writes messages to in and reads them from out, a line each. It returns once in
// has ended or ctx is done, and everything that was read has been answered or o.Grace has passed. It returns nil for both
// ends, and an error if reading or writing fails. Nothing but messages is written to out, and nothing at all after Stdio
// has returned. A read from in may still be waiting then. s must have been made with Options.
//
// It stands in the place of the library's own loop, which drops the calls that run or wait when the input ends, may answer
// a call before the initialize in front of it, and loses a cancellation that follows its call closely.
func Stdio(ctx context.Context, s *server.MCPServer, in io.Reader, out io.Writer, o StdioOptions) error {
	o = o.withDefaults()
	answers := newLineWriter(out, o.Logger)
	defer answers.close()
	session := newStdioSession(answers)
	if err := s.RegisterSession(ctx, session); err != nil {
		session.box.flush()
		return fmt.Errorf("begin the stdio session: %w", err)
	}
	defer s.UnregisterSession(ctx, session.SessionID())

	calls := newCalls(withCaller(context.WithoutCancel(ctx), o.Caller), s, session, o.Logger)
	calls.messages, calls.front = o.Messages, o.Front
	received := make(chan error, 1)
	go func() { received <- receive(ctx, newLineReader(in, o.MaxLineBytes), calls, answers) }()
	err := awaitEnd(ctx, received)
	if answers.err() != nil {
		calls.cancelAll()
	}
	calls.finish(o.Grace)
	return cmp.Or(answers.err(), err)
}

// awaitEnd returns the error that received yields. Once ctx is done it does not wait for long: a client that reads no
// answers holds up the loop that writes them.
func awaitEnd(ctx context.Context, received <-chan error) error {
	select {
	case err := <-received:
		return err
	case <-ctx.Done():
	}
	select {
	case err := <-received:
		return err
	case <-time.After(cancelGrace):
		return nil
	}
}

// receive starts a call for every request until the input ends, ctx is done or nobody reads the answers.
func receive(ctx context.Context, in *lineReader, calls *calls, answers *lineWriter) error {
	stop := make(chan struct{})
	defer close(stop)
	lines := readAhead(in, stop)
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case <-answers.failed:
			return nil
		case l := <-lines:
			switch {
			case l.err == nil:
				serveLine(ctx, l.text, calls, answers)
			case errors.Is(l.err, errTooLong):
				answers.send(mcp.NewJSONRPCError(idOfEnds(l.text), mcp.INVALID_REQUEST,
					fmt.Sprintf("the message is larger than %d bytes; send it in parts", in.max), nil))
			case errors.Is(l.err, io.EOF):
				return nil
			default:
				return l.err
			}
		}
	}
	return nil
}

// serveLine serves one line.
func serveLine(ctx context.Context, text []byte, calls *calls, answers *lineWriter) {
	m, refusal := parse(text)
	switch {
	case refusal != nil:
		answers.send(*refusal)
	case m.isResponse():
		calls.session.asked.answer(calls.session.SessionID(), m, text) // or nobody waits for it any more
	case m.cancels():
		calls.cancel(string(m.Params.RequestID))
	case m.Method == mcp.MethodInitialize && len(text) > maxInitialize:
		answers.send(*m.refusal(mcp.INVALID_REQUEST, fmt.Sprintf("an initialize is not larger than %d bytes", maxInitialize)))
	case m.isRequest() && m.Method != mcp.MethodInitialize:
		calls.start(ctx, m, text)
	default:
		calls.answer(calls.base, m, nil) // in place: the messages behind initialize rely on it
	}
}

// line is one line of the input, or why there is none.
type line struct {
	text []byte
	err  error
}

// readAhead reads lines until one cannot be read or stop is closed, so that a read which blocks holds up nobody.
func readAhead(in *lineReader, stop <-chan struct{}) <-chan line {
	lines := make(chan line)
	go func() {
		for {
			text, err := in.next()
			select {
			case lines <- line{text, err}:
			case <-stop:
				return
			}
			if err != nil && !errors.Is(err, errTooLong) {
				return
			}
		}
	}()
	return lines
}
