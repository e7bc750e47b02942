package serve

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// running is an HTTP server under test.
type running struct {
	url  string
	stop func()
	done chan error // the error of HTTP
}

// serveHTTP runs HTTP on a free port and stops it at the end of the test.
func serveHTTP(t *testing.T, f *fixture, o HTTPOptions) running {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	bound := make(chan net.Addr, 1)
	o.Addr, o.Logger = "127.0.0.1:0", f.logger()
	o.OnListen = func(a net.Addr) { bound <- a }
	done := make(chan error, 1)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		done <- HTTP(ctx, f.MCPServer, o)
	}()
	t.Cleanup(func() {
		cancel()
		<-ended
	})
	return running{url: "http://" + (<-bound).String() + "/mcp", stop: cancel, done: done}
}

func TestClientsOfBothErasAreServed(t *testing.T) {
	url := serveHTTP(t, newFixture(t), HTTPOptions{}).url
	eras := map[string]client.ClientOption{
		"2026-07-28": client.WithProtocolVersion("2026-07-28"),
		"2025-11-25": client.WithProtocolVersion("2025-11-25"),
		"2025-03-26": client.WithProtocolVersion("2025-03-26"),
	}
	for era, option := range eras {
		wire, err := transport.NewStreamableHTTP(url)
		if err != nil {
			t.Fatal(err)
		}
		talk(t, era, client.NewClient(wire, option))
	}
}

// talk has a library client initialize, call a tool that sends notifications, and close.
func talk(t *testing.T, era string, c *client.Client) {
	t.Helper()
	defer c.Close()
	greet(t, c, era)
	var request mcp.CallToolRequest
	request.Params.Name = "count"
	request.Params.Arguments = map[string]any{"n": 2, "name": "x"}
	result, err := c.CallTool(t.Context(), request)
	if err != nil || len(result.Content) != 1 || mcp.GetTextFromContent(result.Content[0]) != "counted" {
		t.Errorf("%s: count = %+v, %v", era, result, err)
	}
}

func TestExposedAddressNeedsAuthentication(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, addr := range []string{":0", "0.0.0.0:0", "[::]:0", "192.0.2.1:8080", "ctx.example:8080"} {
		err := HTTP(ctx, newFixture(t).MCPServer, HTTPOptions{Addr: addr})
		if err == nil || !strings.Contains(err.Error(), "configure tokens, or listen on 127.0.0.1") {
			t.Errorf("HTTP on %s = %v, want a refusal that says what to do", addr, err)
		}
	}
	for _, addr := range []string{"127.0.0.1:0", "localhost:0"} {
		if err := HTTP(ctx, newFixture(t).MCPServer, HTTPOptions{Addr: addr}); err != nil {
			t.Errorf("HTTP on %s = %v, want nil", addr, err)
		}
	}
	if err := HTTP(ctx, newFixture(t).MCPServer, HTTPOptions{Addr: "no port"}); err == nil {
		t.Error("HTTP on an address without a port = nil, want an error")
	}
}

func TestExposedAddressWithAuthenticationIsServed(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	listening := false
	err := HTTP(ctx, newFixture(t).MCPServer, HTTPOptions{
		Addr:         "0.0.0.0:0",
		Authenticate: authenticate,
		OnListen:     func(net.Addr) { listening = true; cancel() },
	})
	if err != nil || !listening {
		t.Errorf("HTTP = %v, listening %t, want nil, true", err, listening)
	}
}

func TestShutdownEndsListenStreamsAndWaitsForCalls(t *testing.T) {
	f := newFixture(t, server.WithToolCapabilities(true))
	s := serveHTTP(t, f, HTTPOptions{ShutdownGrace: time.Hour})
	stream := listenTo(t, s.url)
	called := make(chan answer, 1)
	go func() {
		body, headers := modernRPC(3, "tools/call", callParams("wait"))
		called <- send(t, "POST", s.url, body, headers...)
	}()
	<-f.started
	s.stop()
	_, _ = io.Copy(io.Discard, stream.Body) // ends because the server stops
	close(f.release)
	if got := <-called; got.status != 200 || !strings.Contains(got.body, "finished") {
		t.Errorf("call during the shutdown = %d %s, want finished", got.status, got.body)
	}
	if err := <-s.done; err != nil {
		t.Errorf("HTTP = %v, want nil", err)
	}
}

func TestShutdownCancelsCallsAfterTheGrace(t *testing.T) {
	f := newFixture(t)
	s := serveHTTP(t, f, HTTPOptions{ShutdownGrace: time.Nanosecond})
	called := make(chan answer, 1)
	go func() {
		body, headers := modernRPC(3, "tools/call", callParams("wait", "name", "call"))
		called <- send(t, "POST", s.url, body, headers...)
	}()
	<-f.started
	s.stop()
	if got := <-f.started; got != "cancelled" {
		t.Errorf("the call was %s, want cancelled", got)
	}
	if got := <-called; got.status != http.StatusServiceUnavailable || !strings.Contains(got.body, "stopping") {
		t.Errorf("call = %d %s, want 503", got.status, got.body)
	}
	if err := <-s.done; err == nil || !strings.Contains(err.Error(), "were cancelled") {
		t.Errorf("HTTP = %v, want an error that says that calls were cancelled", err)
	}
}

func TestReadiness(t *testing.T) {
	var rows, bytes error
	metrics := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "m 1\n") })
	f := newFixture(t)
	url := f.serveHandler(t, HTTPOptions{
		Authenticate: authenticate,
		Metrics:      metrics,
		Needs: []Dependency{
			{Name: "database", Reach: func(context.Context) error { return rows }},
			{Name: "bucket", Partial: true, Reach: func(context.Context) error { return bytes }},
		},
	})
	root := strings.TrimSuffix(url, "/mcp")
	check := func(path string, status int, body string, headers ...string) {
		t.Helper()
		if got := send(t, "GET", root+path, "", headers...); got.status != status || got.body != body {
			t.Errorf("GET %s = %d %q, want %d %q", path, got.status, got.body, status, body)
		}
	}
	check("/healthz", 200, "ok\n", "Host: 10.9.8.7")
	check("/readyz", 200, "ok\ndatabase: ok\nbucket: ok\n")
	check("/metrics", 200, "m 1\n")
	bytes = errors.New("no answer")
	check("/readyz", 200, "ok\ndatabase: ok\nbucket: cannot be reached\n")
	rows = errors.New("disk " + secret)
	check("/healthz", 200, "ok\n")
	check("/readyz", 503, "not ready\ndatabase: cannot be reached\nbucket: cannot be reached\n")
	if !strings.Contains(f.log.String(), secret) {
		t.Error("the log does not say why the server is not ready")
	}
}

func TestShutdownIsNotHeldUpByWhatHasNotArrived(t *testing.T) {
	s := serveHTTP(t, newFixture(t), HTTPOptions{ShutdownGrace: time.Hour})
	address := strings.TrimSuffix(strings.TrimPrefix(s.url, "http://"), "/mcp")
	head := " HTTP/1.1\r\nHost: " + address + "\r\nContent-Type: application/json\r\n"
	var stalled []net.Conn
	for _, sent := range []string{
		"",
		"POST /mcp",
		"POST /mcp" + head + "Content-Length: 100\r\nExpect: 100-continue\r\n\r\n",
		"POST /nowhere" + head + "Content-Length: 100\r\n\r\n{",
	} {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if _, err := io.WriteString(conn, sent); err != nil {
			t.Fatal(err)
		}
		stalled = append(stalled, conn)
	}
	// The server asks for the body once it waits for it.
	reader := bufio.NewReader(stalled[2])
	if line, err := reader.ReadString('\n'); err != nil || !strings.Contains(line, "100 Continue") {
		t.Fatalf("the server said %q, %v, want 100 Continue", line, err)
	}
	_, _ = reader.ReadString('\n')
	began := time.Now()
	s.stop()
	response, err := http.ReadResponse(reader, nil)
	if err != nil || response.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("half a message = %v, %v, want 503", response, err)
	}
	if err := <-s.done; err != nil {
		t.Errorf("HTTP = %v, want nil", err)
	}
	if took := time.Since(began); took > 4*time.Second {
		t.Errorf("the shutdown took %s, want about %s", took, cancelGrace)
	}
}
