package gateway

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/directives/upstream"
	"github.com/ctx-mcp/ctx-mcp/gateway/credentials"
	"github.com/ctx-mcp/ctx-mcp/serve"
)

// tokens has a token for every user, and none for the gateway itself.
type tokens struct{}

func (tokens) Fill(value string) (string, error) { return value, nil }
func (tokens) Stamp() string                     { return "" }
func (tokens) Want(context.Context, credentials.Holder, string, []string) error {
	return nil
}
func (tokens) Token(_ context.Context, h credentials.Holder, _, _ string) (string, error) {
	if h.User == "" {
		return "", nil
	}
	return "token-of-" + h.User, nil
}

// counting is a server over HTTP that keeps a count and the tokens that it saw for each of its sessions, and lists a tool that tells who asked for
// the list.
type counting struct {
	mu       sync.Mutex
	sessions map[string][]string
}

func (c *counting) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var m struct {
		ID     json.RawMessage
		Method string
	}
	if r.Method != http.MethodPost || json.NewDecoder(r.Body).Decode(&m) != nil {
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	if m.ID == nil {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	by, session, result := r.Header.Get("Authorization"), r.Header.Get("Mcp-Session-Id"), `{}`
	switch m.Method {
	case "initialize":
		session = fmt.Sprint("session-", len(c.sessions)+1)
		c.sessions[session] = nil
		w.Header().Set("Mcp-Session-Id", session)
		result = `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"counting","version":"1"}}`
	case "tools/list":
		result = `{"tools":[{"name":"count","description":"listed for ` + by + `.","inputSchema":{"type":"object"}}]}`
	case "tools/call":
		c.sessions[session] = append(c.sessions[session], by)
		seen := slices.Compact(slices.Sorted(slices.Values(c.sessions[session])))
		result = fmt.Sprintf(`{"content":[{"type":"text","text":"%s %d %s"}]}`, session, len(c.sessions[session]), strings.Join(seen, ","))
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
}

// remote is a user's client of a gateway over HTTP that answers questions with the user's name.
type remote struct {
	t                   *testing.T
	url, user, session  string
	mu                  sync.Mutex
	notes               []string
	last                int
	stopAtFirstProgress bool
}

// frontFor serves the gateway over HTTP. The token of a user is the user's name.
func frontFor(t *testing.T, servers map[string]Server) (url string) {
	t.Helper()
	gw, _ := newGatewayWith(t, servers, Options{}, tokens{})
	t.Cleanup(func() { gw.Close(context.Background()) })
	gw.Refresh()
	for _, k := range gw.keepers {
		<-k.tried
	}
	own := server.NewMCPServer("own", "1", append(serve.Options(slog.New(slog.DiscardHandler)), server.WithToolCapabilities(false))...)
	h := serve.NewHandler(own, serve.HTTPOptions{Front: gw, Authenticate: func(_ context.Context, token string) (ctxmcp.Caller, error) {
		return ctxmcp.Caller{Tenant: "t", User: token, Authority: ctxmcp.AuthorityUser}, nil
	}})
	t.Cleanup(h.Close)
	front := httptest.NewServer(h)
	t.Cleanup(front.Close)
	return front.URL + "/mcp"
}

func join(t *testing.T, url, user string) *remote {
	t.Helper()
	r := &remote{t: t, url: url, user: user}
	r.ask("initialize", `{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},"clientInfo":{"name":"c","version":"1"}}`)
	r.post(t.Context(), `{"jsonrpc":"2.0","method":"notifications/initialized"}`, nil)
	return r
}

// ask returns the answer to a request.
func (r *remote) ask(method, params string) (answer string) {
	r.mu.Lock()
	r.last++
	id := r.last
	r.mu.Unlock()
	ctx, stop := context.WithCancel(r.t.Context())
	defer stop()
	r.post(ctx, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, id, method, params), func(text string) {
		var m struct {
			ID     json.RawMessage
			Method string
		}
		_ = json.Unmarshal([]byte(text), &m)
		switch {
		case m.Method != "" && m.ID != nil:
			r.post(ctx, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"action":"accept","content":{"who":%q}}}`, m.ID, r.user), nil)
		case m.Method != "":
			r.mu.Lock()
			r.notes = append(r.notes, text)
			r.mu.Unlock()
			if r.stopAtFirstProgress {
				stop()
			}
		default:
			answer = text
		}
	})
	return answer
}

// post sends a message, and hands on the answer.
func (r *remote) post(ctx context.Context, body string, take func(text string)) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, r.url, strings.NewReader(body))
	if err != nil {
		r.t.Error(err)
		return
	}
	for name, value := range map[string]string{
		"Authorization": "Bearer " + r.user, "Content-Type": "application/json", "Accept": "application/json, text/event-stream", "Mcp-Session-Id": r.session,
	} {
		if value != "" {
			request.Header.Set(name, value)
		}
	}
	got, err := http.DefaultClient.Do(request)
	if err != nil {
		if ctx.Err() == nil {
			r.t.Error(err)
		}
		return
	}
	defer got.Body.Close()
	if r.session == "" {
		r.session = got.Header.Get("Mcp-Session-Id")
	}
	for lines := bufio.NewScanner(got.Body); lines.Scan(); {
		if text := strings.TrimPrefix(lines.Text(), "data: "); strings.HasPrefix(text, "{") && take != nil {
			take(text)
		}
	}
}

func (r *remote) call(tool string) string {
	return r.ask("tools/call", `{"name":"`+tool+`","arguments":{},"_meta":{"progressToken":"of `+r.user+`"}}`)
}

// text returns the text of a result.
func text(answer string) string {
	var m struct {
		Result mcp.CallToolResult
	}
	if json.Unmarshal([]byte(answer), &m) != nil || len(m.Result.Content) == 0 {
		return answer
	}
	t, _ := m.Result.Content[0].(mcp.TextContent)
	return t.Text
}

var ofTheFake = script{Offer: offering(`{"name":"pid","inputSchema":{"type":"object"}}`, `{"name":"ask","inputSchema":{"type":"object"}}`, `{"name":"slow","inputSchema":{"type":"object"}}`)}

// TestUsersDoNotMeet: two users of one gateway over HTTP, on one server that is a process and one over HTTP. Their calls go over connections of their
// own, with tokens of their own; the server's state, its questions and their answers, and progress come to nobody else; and the lists are those
// that the server gives to the gateway itself.
func TestUsersDoNotMeet(t *testing.T) {
	web := &counting{sessions: map[string][]string{}}
	behind := httptest.NewServer(web)
	t.Cleanup(behind.Close)
	url := frontFor(t, map[string]Server{"s": ofTheFake.server(t), "web": {Server: upstream.Server{URL: behind.URL}}})
	pids, sessions := map[string]string{}, map[string]string{}
	var mu sync.Mutex
	var all sync.WaitGroup
	for _, user := range []string{"ann", "ben"} {
		r := join(t, url, user)
		all.Go(func() {
			for n := range 8 {
				pid, count := text(r.call("s__pid")), strings.Fields(text(r.call("web__count")))
				mu.Lock()
				if pids[user] == "" {
					pids[user], sessions[user] = pid, count[0]
				}
				if pid != pids[user] || len(count) != 4 || count[0] != sessions[user] || count[1] != fmt.Sprint(n+1) || count[2]+" "+count[3] != "Bearer token-of-"+user {
					t.Errorf("%s, call %d: process %s and %q, before %s and %s", user, n+1, pid, count, pids[user], sessions[user])
				}
				mu.Unlock()
				if got := text(r.call("s__ask")); !strings.Contains(got, `"who":"`+user+`"`) {
					t.Errorf("%s was answered for: %s", user, got)
				}
			}
			if list := r.ask("tools/list", `{}`); !strings.Contains(list, `"listed for ."`) || strings.Contains(list, "token-of") {
				t.Errorf("the list of %s: %s", user, list)
			}
			r.stopAtFirstProgress = true
			r.call("s__slow")
			if len(r.notes) != 1 || !strings.Contains(r.notes[0], `"of `+user+`"`) {
				t.Errorf("%s was told %q", user, r.notes)
			}
		})
	}
	all.Wait()
	if pids["ann"] == pids["ben"] || sessions["ann"] == sessions["ben"] {
		t.Errorf("they share a connection: %v, %v", pids, sessions)
	}
}

// TestUsersOfASharedServer: with shared one connection serves both, without a token of either, and the server can ask nobody.
func TestUsersOfASharedServer(t *testing.T) {
	web := &counting{sessions: map[string][]string{}}
	behind := httptest.NewServer(web)
	t.Cleanup(behind.Close)
	fake := ofTheFake.server(t)
	fake.Shared = true
	url := frontFor(t, map[string]Server{"s": fake, "web": {Shared: true, Server: upstream.Server{URL: behind.URL}}})
	ann, ben := join(t, url, "ann"), join(t, url, "ben")
	if a, b := text(ann.call("s__pid")), text(ben.call("s__pid")); a != b {
		t.Errorf("they have the processes %s and %s", a, b)
	}
	text(ann.call("web__count"))
	if got := strings.Fields(text(ben.call("web__count"))); len(got) != 2 || got[1] != "2" {
		t.Errorf("the second call answers %q, which is not the one connection, or names a token", got)
	}
	for _, r := range []*remote{ann, ben} {
		if got := text(r.call("s__ask")); !strings.Contains(got, "does not take elicitation/create") || strings.Contains(got, `"who"`) {
			t.Errorf("%s was asked: %s", r.user, got)
		}
		if len(r.notes) != 0 {
			t.Errorf("%s was told %q", r.user, r.notes)
		}
	}
}
