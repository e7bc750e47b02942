package attack

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

// abuse is something that a client does with the protocol itself, n times. It returns an error for an answer that no client may get;
// afterwards the server must answer as before.
type abuse struct {
	name string
	do   func(ctx context.Context, c *Campaign, n int) error
}

// abuses lists the abuses of Abuse, in order.
var abuses = []abuse{
	{"initialize with large client info", hugeClientInfo},
	{"sessions that nobody ends", manySessions},
	{"bodies that stop halfway", halfBodies},
	{"calls whose client leaves", leavers},
	{"messages that are none", strangeMessages},
	{"headers that are none", strangeHeaders},
	{"bodies in another encoding", strangeEncodings},
	{"streams that nobody reads", idleStreams},
}

// Abuse goes through the abuses of the protocol, each as often as scale says, and asks after each whether the server still answers.
func (c *Campaign) Abuse(ctx context.Context, scale int) {
	for _, a := range abuses {
		began := time.Now()
		err := a.do(ctx, c, scale)
		if alive := c.alive(ctx); alive != nil {
			err = errors.Join(err, fmt.Errorf("afterwards: %w", alive))
		}
		if err != nil && ctx.Err() == nil {
			c.found(Problem{Call: Call{Target: "protocol: " + a.name, N: scale}, Problem: clip(err.Error(), 1000)})
		}
		c.Log("%-40s %5.1f s", a.name, time.Since(began).Seconds())
		if c.Server.Ended() {
			return
		}
	}
}

// alive returns an error unless a call by the attacker is answered.
func (c *Campaign) alive(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	_, err := c.Attacker.List(ctx, "tools/list")
	return err
}

// send posts a message outside of the attacker's session, and judges the answer.
func (c *Campaign) send(ctx context.Context, body []byte, headers ...string) error {
	a, err := c.Attacker.Post(ctx, body, headers...)
	if err != nil {
		return err
	}
	if len(a.Message) == 0 && a.Status < 500 {
		return nil // a notification, or a refusal in front of the protocol
	}
	_, problem := Judge(a, c.Canary)
	if problem != "" && a.Status != http.StatusOK && a.Status < 500 {
		return nil // a refusal by the HTTP server itself has no JSON
	}
	if problem != "" {
		return fmt.Errorf("%.80q: %s", body, problem)
	}
	return nil
}

func hugeClientInfo(ctx context.Context, c *Campaign, n int) error {
	var failed error
	for i := range n {
		name := strings.Repeat("x", min(8<<20, 32*c.Maker.Max))
		failed = errors.Join(failed, c.send(ctx, request("initialize", `{"protocolVersion":"2025-11-25","capabilities":{"experimental":{"a":"`+name[:len(name)/2]+`"}},"clientInfo":{"name":"`+name+`","version":"`+fmt.Sprint(i)+`"}}`)))
	}
	return failed
}

func manySessions(ctx context.Context, c *Campaign, n int) error {
	for range 50 * n {
		if err := c.send(ctx, []byte(initialize)); err != nil {
			return err
		}
	}
	return nil
}

// halfBodies promises a body, sends half of it, and closes the connection.
func halfBodies(ctx context.Context, c *Campaign, n int) error {
	var all sync.WaitGroup
	for i := range 4 * n {
		all.Go(func() {
			conn, err := c.dial(ctx)
			if err != nil {
				return // alive will name the fault
			}
			defer conn.Close()
			half := strings.Repeat(" ", min(1<<20, c.Maker.Max)*(i%2)) + initialize[:60]
			fmt.Fprintf(conn, "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", c.Token, 2*len(half), half)
		})
	}
	all.Wait()
	return nil
}

// leavers make calls and leave at once, and then wait until the server has noticed.
func leavers(ctx context.Context, c *Campaign, n int) error {
	var all sync.WaitGroup
	for i := range 4 * n {
		all.Go(func() {
			target := c.Maker.Targets[i%len(c.Maker.Targets)]
			body, err := c.body(Call{Seed: c.Maker.Seed, Target: target.Name, N: 1_000_000 + i, Max: c.Maker.Max})
			if err != nil {
				return // no target is missing
			}
			leaving, leave := context.WithTimeout(ctx, time.Duration(i%10)*5*time.Millisecond)
			defer leave()
			_, _ = c.Attacker.Send(leaving, body) // it is cut off
		})
	}
	all.Wait()
	return c.quiet(ctx, time.Minute)
}

func strangeMessages(ctx context.Context, c *Campaign, n int) error {
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	long := strings.Repeat("m", c.Maker.Max)
	messages := []string{
		"", "null", "7", `""`, "[]", "{}", "[" + initialize + "]", deep(100_000), `{"jsonrpc":"2.0"}`, `{"jsonrpc":"1.0","id":1,"method":"ping"}`, `{"jsonrpc":"2.0","id":{},"method":"ping"}`,
		`{"jsonrpc":"2.0","id":1e999,"method":"ping"}`, `{"jsonrpc":"2.0","id":"` + long + `","method":"ping"}`, `{"jsonrpc":"2.0","id":1,"method":"` + long + `"}`, `{"jsonrpc":"2.0","id":1,"method":"ping","params":` + deep(9000) + `}`,
		`{"jsonrpc":"2.0","id":1,"method":7}`, `{"jsonrpc":"2.0","id":1,"method":"tools/call"}`, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + long + `"}}`, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7,"arguments":[]}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"recall","arguments":null,"_meta":` + deep(5000) + `}}`, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"recall","arguments":{"query":"x"},"_meta":{"progressToken":"` + long + `","traceparent":"00-` + long + `"}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"` + long + `"}}`, `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"ctx://artifact/../../x"}}`, `{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"ctx://artifact/x"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"` + long + `"}}`, `{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":{"type":"ref/resource","uri":"ctx://artifact/{id}"},"argument":{"name":"id","value":"` + long + `"}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"` + long + `"}}`, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`, `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1e308}}`,
		`{"jsonrpc":"2.0","id":"ask-1","result":{"action":"accept","content":{}}}`, `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"` + long + `"}}`, `{"jsonrpc":"2.0","id":1,"method":"server/discover"}`, "\xff\xfe{", "\ufeff" + initialize,
	}
	session, err := c.Attacker.begun(ctx)
	if err != nil {
		return err
	}
	var failed error
	for range max(1, n/20) {
		for _, m := range messages {
			for _, headers := range [][]string{{"Mcp-Session-Id", session}, {"Mcp-Protocol-Version", "2026-07-28"}, {"Mcp-Protocol-Version", long[:min(len(long), 1000)]}} {
				failed = errors.Join(failed, c.send(ctx, []byte(m), headers...))
			}
		}
	}
	return failed
}

func strangeHeaders(ctx context.Context, c *Campaign, n int) error {
	ping := []byte(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	long := strings.Repeat("h", 30<<10)
	var failed error
	for range max(1, n/10) {
		for _, headers := range [][]string{
			{"Mcp-Session-Id", long}, {"Mcp-Session-Id", "mcp-session-" + long[:26]}, {"Mcp-Session-Id", "../.."}, {"Last-Event-Id", long}, {"Content-Type", "text/plain"}, {"Content-Type", long}, {"Accept", long}, {"Authorization", "Bearer " + long},
			{"Authorization", "Basic YTpi"}, {"Origin", "https://evil.example"}, {"Origin", "null"}, {"X-Forwarded-For", strings.Repeat("127.0.0.1, ", 1000)}, {"Traceparent", long}, {"Expect", "100-continue"}, {"Connection", "Upgrade", "Upgrade", "h2c"}, {"Mcp-Method", long, "Mcp-Name", long},
		} {
			failed = errors.Join(failed, c.send(ctx, ping, headers...))
		}
	}
	return failed
}

// strangeEncodings sends a body that is packed, one that unpacks to much, and one in chunks of a byte.
func strangeEncodings(ctx context.Context, c *Campaign, n int) error {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, _ = io.Copy(w, io.LimitReader(spaces{}, int64(min(64<<20, 512*c.Maker.Max)))) // a buffer takes everything
	_ = w.Close()
	var failed error
	for range max(1, n/10) {
		failed = errors.Join(failed,
			c.send(ctx, packed.Bytes(), "Content-Encoding", "gzip"),
			c.send(ctx, packed.Bytes(), "Content-Encoding", "identity, gzip, br"),
			c.send(ctx, []byte(strings.Repeat(" ", c.Maker.Max)+initialize)))
		conn, err := c.dial(ctx)
		if err != nil {
			return errors.Join(failed, err)
		}
		fmt.Fprintf(conn, "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n", c.Token)
		for range 2000 {
			fmt.Fprint(conn, "1\r\n \r\n")
		}
		fmt.Fprint(conn, "0\r\n\r\n")
		_, _ = bufio.NewReader(conn).ReadString('\n') // either an answer or the end
		_ = conn.Close()
	}
	return failed
}

type spaces struct{}

func (spaces) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

// idleStreams opens streams, and connections that say nothing, and closes them all at the end.
func idleStreams(ctx context.Context, c *Campaign, n int) error {
	listen := `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`
	var open []net.Conn
	defer func() {
		for _, conn := range open {
			_ = conn.Close()
		}
	}()
	for i := range 4 * n {
		conn, err := c.dial(ctx)
		if err != nil {
			return err
		}
		open = append(open, conn)
		if i%4 > 0 {
			fmt.Fprintf(conn, "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nMcp-Protocol-Version: 2026-07-28\r\nContent-Length: %d\r\n\r\n%s", c.Token, len(listen), listen)
		}
	}
	return c.alive(ctx)
}

func (c *Campaign) dial(ctx context.Context) (net.Conn, error) {
	at, err := url.Parse(c.Server.URL)
	if err != nil {
		return nil, err
	}
	return (&net.Dialer{}).DialContext(ctx, "tcp", at.Host)
}
