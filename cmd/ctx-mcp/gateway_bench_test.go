package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/config"
	"github.com/ctx-mcp/ctx-mcp/directives/upstream"
	"github.com/ctx-mcp/ctx-mcp/gateway"
	"github.com/ctx-mcp/ctx-mcp/guard"
	"github.com/ctx-mcp/ctx-mcp/serve"
	"github.com/ctx-mcp/ctx-mcp/tools"
)

// readingServer is an MCP server with one tool, which returns a text of as many bytes as it is asked for: another one with each call. It writes its
// process id and a word for each call into the file DONE, if there is one.
func readingServer() {
	const tools = `{"tools":[{"name":"read_text","description":"Reads a text.","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}]}`
	calls := 0
	noteDone(os.Getpid())
	for in := bufio.NewReader(os.Stdin); ; {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var m struct {
			ID     json.RawMessage
			Method string
			Params struct{ Arguments struct{ Bytes int } }
		}
		if json.Unmarshal(line, &m) != nil || m.ID == nil {
			continue
		}
		result := `{}`
		switch m.Method {
		case "initialize":
			result = `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"reading","version":"1"}}`
		case "tools/list":
			result = tools
		case "tools/call":
			calls++
			noteDone("call")
			text, err := json.Marshal(pierText(calls, m.Params.Arguments.Bytes))
			if err != nil {
				panic(err)
			}
			result = `{"content":[{"type":"text","text":` + string(text) + `}]}`
		}
		fmt.Printf("{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}\n", m.ID, result)
	}
}

// holdingClient starts a command and holds its input and output, as a client does: what it reads it hands on, both ways.
func holdingClient() {
	cmd := exec.Command(os.Args[1], os.Args[2:]...)
	in, err := cmd.StdinPipe()
	if err != nil {
		panic(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		panic(err)
	}
	if err := cmd.Start(); err != nil {
		panic(err)
	}
	go func() {
		_, _ = io.Copy(in, os.Stdin) // the command may have ended
		in.Close()
	}()
	_, _ = io.Copy(os.Stdout, out) // nobody may read it any more
	_ = cmd.Wait()                 // it may have been killed
}

// noteDone appends a line to the file DONE.
func noteDone(what any) {
	path := os.Getenv("DONE")
	if path == "" {
		return
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = fmt.Fprintln(f, what)
	}
	if err = errors.Join(err, f.Close()); err != nil {
		panic(err)
	}
}

// pierText returns a text of a number of bytes, with a number in each line.
func pierText(n, size int) string {
	var b strings.Builder
	for line := 0; b.Len() < size; line++ {
		fmt.Fprintf(&b, "Line %d of report %d: the pier in Porto was mended in spring, and the boats are back.\n", line, n)
	}
	return b.String()[:size]
}

// BenchmarkGateway measures a call of a server's tool as a client feels it: through the gateway with the store, the policy and the receipts of
// the product, and beside it, from the same server in the same run. The next call is made once the result is recorded, as by an agent whose model
// thinks meanwhile; behind is the time that recording took after the answer had gone out.
func BenchmarkGateway(b *testing.B) {
	server, err := exec.LookPath("reading-server")
	if err != nil {
		b.Fatal(err)
	}
	for _, size := range []struct {
		name  string
		bytes int
	}{{"4KB", 4 << 10}, {"30KB", 30 << 10}, {"1MB", 1 << 20}} {
		b.Run(size.name, func(b *testing.B) {
			through, settle := inProcessGateway(b, server)
			beside := besideGateway(b, server)
			through("files__read_text", 100) // which starts the server
			settle()
			var there, alone, behind []time.Duration
			for b.Loop() {
				began := time.Now()
				beside("read_text", size.bytes)
				alone = append(alone, time.Since(began))
				began = time.Now()
				through("files__read_text", size.bytes)
				there = append(there, time.Since(began))
				began = time.Now()
				settle()
				behind = append(behind, time.Since(began))
			}
			slices.Sort(there)
			slices.Sort(alone)
			slices.Sort(behind)
			b.ReportMetric(behind[len(behind)/2].Seconds()*1000, "p50-behind-ms")
			for name, share := range map[string]float64{"p50": .5, "p99": .99} {
				at := int(share * float64(len(there)-1))
				b.ReportMetric(there[at].Seconds()*1000, name+"-ms")
				b.ReportMetric((there[at]-alone[at]).Seconds()*1000, name+"-added-ms")
			}
		})
	}
}

// BenchmarkGatewayStart starts the binary in front of twenty known servers, of which one hangs and one dies by now, and measures the time from the
// start of the process to the answer to the first tools/list, as a client feels it.
func BenchmarkGatewayStart(b *testing.B) {
	dir, binary := b.TempDir(), built(b)
	server, err := exec.LookPath("reading-server")
	if err != nil {
		b.Fatal(err)
	}
	file := filepath.Join(dir, "servers.json")
	servers := map[string]any{}
	for i := range 20 {
		path := filepath.Join(dir, fmt.Sprint("server", i))
		servers[fmt.Sprint("s", i)] = map[string]any{"command": path}
		if err := os.WriteFile(path, []byte("#!/bin/sh\nexec "+server+"\n"), 0o700); err != nil {
			b.Fatal(err)
		}
	}
	text, err := json.Marshal(map[string]any{"mcpServers": servers})
	if err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(file, text, 0o600); err != nil {
		b.Fatal(err)
	}
	start := func() (listed int, took time.Duration) {
		began := time.Now()
		cmd := exec.Command(binary, "gateway", "stdio", "--servers", file, "--data-dir", filepath.Join(dir, "data"), "--log-level", "error")
		in, out := piped(b, cmd)
		ask := asking(b, in, out)
		listed = strings.Count(ask("tools/list", `{}`), "__read_text")
		took = time.Since(began)
		in.Close()
		_ = cmd.Wait()
		return listed, took
	}
	if n, _ := start(); n != 20 {
		b.Fatalf("the tools of %d servers are listed at first", n)
	}
	for name, command := range map[string]string{"server0": "#!/bin/sh\nexec tail -f /dev/null\n", "server1": "#!/bin/sh\nexit 3\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(command), 0o700); err != nil {
			b.Fatal(err)
		}
	}
	var all []time.Duration
	for b.Loop() {
		n, took := start()
		if n != 20 {
			b.Fatalf("the tools of %d servers are listed", n)
		}
		all = append(all, took)
	}
	slices.Sort(all)
	b.ReportMetric(all[len(all)/2].Seconds()*1000, "p50-ms")
	b.ReportMetric(all[len(all)-1].Seconds()*1000, "max-ms")
}

// besideGateway starts the server and returns a function that calls its tool.
func besideGateway(b *testing.B, server string) func(tool string, bytes int) {
	cmd := exec.Command(server)
	in, out := piped(b, cmd)
	b.Cleanup(func() { in.Close(); _ = cmd.Wait() })
	return calling(b, in, out)
}

// inProcessGateway serves a client with the gateway, and returns a function that calls a tool, and one that waits until its result is recorded.
func inProcessGateway(b *testing.B, server string) (call func(tool string, bytes int), settle func()) {
	requests, in := io.Pipe()
	out, answers := io.Pipe()
	sys := realSystem()
	sys.err = io.Discard
	c := config.New()
	c.DataDir = b.TempDir()
	c.GatewayServers = map[string]gateway.Server{"files": {Server: upstream.Server{Command: server, Env: map[string]string{"PATH": os.Getenv("PATH")}}}}
	a, err := openApp(b.Context(), sys, c)
	if err != nil {
		b.Fatal(err)
	}
	own := tools.NewServer(a.services(ctxmcp.Scope{}, "pipe"), a.toolOptions(), serve.Options(a.logger)...)
	front, closeFront, err := a.front(true, own, a.toolOptions(), "")
	if err != nil {
		b.Fatal(err)
	}
	g := front.(*gateway.Gateway)
	watched := &watchedGuard{Guard: g.Guard, recorded: make(chan func(), 1)}
	g.Guard = watched
	ended := make(chan error, 1)
	go func() {
		ended <- serve.Stdio(b.Context(), own, requests, answers, serve.StdioOptions{Caller: c.Caller(), Logger: a.logger, Front: front})
	}()
	b.Cleanup(func() {
		in.Close()
		err := <-ended
		closeFront()
		if err = errors.Join(err, a.close()); err != nil {
			b.Error(err)
		}
	})
	return calling(b, in, out), func() { (<-watched.recorded)() }
}

// watchedGuard tells when a result is recorded.
type watchedGuard struct {
	gateway.Guard
	recorded chan func()
}

// After hands on what waits for the record.
func (w *watchedGuard) After(ctx context.Context, by ctxmcp.Caller, c guard.Conversation, in guard.Result) (guard.Shown, func(), error) {
	out, wait, err := w.Guard.After(ctx, by, c, in)
	if err == nil {
		w.recorded <- wait
	}
	return out, wait, err
}

// calling returns a function that calls a tool over a pipe, and fails unless a text comes back.
func calling(b *testing.B, in io.Writer, out io.Reader) func(tool string, bytes int) {
	ask := asking(b, in, out)
	return func(tool string, bytes int) {
		got := ask("tools/call", fmt.Sprintf(`{"name":%q,"arguments":{"bytes":%d}}`, tool, bytes))
		if !strings.Contains(got, "the pier in Porto") {
			b.Fatalf("the call answers %.600s", got)
		}
	}
}

// asking greets a server over a pipe, and returns a function that sends a request and returns the line of the answer.
func asking(b *testing.B, in io.Writer, out io.Reader) func(method, params string) string {
	answers, last := bufio.NewReaderSize(out, 64<<10), 0
	ask := func(method, params string) string {
		last++
		if _, err := fmt.Fprintf(in, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", last, method, params); err != nil {
			b.Fatal(err)
		}
		for {
			line, err := answers.ReadString('\n')
			if err != nil {
				b.Fatal(err)
			}
			if strings.Contains(line[:min(len(line), 60)], fmt.Sprintf(`"id":%d`, last)) {
				return line
			}
		}
	}
	ask("initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"b","version":"1"}}`)
	return ask
}
