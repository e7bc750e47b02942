//go:build unix

package gateway

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/directives/upstream"
	"github.com/ctx-mcp/ctx-mcp/redact"
	"github.com/ctx-mcp/ctx-mcp/serve"
)

// TestNobodyWaits: with a catalogue the list is there although one server hangs and another dies, and their tools say why they fail.
func TestNobodyWaits(t *testing.T) {
	dir := t.TempDir()
	fine := script{Offer: offering(echo), Results: map[string]json.RawMessage{"tools/call echo": json.RawMessage(`{"content":[]}`)}}
	servers := map[string]Server{}
	for i := range 6 {
		servers[fmt.Sprint("s", i)] = fine.server(t)
	}
	first := newRig(t, servers, Options{Dir: dir}, `{}`)
	if got := first.listedTools(); len(got) != 7 {
		t.Fatalf("tools: %v", got)
	}
	first.in.Close()
	for name, mode := range map[string]string{"s0": "hang", "s1": "die"} {
		become(t, servers[name], mode)
	}
	servers["never"] = script{Mode: "hang"}.server(t)
	again := prepare(t, servers, Options{Dir: dir})
	again.begin(`{}`)
	if got := again.listedTools(); len(got) != 7 {
		t.Errorf("tools: %v", got)
	}
	if got := again.call("s3__echo", `{}`); !sameJSON(got, []byte(`{"content":[]}`)) {
		t.Errorf("the call of a server beside them: %s", got)
	}
	if got := string(again.call("s1__echo", `{}`)); !strings.Contains(got, `the server \"s1\"`) || strings.Contains(got, "hunter2hunter2") {
		t.Errorf("the call of a server that dies: %s", got)
	}
}

// become has a fake server be of another mode from its next start on.
func become(t *testing.T, server Server, mode string) {
	t.Helper()
	var s script
	text, err := os.ReadFile(server.Env["FAKE_SERVER"])
	if err != nil || json.Unmarshal(text, &s) != nil {
		t.Fatal(err)
	}
	s.Mode = mode
	if err := os.WriteFile(server.Env["FAKE_SERVER"], raw(t, s), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestFirstListWaitsForNobody: of servers that are known, all but one hang by now and one dies, and the first list is there before any of those
// that hang was given up.
func TestFirstListWaitsForNobody(t *testing.T) {
	dir, servers := t.TempDir(), map[string]Server{}
	for i := range 8 {
		servers[fmt.Sprint("s", i)] = script{Offer: offering(echo)}.server(t)
	}
	first := newRig(t, servers, Options{Dir: dir}, `{}`)
	known := first.listedTools()
	first.in.Close()
	for name, server := range servers {
		become(t, server, map[bool]string{true: "die", false: "hang"}[name == "s1"])
	}
	again := prepare(t, servers, Options{Dir: dir})
	again.begin(`{}`)
	if got := again.listedTools(); len(known) != 9 || !slices.Equal(got, known) {
		t.Errorf("tools: %v, want %v", got, known)
	}
	for name, k := range again.keepers {
		if name != "s1" && isClosed(k.tried) {
			t.Errorf("the list came after %s was given up", name)
		}
	}
}

// TestServerThatDies ends in a result that says so, and the next call has a new process.
func TestServerThatDies(t *testing.T) {
	s := script{Offer: offering(`{"name":"die","inputSchema":{"type":"object"}}`, `{"name":"pid","inputSchema":{"type":"object"}}`)}
	g := newRig(t, map[string]Server{"s": s.server(t)}, Options{}, `{}`)
	g.listedTools()
	before := string(g.call("s__pid", `{}`))
	if got := string(g.call("s__die", `{}`)); !strings.Contains(got, "Whether the call was carried out is not known") {
		t.Errorf("the call answers %s", got)
	}
	if n := len(g.guard.seen); n != 2 || !g.guard.seen[1].IsError {
		t.Errorf("%d results were recorded", n)
	}
	if after := string(g.call("s__pid", `{}`)); after == before || strings.Contains(after, "isError") {
		t.Errorf("the next call answers %s", after)
	}
}

// TestNoOrphans kills a gateway, and ends one in peace: neither leaves a process, whatever the servers do.
func TestNoOrphans(t *testing.T) {
	for _, end := range []string{"kill", "close"} {
		for _, mode := range []string{"", "stubborn"} {
			t.Run(end+" "+mode, func(t *testing.T) {
				t.Parallel()
				pids := filepath.Join(t.TempDir(), "pids")
				path := script{Mode: mode, Greets: pids, Child: true, Offer: offering(echo)}.server(t).Env["FAKE_SERVER"]
				cmd := exec.Command(os.Args[0])
				cmd.Env = []string{"FAKE_GATEWAY=" + path, "PATH=" + os.Getenv("PATH")}
				stdin, err := cmd.StdinPipe()
				if err != nil {
					t.Fatal(err)
				}
				stdout, err := cmd.StdoutPipe()
				if err != nil {
					t.Fatal(err)
				}
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				if line, err := bufio.NewReader(stdout).ReadString('\n'); err != nil || line != "ready\n" {
					t.Fatalf("the gateway says %q, %v", line, err)
				}
				if end == "kill" {
					err = cmd.Process.Kill()
				} else {
					err = stdin.Close()
				}
				if err != nil {
					t.Fatal(err)
				}
				_ = cmd.Wait() // it was killed
				text, err := os.ReadFile(pids)
				if err != nil || len(strings.Fields(string(text))) != 2 {
					t.Fatalf("the processes: %q, %v", text, err)
				}
				for _, pid := range strings.Fields(string(text)) {
					gone(t, pid)
				}
			})
		}
	}
}

// gone waits until a process is gone, or a zombie that its new parent will reap.
func gone(t *testing.T, pid string) {
	t.Helper()
	n, err := strconv.Atoi(pid)
	if err != nil {
		t.Fatal(err)
	}
	for began := time.Now(); time.Since(began) < 30*time.Second; time.Sleep(10 * time.Millisecond) {
		if syscall.Kill(n, 0) != nil {
			return
		}
		if stat, err := os.ReadFile("/proc/" + pid + "/stat"); err == nil && strings.Contains(string(stat), ") Z ") {
			return
		}
	}
	t.Errorf("the process %s is still there", pid)
}

// fakeGateway is a gateway in front of one fake server, until its input ends.
func fakeGateway(path string) {
	g := &Gateway{
		Guard: &fakeGuard{}, Redact: redact.Nothing, Logger: slog.New(slog.DiscardHandler), Now: time.Now, NewID: func() string { return "id" },
		Options: Options{Dir: filepath.Dir(path), Warden: []string{os.Args[0], "warden"}, Servers: map[string]Server{
			"s": {Server: upstream.Server{Command: os.Args[0], Env: map[string]string{"FAKE_SERVER": path, "PATH": os.Getenv("PATH")}}},
		}},
	}
	if err := g.Start(); err != nil {
		panic(err)
	}
	if _, err := g.pool.take(context.Background(), "s", serve.Peer{}); err != nil {
		panic(err)
	}
	fmt.Println("ready")
	_, _ = bufio.NewReader(os.Stdin).ReadString('\n')
	g.Close(context.Background())
}

// TestUsersNeverMeet: two users have processes of their own, and a client that can be asked one for each session; a shared server has one.
func TestUsersNeverMeet(t *testing.T) {
	s := script{Offer: offering(`{"name":"pid","inputSchema":{"type":"object"}}`)}.server(t)
	shared := s
	shared.Shared = true
	g, _ := newGateway(t, map[string]Server{"s": s, "all": shared}, Options{})
	t.Cleanup(func() { g.Close(context.Background()) })
	pid := func(server string, by ctxmcp.Caller) string {
		reply, err := g.send(t.Context(), serve.Peer{Caller: by}, server, "tools/call", json.RawMessage(`{"name":"pid"}`))
		if err != nil {
			t.Fatal(err)
		}
		return string(reply.Result)
	}
	bob, other := ctxmcp.Caller{Tenant: "t", User: "bob"}, ctxmcp.Caller{Tenant: "u", User: "ann"}
	if a := pid("s", ann); a != pid("s", ann) || a == pid("s", bob) || a == pid("s", other) || pid("s", bob) == pid("s", other) {
		t.Error("two users met on one server")
	}
	if pid("all", ann) != pid("all", bob) {
		t.Error("a shared server has a process for each user")
	}
}

// TestConnectionsAreBounded ends the connection that was used longest ago.
func TestConnectionsAreBounded(t *testing.T) {
	s := script{Offer: offering(`{"name":"pid","inputSchema":{"type":"object"}}`)}.server(t)
	g, _ := newGateway(t, map[string]Server{"s": s}, Options{Limits: Limits{Connections: 3}})
	t.Cleanup(func() { g.Close(context.Background()) })
	for i := range 8 {
		by := ctxmcp.Caller{Tenant: "t", User: fmt.Sprint("u", i)}
		if _, err := g.send(t.Context(), serve.Peer{Caller: by}, "s", "tools/call", json.RawMessage(`{"name":"pid"}`)); err != nil {
			t.Fatal(err)
		}
		if n := len(g.pool.open); n > 3 {
			t.Fatalf("%d connections are open", n)
		}
	}
}

// TestEnvironment gives a server what it is given and the variables that every program needs, and nothing else of ours.
func TestEnvironment(t *testing.T) {
	env := map[string]string{"PATH": "/bin", "HOME": "/h", "AWS_SECRET_ACCESS_KEY": "k", "CTX_MCP_TOKEN": "t", "MINE": "value"}
	all, err := ReadServers([]byte(`{"mcpServers":{"a":{"command":"x","env":{"A":"${MINE}"},"autoApprove":[]},"b":{"httpUrl":"https://h/mcp","headers":{"X":"${MINE:-d}"}},"c":{"command":"y","disabled":true}}}`),
		func(name string) string { return env[name] })
	if err != nil || len(all) != 2 {
		t.Fatal(all, err)
	}
	if got := fmt.Sprint(all["a"].Env); got != "map[A:value HOME:/h PATH:/bin]" {
		t.Errorf("the environment is %s", got)
	}
	if b := all["b"]; b.URL != "https://h/mcp" || b.Headers["X"] != "value" {
		t.Errorf("b is %+v", b)
	}
	for _, bad := range []string{`{`, `{"mcpServers":{"a":{}}}`, `{"mcpServers":{"a/b":{"command":"x"}}}`, `{"mcpServers":{"a":{"url":"https://h","type":"sse"}}}`} {
		if _, err := ReadServers([]byte(bad), os.Getenv); ctxmcp.CodeOf(err) != ctxmcp.CodeInvalid {
			t.Errorf("%s: %v", bad, err)
		}
	}
}
