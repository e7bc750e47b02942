package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/eval/driver"
	"github.com/ctx-mcp/ctx-mcp/eval/labelled"
)

// desk is the name of the server that has the tools of all sessions.
const desk = "desk"

// metaResult is the member of _meta by which a call brings the result that the server is to give.
const metaResult = "eval/result"

// outcome is a result that a call brings.
type outcome struct {
	Text    string `json:"text"`
	IsError bool   `json:"isError"`
}

// gatewayed plays a session through the gateway, in the conversation that the header names.
type gatewayed struct{ client *driver.Client }

// newGateway starts a server with all tools of the sessions, and a gateway before it.
func newGateway(ctx context.Context, binary, dir string, sessions []labelled.Session) (front, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return front{}, err
	}
	server := &http.Server{Handler: newDesk(sessions)}
	go func() { _ = server.Serve(listener) }() // it ends with close
	servers := filepath.Join(dir, "servers.json")
	text := fmt.Sprintf(`{"mcpServers":{%q:{"url":"http://%s/mcp","shared":true}}}`, desk, listener.Addr())
	if err := os.WriteFile(servers, []byte(text), 0o600); err != nil {
		return front{}, err
	}
	p, err := driver.Start(driver.Options{Binary: binary, Data: filepath.Join(dir, "gateway"), Command: []string{"gateway", "http"}, Args: []string{"--servers", servers, "--log-level", "info"}})
	if err != nil {
		return front{}, err
	}
	return front{
		begin: func(ctx context.Context, one labelled.Session) (caller, error) {
			c, err := p.Connect(ctx, map[string]string{"X-Ctx-Session": one.ID})
			return gatewayed{c}, err
		},
		as: func(tool string) (string, string) { return desk, tool },
		close: func() error {
			err := p.Stop()
			_ = server.Close()
			return err
		},
	}, nil
}

func (g gatewayed) hear(context.Context, string) error { return nil }

func (g gatewayed) end(context.Context) error {
	g.client.Close()
	return nil
}

func (g gatewayed) call(ctx context.Context, _ int, a labelled.Action, result string) (verdict, rule string, err error) {
	return g.send(ctx, a, result, map[string]any{})
}

// send makes a call with what the client tells beside its arguments.
func (g gatewayed) send(ctx context.Context, a labelled.Action, result string, meta map[string]any) (verdict, rule string, err error) {
	meta[metaResult] = outcome{result, failed(a)}
	text, isError, err := g.client.Text(ctx, desk+"__"+a.Tool, a.Args, meta)
	switch {
	case err != nil:
		return "", "", err
	case !isError || !strings.Contains(text, "The call was not made"):
		if strings.Contains(text, "[ctx-mcp changed the arguments of this call") {
			return "modify", ruleIn(text), nil
		}
		return "allow", "", nil
	case strings.Contains(text, "Only the user can decide on it"):
		return "step_up", ruleIn(text), nil
	}
	return "deny", ruleIn(text), nil
}

// newDesk returns a server of MCP that has every tool of the sessions, and answers each call with the result that it brings.
func newDesk(sessions []labelled.Session) http.Handler {
	known := map[string]bool{}
	var tools []map[string]any
	for _, s := range sessions {
		for _, a := range s.Actions {
			if !known[a.Tool] {
				known[a.Tool] = true
				tools = append(tools, map[string]any{"name": a.Tool, "inputSchema": map[string]any{"type": "object"}})
			}
		}
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var m struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
			Params struct {
				Meta map[string]json.RawMessage `json:"_meta"`
			} `json:"params"`
		}
		if r.Method != http.MethodPost || json.NewDecoder(r.Body).Decode(&m) != nil {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		if m.ID == nil {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		var result any = map[string]any{}
		switch m.Method {
		case "initialize":
			result = map[string]any{"protocolVersion": "2025-11-25", "capabilities": map[string]any{"tools": map[string]any{}}, "serverInfo": map[string]any{"name": desk, "version": "1"}}
		case "tools/list":
			result = map[string]any{"tools": tools}
		case "tools/call":
			var o outcome
			if err := json.Unmarshal(m.Params.Meta[metaResult], &o); err != nil {
				http.Error(w, "the call brings no result", http.StatusBadRequest)
				return
			}
			result = map[string]any{"content": []any{map[string]any{"type": "text", "text": o.Text}}, "isError": o.IsError}
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{"jsonrpc": "2.0", "id": m.ID, "result": result}) // a client that has gone needs no answer
	})
}
