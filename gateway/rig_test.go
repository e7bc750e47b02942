package gateway

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions"
	"github.com/ctx-mcp/ctx-mcp/directives/upstream"
	"github.com/ctx-mcp/ctx-mcp/guard"
	"github.com/ctx-mcp/ctx-mcp/redact"
	"github.com/ctx-mcp/ctx-mcp/serve"
)

// TestMain is a fake server, or the warden, where the environment says so.
func TestMain(m *testing.M) {
	switch {
	case len(os.Args) > 1 && os.Args[1] == "warden":
		Warden(os.Stdin)
	case os.Getenv("FAKE_SERVER") != "":
		fake(os.Getenv("FAKE_SERVER"))
	case os.Getenv("FAKE_GATEWAY") != "":
		fakeGateway(os.Getenv("FAKE_GATEWAY"))
	default:
		os.Exit(m.Run())
	}
}

// script is what a fake server offers and answers.
type script struct {
	Mode      string                     // hang: never answers; die: ends at once; "": neither
	Offer     Offer                      // its lists
	Results   map[string]json.RawMessage // by method and name: "tools/call echo"; by method alone else
	Calls     string                     // a file to which it appends the params of calls
	Greets    string                     // a file to which it appends its process id
	PageSize  int
	Child     bool // it starts a process of its own that ignores the end of its input
	Stateless bool // it knows no initialize
}

func (s script) server(t testing.TB) Server {
	t.Helper()
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "script.json")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return Server{Server: upstream.Server{Command: os.Args[0], Env: map[string]string{"FAKE_SERVER": path, "HOME": "/", "PATH": os.Getenv("PATH")}}}
}

func offering(tools ...string) Offer {
	var o Offer
	for _, t := range tools {
		o.Tools = append(o.Tools, json.RawMessage(t))
	}
	return o
}

// rig is a gateway on stdio with a client.
type rig struct {
	*Gateway
	t     testing.TB
	guard *fakeGuard
	in    *io.PipeWriter
	done  chan error

	mu    sync.Mutex
	last  int
	wait  map[string]chan map[string]json.RawMessage
	notes []map[string]json.RawMessage
	said  *sync.Cond
	reply func(method string, params json.RawMessage) string // to a request of the server; nil: refused
}

// fakeGuard allows what its function allows.
type fakeGuard struct {
	mu     sync.Mutex
	decide func(guard.Call) ctxmcp.Decision // nil: all is allowed
	change func(text string) string         // nil: texts stay
	calls  []guard.Call
	seen   []guard.Result
	by     []ctxmcp.Caller
	in     []guard.Conversation
	words  []string // that were handed over
	ended  int

	undecided, unfit error // of Before and After; nil: none
}

func (g *fakeGuard) TakeOver(_ context.Context, _ ctxmcp.Caller, _ guard.Conversation, words []string) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.words = append(g.words, words...)
	return nil
}

func (g *fakeGuard) Before(_ context.Context, by ctxmcp.Caller, c guard.Conversation, in guard.Call) (guard.Verdict, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.calls, g.by, g.in = append(g.calls, in), append(g.by, by), append(g.in, c)
	v := guard.Verdict{Decision: ctxmcp.Decision{Verdict: ctxmcp.Allow}, Action: in.ID}
	if g.decide != nil {
		v.Decision = g.decide(in)
	}
	if v.Verdict == ctxmcp.Modify {
		v.Arguments = json.RawMessage(`{"changed":true}`)
	}
	return v, g.undecided
}

func (g *fakeGuard) After(ctx context.Context, _ ctxmcp.Caller, _ guard.Conversation, in guard.Result) (guard.Shown, func(), error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return guard.Shown{}, nil, err
	}
	g.seen = append(g.seen, in)
	if g.unfit != nil {
		return guard.Shown{}, func() {}, g.unfit
	}
	out := guard.Shown{}
	for _, text := range in.Texts {
		if g.change != nil {
			text = g.change(text)
		}
		out.Texts = append(out.Texts, text)
	}
	return out, func() {}, nil
}

func (g *fakeGuard) End(context.Context, ctxmcp.Caller, guard.Conversation) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.ended++
	return nil
}

func (g *fakeGuard) Pending(context.Context, ctxmcp.Caller, int) ([]actions.Pending, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	var all []actions.Pending
	for _, c := range g.calls {
		all = append(all, actions.Pending{ID: "r-" + c.ID, Action: c.ID, Tool: c.Tool, Operation: c.Operation, Parameters: c.Arguments})
	}
	return all, nil
}

func (g *fakeGuard) Resolve(_ context.Context, _ ctxmcp.Caller, _ string, choice actions.Choice, _ string, _ bool) (actions.Resolved, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.decide = func(guard.Call) ctxmcp.Decision {
		if choice == actions.Approve {
			return ctxmcp.Decision{Verdict: ctxmcp.Allow}
		}
		return ctxmcp.Decision{Verdict: ctxmcp.Deny, Rule: "refused", Why: "ann refused it"}
	}
	return actions.Resolved{}, nil
}

var ann = ctxmcp.Caller{Tenant: "t", User: "ann", Authority: ctxmcp.AuthorityUser}

// newGateway returns a gateway that has started.
func newGateway(t testing.TB, servers map[string]Server, o Options) (*Gateway, *fakeGuard) {
	return newGatewayWith(t, servers, o, nil)
}

func newGatewayWith(t testing.TB, servers map[string]Server, o Options, opens Credentials) (*Gateway, *fakeGuard) {
	t.Helper()
	all := &fakeGuard{}
	made := 0
	var mu sync.Mutex
	o.Servers, o.Warden = servers, []string{os.Args[0], "warden"}
	if o.Dir == "" {
		o.Dir = t.TempDir()
	}
	g := &Gateway{
		Guard: all, Reviews: all, Asker: &serve.Asker{Key: []byte("key"), Now: time.Now}, Redact: redact.New([]byte("key")).Func(),
		Logger: slog.New(slog.DiscardHandler), Now: time.Now, Options: o, Opens: opens,
		NewID: func() string { mu.Lock(); defer mu.Unlock(); made++; return fmt.Sprint("id", made) },
	}
	if err := g.Start(); err != nil {
		t.Fatal(err)
	}
	return g, all
}

// newRig serves the gateway to a client with the capabilities.
func newRig(t testing.TB, servers map[string]Server, o Options, can string) *rig {
	t.Helper()
	r := prepare(t, servers, o)
	r.begin(can)
	r.settle()
	return r
}

// settle waits until every server has been looked at.
func (r *rig) settle() {
	for _, k := range r.keepers {
		<-k.tried
	}
}

func prepare(t testing.TB, servers map[string]Server, o Options) *rig {
	t.Helper()
	s := server.NewMCPServer("own", "1", append(serve.Options(slog.New(slog.DiscardHandler)), server.WithToolCapabilities(false))...)
	s.AddTool(mcp.NewTool("own"), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultText("mine"), nil
	})
	o.Taken, o.Announce = []string{"own"}, func(method string) { s.SendNotificationToAllClients(method, nil) }
	r := &rig{t: t, wait: map[string]chan map[string]json.RawMessage{}, done: make(chan error, 1)}
	r.said = sync.NewCond(&r.mu)
	r.Gateway, r.guard = newGateway(t, servers, o)
	in, out := io.Pipe()
	back, answers := io.Pipe()
	r.in = out
	go func() {
		r.done <- serve.Stdio(context.Background(), s, in, answers, serve.StdioOptions{Caller: ann, Front: r.Gateway})
	}()
	go r.read(back)
	t.Cleanup(func() {
		r.in.Close()
		<-r.done
		r.Close(context.Background())
	})
	return r
}

func (r *rig) begin(can string) map[string]json.RawMessage {
	hello := r.ask("initialize", `{"protocolVersion":"2025-11-25","capabilities":`+can+`,"clientInfo":{"name":"t","version":"1"}}`)
	r.write(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return hello
}

func (r *rig) write(line string) {
	if _, err := io.WriteString(r.in, line+"\n"); err != nil {
		r.t.Error(err)
	}
}

func (r *rig) read(in io.Reader) {
	s := bufio.NewReader(in)
	for {
		line, err := s.ReadBytes('\n')
		if err != nil {
			return
		}
		var m map[string]json.RawMessage
		if err := json.Unmarshal(line, &m); err != nil {
			r.t.Errorf("the client got %s", line)
			continue
		}
		r.mu.Lock()
		var method string
		_ = json.Unmarshal(m["method"], &method)
		switch {
		case method != "" && m["id"] != nil:
			reply := r.reply
			r.notes = append(r.notes, m)
			go func() {
				text := `"error":{"code":-32601,"message":"no"}`
				if reply != nil {
					text = reply(method, m["params"])
				}
				r.write(`{"jsonrpc":"2.0","id":` + string(m["id"]) + `,` + text + `}`)
			}()
		case method != "":
			r.notes = append(r.notes, m)
		default:
			if c := r.wait[string(m["id"])]; c != nil {
				c <- m
			}
		}
		r.said.Broadcast()
		r.mu.Unlock()
	}
}

// send sends a request, and returns where its answer comes.
func (r *rig) send(method, params string) (id string, answer <-chan map[string]json.RawMessage) {
	r.mu.Lock()
	r.last++
	id = fmt.Sprint(r.last)
	c := make(chan map[string]json.RawMessage, 1)
	r.wait[id] = c
	r.mu.Unlock()
	r.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":%s}`, id, method, params))
	return id, c
}

func (r *rig) ask(method, params string) map[string]json.RawMessage {
	_, answer := r.send(method, params)
	return <-answer
}

// result returns the result of a request; it must have one.
func (r *rig) result(method, params string) json.RawMessage {
	r.t.Helper()
	m := r.ask(method, params)
	if m["result"] == nil {
		r.t.Fatalf("%s %s: %s", method, params, m["error"])
	}
	return m["result"]
}

func (r *rig) call(tool, arguments string) json.RawMessage {
	r.t.Helper()
	return r.result("tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, tool, arguments))
}

// noted waits for a notification or a request of a method, and returns its params.
func (r *rig) noted(method string) json.RawMessage {
	r.mu.Lock()
	defer r.mu.Unlock()
	for {
		for _, n := range r.notes {
			if string(n["method"]) == `"`+method+`"` {
				return n["params"]
			}
		}
		r.said.Wait()
	}
}

// listedTools returns the names of the tools.
func (r *rig) listedTools() (names []string) {
	var list struct{ Tools []struct{ Name string } }
	if err := json.Unmarshal(r.result("tools/list", `{}`), &list); err != nil {
		r.t.Fatal(err)
	}
	for _, t := range list.Tools {
		names = append(names, t.Name)
	}
	return names
}

func sameJSON(a, b []byte) bool {
	var x, y any
	dx, dy := json.NewDecoder(bytes.NewReader(a)), json.NewDecoder(bytes.NewReader(b))
	dx.UseNumber()
	dy.UseNumber()
	if dx.Decode(&x) != nil || dy.Decode(&y) != nil {
		return false
	}
	return fmt.Sprint(x) == fmt.Sprint(y) && strings.Compare(fmt.Sprintf("%#v", x), fmt.Sprintf("%#v", y)) == 0
}
