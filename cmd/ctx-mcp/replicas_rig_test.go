package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// replica is a server of a shared database, in a process of its own.
type replica struct {
	store, dir string
	env        []string // settings besides the store
	cmd        *exec.Cmd
	log        *logBuffer

	mu   sync.Mutex // guards addr, which changes with each start
	addr string
}

func (r *replica) at() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.addr
}

// start starts the replica and waits until it listens. It returns an error, with its log, if the process ends instead.
func (r *replica) start(t *testing.T) error {
	t.Helper()
	r.cmd = binary(t, r.dir, "http", "--addr", "127.0.0.1:0", "--auth", "token", "--log-level", "info")
	r.cmd.Env = append(append(r.cmd.Env, "CTX_MCP_STORE="+r.store), r.env...)
	stderr, err := r.cmd.StderrPipe()
	if err != nil {
		return err
	}
	if err := r.cmd.Start(); err != nil {
		return err
	}
	r.log = &logBuffer{}
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		_, _ = r.log.Write(append(lines.Bytes(), '\n'))
		if m := listening.FindStringSubmatch(lines.Text()); m != nil {
			r.mu.Lock()
			r.addr = m[1][len("http://") : len(m[1])-len("/mcp")]
			r.mu.Unlock()
			go func() { _, _ = io.Copy(r.log, stderr) }() // ends with the process
			return nil
		}
	}
	return fmt.Errorf("the server did not start: %w\n%s", r.cmd.Wait(), r.log)
}

// kill ends the replica by the signal that nobody can catch.
func (r *replica) kill() {
	_ = r.cmd.Process.Kill()
	_ = r.cmd.Wait() // says that it was killed
}

// giveKeys copies the keys of one replica to another, as an operator does.
func giveKeys(t *testing.T, from, to string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(to, "receipts", "keys"), 0o700); err != nil {
		t.Fatal(err)
	}
	names, err := filepath.Glob(filepath.Join(from, "receipts", "keys", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range append(names, filepath.Join(from, redactionKeyFile)) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		relative, err := filepath.Rel(from, path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(to, relative), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// balancer hands each connection to the next of the replicas that can be reached. It knows nothing of what passes.
type balancer struct {
	listener net.Listener

	mu       sync.Mutex // guards all below
	backends []string
	next     int
	conns    map[net.Conn]bool
}

func newBalancer(t *testing.T) *balancer {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	b := &balancer{listener: l, conns: map[net.Conn]bool{}}
	t.Cleanup(func() {
		_ = l.Close()
		b.cut()
	})
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go b.serve(c)
		}
	}()
	return b
}

// to sets the replicas.
func (b *balancer) to(replicas ...*replica) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.backends = nil
	for _, r := range replicas {
		b.backends = append(b.backends, r.at())
	}
}

// dial connects to the next replica that can be reached.
func (b *balancer) dial() (net.Conn, error) {
	b.mu.Lock()
	b.next++
	first, backends := b.next, b.backends
	b.mu.Unlock()
	err := errors.New("there are no replicas")
	for i := range backends {
		var c net.Conn
		if c, err = net.Dial("tcp", backends[(first+i)%len(backends)]); err == nil {
			return c, nil
		}
	}
	return nil, err
}

func (b *balancer) serve(in net.Conn) {
	out, err := b.dial()
	if err != nil {
		_ = in.Close()
		return
	}
	b.note(true, in, out)
	defer b.note(false, in, out)
	var both sync.WaitGroup
	for _, way := range [][2]net.Conn{{in, out}, {out, in}} {
		both.Go(func() {
			_, _ = io.Copy(way[1], way[0])
			_, _ = in.Close(), out.Close()
		})
	}
	both.Wait()
}

func (b *balancer) note(open bool, conns ...net.Conn) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, c := range conns {
		if delete(b.conns, c); open {
			b.conns[c] = true
		}
	}
}

// cut closes every connection, wherever its messages are.
func (b *balancer) cut() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for c := range b.conns {
		_ = c.Close()
	}
}

// caller sends calls of tools, each over a connection of its own.
type caller struct {
	token string
	http  http.Client
}

func newCaller(token string) *caller {
	return &caller{token: token, http: http.Client{Timeout: 20 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}}
}

// errNotAnswered is an answer that says nothing about the call: it may or may not have taken place.
var errNotAnswered = errors.New("not answered")

// call calls a tool at an address and returns the text of the answer.
func (c *caller) call(addr, tool string, arguments map[string]any) (string, error) {
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": map[string]any{
		"name": tool, "arguments": arguments, "_meta": map[string]any{
			"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": map[string]any{}}}})
	if err != nil {
		return "", err
	}
	r, err := http.NewRequest(http.MethodPost, "http://"+addr+"/mcp", bytes.NewReader(body))
	if err != nil {
		return "", err
	}
	for name, value := range map[string]string{"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "Authorization": "Bearer " + c.token,
		"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": tool} {
		r.Header.Set(name, value)
	}
	response, err := c.http.Do(r)
	if err != nil {
		return "", errors.Join(errNotAnswered, err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return "", errors.Join(errNotAnswered, err)
	}
	var m struct {
		Error  json.RawMessage
		Result struct {
			IsError           bool
			StructuredContent json.RawMessage
		}
	}
	if at := bytes.Index(text, []byte(`{"jsonrpc"`)); at >= 0 {
		text = text[at:]
	}
	if err := json.NewDecoder(bytes.NewReader(text)).Decode(&m); err != nil {
		return "", fmt.Errorf("%w: %d %s", errNotAnswered, response.StatusCode, text)
	}
	if m.Error != nil || m.Result.IsError {
		return "", fmt.Errorf("%w: %s", errNotAnswered, text)
	}
	return string(m.Result.StructuredContent), nil
}
