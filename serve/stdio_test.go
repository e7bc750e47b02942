package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// pipe gives lines to Stdio, ends the input, and returns the messages that come out. It fails the test if Stdio does not
// return nil or if anything but a JSON-RPC message is written.
func pipe(t *testing.T, f *fixture, o StdioOptions, lines ...string) []string {
	t.Helper()
	var out bytes.Buffer
	o.Logger = f.logger()
	if err := Stdio(t.Context(), f.MCPServer, strings.NewReader(strings.Join(lines, "\n")), &out, o); err != nil {
		t.Errorf("Stdio = %v, want nil", err)
	}
	return messages(t, out.String())
}

// messages splits the output into messages, and accounts for every byte.
func messages(t *testing.T, out string) []string {
	t.Helper()
	var all []string
	for text := range strings.Lines(out) {
		var m struct {
			JSONRPC string `json:"jsonrpc"`
		}
		if err := json.Unmarshal([]byte(text), &m); err != nil || m.JSONRPC != "2.0" || !strings.HasSuffix(text, "\n") {
			t.Errorf("written: %q, want one JSON-RPC message and a newline (%v)", text, err)
		}
		all = append(all, strings.TrimSuffix(text, "\n"))
	}
	return all
}

// brief returns messages as "id text", "id error code" or "method".
func brief(messages []string) []string {
	var all []string
	for _, text := range messages {
		var m struct {
			ID     any
			Method string
			Result struct{ Content []struct{ Text string } }
			Error  *struct{ Code int }
		}
		_ = json.Unmarshal([]byte(text), &m)
		switch {
		case m.Method != "":
			all = append(all, m.Method)
		case m.Error != nil:
			all = append(all, fmt.Sprint(m.ID, " error ", m.Error.Code))
		case len(m.Result.Content) > 0:
			all = append(all, fmt.Sprint(m.ID, " ", m.Result.Content[0].Text))
		default:
			all = append(all, fmt.Sprint(m.ID, " result"))
		}
	}
	return all
}

func same(t *testing.T, what string, want, got []string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s: messages differ (-want +got):\n%s", what, diff)
	}
}

// nap answers after some time, or at once when it is cancelled.
func nap(length time.Duration) server.ToolHandlerFunc {
	return func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		select {
		case <-time.After(length):
			return mcp.NewToolResultText("rested"), nil
		case <-ctx.Done():
			return mcp.NewToolResultText("woken"), nil
		}
	}
}

func TestEndOfInputDoesNotCancelWhatWasAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		f.AddTool(mcp.NewTool("nap", mcp.WithReadOnlyHintAnnotation(true)), nap(9*time.Second))
		got := brief(pipe(t, f, StdioOptions{}, toolCall(1, "nap"), toolCall(2, "nap"), toolCall(3, "nap")))
		slices.Sort(got)
		same(t, "three calls and the end", []string{"1 rested", "2 rested", "3 rested"}, got)
	})
}

func TestCallsAreCancelledAfterTheGrace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		f.AddTool(mcp.NewTool("nap"), nap(time.Hour))
		got := brief(pipe(t, f, StdioOptions{Grace: time.Second}, toolCall(1, "nap"), toolCall(2, "nap")))
		slices.Sort(got)
		same(t, "two long calls and the end", []string{"1 woken", "2 error -32603"}, got)
	})
}

func TestCallThatIgnoresItsCancellationDoesNotHoldUpTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		f.AddTool(mcp.NewTool("stubborn"), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			<-f.release
			return mcp.NewToolResultText("late"), nil
		})
		var out bytes.Buffer
		began := time.Now()
		in := strings.NewReader(toolCall(1, "stubborn"))
		if err := Stdio(t.Context(), f.MCPServer, in, &out, StdioOptions{}); err != nil {
			t.Errorf("Stdio = %v, want nil", err)
		}
		if took := time.Since(began); took != 11*time.Second {
			t.Errorf("Stdio took %s, want the grace of 10 s and 1 s", took)
		}
		close(f.release)
		synctest.Wait()
		same(t, "after the end", nil, messages(t, out.String()))
	})
}

// conversation is a Stdio under test that a test talks to line by line, inside a synctest bubble.
type conversation struct {
	t    *testing.T
	in   *io.PipeWriter
	out  *logBuffer
	seen int
	stop context.CancelFunc
	done chan error
}

func startStdio(t *testing.T, f *fixture) *conversation {
	ctx, cancel := context.WithCancel(t.Context())
	in, feed := io.Pipe()
	c := &conversation{t: t, in: feed, out: &logBuffer{}, stop: cancel, done: make(chan error, 1)}
	go func() { c.done <- Stdio(ctx, f.MCPServer, in, c.out, StdioOptions{Logger: f.logger()}) }()
	return c
}

func (c *conversation) write(lines ...string) {
	for _, line := range lines {
		if _, err := io.WriteString(c.in, line+"\n"); err != nil {
			c.t.Errorf("write: %v", err)
		}
	}
}

// read returns the output since the last read.
func (c *conversation) read() []string {
	all := messages(c.t, c.out.String())
	fresh := all[c.seen:]
	c.seen = len(all)
	return fresh
}

func (c *conversation) expectStarted(f *fixture, want ...string) {
	c.t.Helper()
	var got []string
	for len(f.started) > 0 {
		got = append(got, <-f.started)
	}
	slices.Sort(got)
	same(c.t, "started", want, got)
}

// end closes the input and waits for Stdio.
func (c *conversation) end() {
	c.in.Close()
	if err := <-c.done; err != nil {
		c.t.Errorf("Stdio = %v, want nil", err)
	}
	c.stop()
}

func TestDoneContextLetsCallsFinish(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		c := startStdio(t, f)
		c.write(toolCall(1, "wait"))
		<-f.started
		c.stop()
		synctest.Wait()
		close(f.release)
		if err := <-c.done; err != nil {
			t.Errorf("Stdio = %v, want nil", err)
		}
		same(t, "after the stop", []string{"1 finished"}, brief(c.read()))
		c.in.Close() // a read that is still waiting
	})
}

func TestListenStreamEndsWithTheInput(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t, server.WithToolCapabilities(true))
		listen, _ := modernRPC(7, "subscriptions/listen",
			map[string]any{"notifications": map[string]any{"toolsListChanged": true}})
		began := time.Now()
		got := brief(pipe(t, f, StdioOptions{}, listen))
		same(t, "listen and the end", []string{"notifications/subscriptions/acknowledged", "7 result"}, got)
		if took := time.Since(began); took != 0 {
			t.Errorf("the stream held up the end for %s", took)
		}
	})
}

// brokenPipe is an output whose reader has gone.
type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestBrokenOutputEndsTheService(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		in, feed := io.Pipe()
		done := make(chan error, 1)
		go func() { done <- Stdio(t.Context(), f.MCPServer, in, brokenPipe{}, StdioOptions{}) }()
		_, _ = io.WriteString(feed, toolCall(1, "wait")+"\n"+rpc(2, "ping", nil)+"\n")
		if err := <-done; !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("Stdio = %v, want the error of the output", err)
		}
		feed.Close()
	})
}

func TestClientThatDoesNotReadDoesNotHoldUpTheEnd(t *testing.T) {
	for _, request := range []string{initialize, toolCall(1, "whoami")} {
		synctest.Test(t, func(t *testing.T) {
			f := newFixture(t)
			ctx, cancel := context.WithCancel(t.Context())
			in, feed := io.Pipe()
			deaf, out := io.Pipe()
			done := make(chan error, 1)
			go func() { done <- Stdio(ctx, f.MCPServer, in, out, StdioOptions{}) }()
			_, _ = io.WriteString(feed, request+"\n")
			synctest.Wait()
			cancel()
			if err := <-done; err != nil {
				t.Errorf("Stdio = %v, want nil", err)
			}
			deaf.Close()
			feed.Close()
		})
	}
}

func TestUnreadableInputIsAnError(t *testing.T) {
	in := io.MultiReader(strings.NewReader(toolCall(1, "whoami")+"\n"), iotest.ErrReader(errors.New("the cable is loose")))
	var out bytes.Buffer
	err := Stdio(t.Context(), newFixture(t).MCPServer, in, &out, StdioOptions{})
	if err == nil || !strings.Contains(err.Error(), "read input: the cable is loose") {
		t.Errorf("Stdio = %v, want the error of the input", err)
	}
	same(t, "before the error", []string{"1  true"}, brief(messages(t, out.String())))
}

func TestAnswerThatCannotBeEncoded(t *testing.T) {
	f := newFixture(t)
	f.AddTool(mcp.NewTool("odd"), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultStructured(map[string]any{"f": func() {}}, ""), nil
	})
	same(t, "an odd result", []string{"1 error -32603"}, brief(pipe(t, f, StdioOptions{}, toolCall(1, "odd"))))
}

func TestLibraryClientOverStdio(t *testing.T) {
	for _, version := range []string{"2026-07-28", "2025-11-25"} {
		f := newFixture(t)
		in, toServer := io.Pipe()
		fromServer, out := io.Pipe()
		done := make(chan error, 1)
		var written bytes.Buffer
		go func() {
			defer out.Close()
			done <- Stdio(t.Context(), f.MCPServer, in, io.MultiWriter(&written, out), StdioOptions{Logger: f.logger()})
		}()
		wire := transport.NewIO(fromServer, toServer, io.NopCloser(strings.NewReader("")))
		talk(t, version, client.NewClient(wire, client.WithProtocolVersion(version)))
		toServer.Close()
		if err := <-done; err != nil {
			t.Errorf("%s: Stdio = %v, want nil", version, err)
		}
		if len(messages(t, written.String())) < 4 {
			t.Errorf("%s: written: %s", version, written.String())
		}
	}
}

// TestAsWritten: the answer of a front has the bytes that the front wrote, is one line to any reader, and what is no JSON is not sent as several.
func TestAsWritten(t *testing.T) {
	for text, want := range map[string]string{
		`{"a": "<b>\u2028"}`: `{"a": "<b>\u2028"}` + "\n", "{\n \"a\": \"b\"\n}": `{"a":"b"}` + "\n",
		"{\"a\": \"b\u2028\"}": `{"a":"b\u2028"}` + "\n", "{\"a\":\r1}": `{"a":1}` + "\n", "{\n\"a\"": "",
	} {
		var out strings.Builder
		newLineWriter(&out, slog.New(slog.DiscardHandler)).sendWritten(json.RawMessage(text))
		if out.String() != want {
			t.Errorf("%q is sent as %q, want %q", text, out.String(), want)
		}
	}
}
