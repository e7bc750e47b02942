package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	ctxmcp "github.com/ctx-mcp/ctx-mcp"
	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

// addAsk gives the fixture a tool that changes something and then asks which colour it shall be. It answers with how often
// it has run from the start, the outcome and the choice.
func (f *fixture) addAsk(asker *Asker) *fixture {
	if asker.Now == nil {
		asker.Now = time.Now
	}
	asker.Key = []byte("key")
	runs := 0
	f.AddTool(mcp.NewTool("ask"), func(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		var run int
		again, err := asker.Kept(ctx, &run)
		if err != nil {
			return nil, err
		}
		if !again {
			runs++
			run = runs
		}
		answer, err := asker.Ask(ctx, colour(r.GetString("of", "the door")), run)
		if err != nil {
			return nil, err
		}
		return mcp.NewToolResultText(strings.TrimSpace(fmt.Sprint(run, " ", answer.Outcome, " ", answer.Value))), nil
	})
	return f
}

func colour(of string) ctxmcp.Question {
	return ctxmcp.Question{
		Message: "Which colour for " + of + "?",
		Choices: []ctxmcp.Choice{{Value: "red", Title: "Red, as now"}, {Value: "blue", Title: "Blue"}},
	}
}

// user is a person's reaction to a question.
type user func(ctx context.Context, r mcp.ElicitationRequest) (*mcp.ElicitationResult, error)

// Elicit implements client.ElicitationHandler.
func (u user) Elicit(ctx context.Context, r mcp.ElicitationRequest) (*mcp.ElicitationResult, error) {
	return u(ctx, r)
}

// says returns a user who always does the same.
func says(action mcp.ElicitationResponseAction, content any) user {
	return func(context.Context, mcp.ElicitationRequest) (*mcp.ElicitationResult, error) {
		return &mcp.ElicitationResult{ElicitationResponse: mcp.ElicitationResponse{Action: action, Content: content}}, nil
	}
}

func chooses(value any) user {
	return says(mcp.ElicitationResponseActionAccept, map[string]any{formField: value})
}

// eachClient runs a library client of every era over both transports against a fresh fixture. A nil user is a client that
// cannot ask.
func eachClient(t *testing.T, u user, do func(t *testing.T, version string, c *client.Client)) {
	for _, version := range []string{"2026-07-28", "2025-11-25", "2025-06-18"} {
		options := []client.ClientOption{client.WithProtocolVersion(version)}
		if u != nil {
			options = append(options, client.WithElicitationHandler(u))
		}
		t.Run("stdio "+version, func(t *testing.T) {
			f := newFixture(t).addAsk(&Asker{})
			in, toServer := io.Pipe()
			fromServer, out := io.Pipe()
			done := make(chan error, 1)
			go func() {
				defer out.Close()
				done <- Stdio(t.Context(), f.MCPServer, in, out, StdioOptions{Logger: f.logger()})
			}()
			c := client.NewClient(transport.NewIO(fromServer, toServer, io.NopCloser(strings.NewReader(""))), options...)
			greet(t, c, version)
			do(t, version, c)
			toServer.Close()
			if err := <-done; err != nil {
				t.Errorf("Stdio = %v, want nil", err)
			}
			c.Close()
		})
		t.Run("http "+version, func(t *testing.T) {
			wire, err := transport.NewStreamableHTTP(newFixture(t).addAsk(&Asker{}).serveHandler(t, HTTPOptions{}))
			if err != nil {
				t.Fatal(err)
			}
			c := client.NewClient(wire, options...)
			defer c.Close()
			greet(t, c, version)
			do(t, version, c)
		})
	}
}

func greet(t *testing.T, c *client.Client, version string) {
	t.Helper()
	if err := c.Start(t.Context()); err != nil {
		t.Fatalf("start: %v", err)
	}
	var hello mcp.InitializeRequest
	hello.Params.ProtocolVersion = version
	if _, err := c.Initialize(t.Context(), hello); err != nil {
		t.Fatalf("initialize: %v", err)
	}
	if c.ProtocolVersion() != version {
		t.Fatalf("the client speaks %s, want %s", c.ProtocolVersion(), version)
	}
}

// callText calls a tool and returns its text, or the error.
func callText(t *testing.T, c *client.Client, tool string, args ...any) string {
	var r mcp.CallToolRequest
	r.Params.Name = tool
	r.Params.Arguments = callParams(tool, args...)["arguments"]
	result, err := c.CallTool(t.Context(), r)
	switch {
	case err != nil:
		return "error " + err.Error()
	case len(result.Content) == 0:
		return "no content"
	default:
		return mcp.GetTextFromContent(result.Content[0])
	}
}

func TestUserIsAskedInPlace(t *testing.T) {
	for _, c := range []struct {
		name string
		user user
		want string
	}{
		{"chooses", chooses("blue"), "1 accept blue"},
		{"declines", says(mcp.ElicitationResponseActionDecline, nil), "1 decline"},
		{"declines and fills in", says(mcp.ElicitationResponseActionDecline, map[string]any{formField: "red"}), "1 decline"},
		{"closes", says(mcp.ElicitationResponseActionCancel, nil), "1 cancel"},
		{"chooses what was not offered", chooses("green"), "1 unanswered"},
		{"chooses by title", chooses("Blue"), "1 unanswered"},
		{"chooses a number", chooses(7), "1 unanswered"},
		{"chooses a list", chooses([]string{"blue"}), "1 unanswered"},
		{"sends an empty form", says(mcp.ElicitationResponseActionAccept, map[string]any{}), "1 unanswered"},
		{"sends no form", says(mcp.ElicitationResponseActionAccept, nil), "1 unanswered"},
		{"sends a text", says(mcp.ElicitationResponseActionAccept, "blue"), "1 unanswered"},
		{"does something else", says("shrug", map[string]any{formField: "red"}), "1 unanswered"},
		{"cannot be asked", nil, "1 unsupported"},
	} {
		t.Run(c.name, func(t *testing.T) {
			eachClient(t, c.user, func(t *testing.T, _ string, cl *client.Client) {
				if got := callText(t, cl, "ask"); got != c.want {
					t.Errorf("ask = %q, want %q", got, c.want)
				}
			})
		})
	}
}

func TestWhatTheUserSees(t *testing.T) {
	var seen []mcp.ElicitationParams
	note := user(func(_ context.Context, r mcp.ElicitationRequest) (*mcp.ElicitationResult, error) {
		seen = append(seen, r.Params)
		return chooses("red")(nil, r)
	})
	titled := []any{map[string]any{"const": "red", "title": "Red, as now"}, map[string]any{"const": "blue", "title": "Blue"}}
	eachClient(t, note, func(t *testing.T, version string, c *client.Client) {
		seen = nil
		if got := callText(t, c, "ask", "of", "the\x1b[2J\u202e wall"); got != "1 accept red" || len(seen) != 1 {
			t.Fatalf("ask = %q, and %d questions were put", got, len(seen))
		}
		field := seen[0].RequestedSchema.(map[string]any)["properties"].(map[string]any)[formField].(map[string]any)
		if seen[0].Message != "Which colour for the [2J wall?" {
			t.Errorf("the message is %q", seen[0].Message)
		}
		old := fmt.Sprint(field["enum"], field["enumNames"]) == "[red blue] [Red, as now Blue]"
		if version == "2025-06-18" != old || version != "2025-06-18" && fmt.Sprint(field["oneOf"]) != fmt.Sprint(titled) {
			t.Errorf("the field is %v", field)
		}
	})
}

// TestFailingDialog: a client whose dialog fails is one that gave no answer; since 2026-07-28 it does not call again.
func TestFailingDialog(t *testing.T) {
	fails := user(func(context.Context, mcp.ElicitationRequest) (*mcp.ElicitationResult, error) {
		return nil, errors.New("no screen")
	})
	eachClient(t, fails, func(t *testing.T, version string, c *client.Client) {
		got := callText(t, c, "ask")
		if modern := version == "2026-07-28"; !modern && got != "1 unanswered" || modern && !strings.Contains(got, "no screen") {
			t.Errorf("ask = %q", got)
		}
		if got := callText(t, c, "whoami"); !strings.HasSuffix(got, "true") {
			t.Errorf("whoami afterwards = %q", got)
		}
	})
}

// TestTwoQuestionsAtOnce: each answer reaches the call that asked, whichever comes first.
func TestTwoQuestionsAtOnce(t *testing.T) {
	both := make(chan string, 2)
	gates := map[string]chan struct{}{"wall": make(chan struct{}), "door": make(chan struct{})}
	u := user(func(ctx context.Context, r mcp.ElicitationRequest) (*mcp.ElicitationResult, error) {
		of, value := "wall", "blue"
		if strings.Contains(r.Params.Message, "door") {
			of, value = "door", "red"
		}
		both <- of
		<-gates[of]
		return chooses(value)(ctx, r)
	})
	eachClient(t, u, func(t *testing.T, _ string, c *client.Client) {
		answers := map[string]chan string{"wall": make(chan string, 1), "door": make(chan string, 1)}
		for _, of := range []string{"wall", "door"} {
			go func() { answers[of] <- callText(t, c, "ask", "of", of) }()
			<-both
		}
		gates["door"] <- struct{}{}
		if got := <-answers["door"]; got != "2 accept red" {
			t.Errorf("door = %q, want %q", got, "2 accept red")
		}
		if got := callText(t, c, "whoami"); !strings.HasSuffix(got, "true") {
			t.Errorf("whoami beside a question = %q", got)
		}
		gates["wall"] <- struct{}{}
		if got := <-answers["wall"]; got != "1 accept blue" {
			t.Errorf("wall = %q, want %q", got, "1 accept blue")
		}
	})
}

func TestAskerThatMayNotAsk(t *testing.T) {
	f := newFixture(t)
	f.addAsk(&Asker{Off: true})
	got := brief(pipe(t, f, StdioOptions{}, initializeAsking, toolCall(2, "ask")))
	same(t, "with a negative timeout", []string{"1 result", "2 1 unsupported"}, got)
}

// initializeAsking is initialize by a client that can ask its user.
var initializeAsking = strings.Replace(initialize, `"capabilities":{}`, `"capabilities":{"elicitation":{}}`, 1)
