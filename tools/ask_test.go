package tools

import (
	"context"
	"encoding/json"
	"io"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/schema"
	"github.com/ctx-mcp/ctx-mcp/serve"
)

// user is what a person does with a question: the action and, to accept, the choice.
type user func(q mcp.ElicitationParams) (action mcp.ElicitationResponseAction, choice string)

// Elicit implements client.ElicitationHandler.
func (u user) Elicit(_ context.Context, r mcp.ElicitationRequest) (*mcp.ElicitationResult, error) {
	action, choice := u(r.Params)
	var content any
	if action == mcp.ElicitationResponseActionAccept {
		content = map[string]any{"choice": choice}
	}
	return &mcp.ElicitationResult{ElicitationResponse: mcp.ElicitationResponse{Action: action, Content: content}}, nil
}

// connection is one way for a client to reach the tools.
type connection struct{ transport, version string }

// connections lists both transports in every era that can ask.
func connections() (all []connection) {
	for _, version := range []string{"2026-07-28", "2025-11-25", "2025-06-18"} {
		all = append(all, connection{"stdio", version}, connection{"http", version})
	}
	return all
}

// ann is who calls in these tests.
var ann = ctxmcp.Caller{Tenant: "acme", User: "ann", Clearance: ctxmcp.HighlyRestricted, Authority: ctxmcp.AuthorityUser}

// connect serves the tools, and more beside them, as the product does, and returns a client of a user; nil is a client that
// cannot ask.
func connect(t *testing.T, by connection, u user, s *Services, more ...Tool) *client.Client {
	t.Helper()
	s.Caller, s.Asker = serve.CallerFrom, &serve.Asker{Key: []byte("key"), Now: time.Now}
	m := NewServer(s, Options{}, serve.Options(s.Logger)...)
	for _, tool := range more {
		m.AddTool(tool.MCP, s.handler(tool))
	}
	options := []client.ClientOption{client.WithProtocolVersion(by.version)}
	if u != nil {
		options = append(options, client.WithElicitationHandler(u))
	}
	c := client.NewClient(wire(t, by.transport, m), options...)
	if err := c.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Initialize(t.Context(), mcp.InitializeRequest{}); err != nil || c.ProtocolVersion() != by.version {
		t.Fatalf("initialize: %v; the client speaks %s, want %s", err, c.ProtocolVersion(), by.version)
	}
	return c
}

// wire returns the client's end of a transport to the server, until the test ends.
func wire(t *testing.T, name string, m *server.MCPServer) transport.Interface {
	t.Helper()
	if name == "http" {
		h := serve.NewHandler(m, serve.HTTPOptions{Anonymous: ann})
		web := httptest.NewServer(h)
		t.Cleanup(func() { h.Close(); web.Close() })
		w, err := transport.NewStreamableHTTP(web.URL + "/mcp")
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	var ended sync.WaitGroup
	ended.Go(func() {
		defer out.Close()
		if err := serve.Stdio(context.Background(), m, in, out, serve.StdioOptions{Caller: ann}); err != nil {
			t.Errorf("Stdio = %v, want nil", err)
		}
	})
	t.Cleanup(func() { toServer.Close(); ended.Wait() })
	return transport.NewIO(fromServer, toServer, io.NopCloser(strings.NewReader("")))
}

// structured calls a tool and returns its structured content as JSON.
func structured(t *testing.T, c *client.Client, tool string, arguments any) string {
	t.Helper()
	var r mcp.CallToolRequest
	r.Params.Name, r.Params.Arguments = tool, arguments
	result, err := c.CallTool(t.Context(), r)
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	raw, err := json.Marshal(result.StructuredContent)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// paint is a tool that buys paint and then asks where it goes.
func paint(t *testing.T, bought *int) Tool {
	t.Helper()
	input := json.RawMessage(`{"type":"object","properties":{"fail":{"type":"boolean"}},"additionalProperties":false}`)
	checker, err := schema.NewChecker(input, "argument")
	if err != nil {
		t.Fatal(err)
	}
	run := func(ctx context.Context, c call, _ json.RawMessage) (any, error) {
		tin, err := once(ctx, c, func() (int, error) { *bought++; return *bought, nil })
		if err != nil {
			return nil, err
		}
		answer, err := c.ask(ctx, ctxmcp.Question{Message: "Where does it go?", Choices: []ctxmcp.Choice{{Value: "wall"}, {Value: "door"}}}, tin)
		return map[string]any{"tin": tin, "outcome": answer.Outcome, "where": answer.Value}, err
	}
	return Tool{Name: "paint", MCP: mcp.NewToolWithRawSchema("paint", "Paints", input), checker: func() *schema.Checker { return checker }, run: run}
}

// TestToolAsks: one handler serves both eras over both transports, and does nothing twice.
func TestToolAsks(t *testing.T) {
	for _, by := range connections() {
		t.Run(by.transport+" "+by.version, func(t *testing.T) {
			var outcomes []string
			s := services(t)
			s.Observe = func(_, outcome string, _ time.Duration) { outcomes = append(outcomes, outcome) }
			bought := 0
			u := user(func(mcp.ElicitationParams) (mcp.ElicitationResponseAction, string) {
				return mcp.ElicitationResponseActionAccept, "door"
			})
			c := connect(t, by, u, s, paint(t, &bought))
			got := structured(t, c, "paint", map[string]any{})
			if want := `{"outcome":"accept","tin":1,"where":"door"}`; got != want || bought != 1 {
				t.Errorf("paint = %s and %d tins, want %s", got, bought, want)
			}
			want := []string{"ok"}
			if by.version == "2026-07-28" {
				want = []string{"asking", "ok"}
			}
			if diff := cmp.Diff(want, outcomes); diff != "" {
				t.Errorf("outcomes differ (-want +got):\n%s", diff)
			}
		})
	}
}

// TestToolCannotAsk: without an Asker a tool goes on as with a client that cannot ask.
func TestToolCannotAsk(t *testing.T) {
	bought := 0
	s := services(t)
	out, err := s.answer(t.Context(), paint(t, &bought), mcp.CallToolRequest{})
	want := any(map[string]any{"tin": 1, "outcome": ctxmcp.Unsupported, "where": ""})
	if diff := cmp.Diff(want, out); diff != "" || err != nil {
		t.Errorf("paint = %v, %v (-want +got):\n%s", out, err, diff)
	}
}

// TestForgedStateHasTheShapeOfErrors: a state that a client changed is refused before anything is done.
func TestForgedStateHasTheShapeOfErrors(t *testing.T) {
	bought := 0
	s := services(t)
	s.Asker = forged{}
	result, err := s.handler(paint(t, &bought))(t.Context(), mcp.CallToolRequest{})
	if err != nil || !result.IsError || bought != 0 {
		t.Fatalf("paint = %+v, %v and %d tins, want an error in its shape", result, err, bought)
	}
	if text := result.Content[0].(mcp.TextContent).Text; !strings.HasPrefix(text, "error invalid: ") {
		t.Errorf("paint = %s", text)
	}
}

// forged is an Asker whose clients bring what they were never given.
type forged struct{ Asker }

func (forged) Kept(context.Context, any) (bool, error) {
	return false, ctxmcp.Errorf(ctxmcp.CodeInvalid, "requestState does not belong to this call")
}
