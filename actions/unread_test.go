package actions_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions"
	"github.com/ctx-mcp/ctx-mcp/actions/taint"
)

// TestResultThatCannotBeRead: a panic while a result is read, behind its answer or before, ends no session. From then on what can do harm is a
// question unless the user asked for it by name, after a restart too, and what cannot goes on.
func TestResultThatCannotBeRead(t *testing.T) {
	broken := actions.Options{}.ReadBy(func(ctx context.Context, text string) (*taint.Reading, error) {
		if strings.HasPrefix(text, "boom") {
			panic("a text")
		}
		return taint.Read(ctx, text)
	})
	for name, result := range map[string]string{"behind its answer": "boom", "before its answer": "boom" + strings.Repeat(" and more", 10_000)} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, broken)
			open := actions.Opening{Session: "s", Request: actions.Request{Text: "Delete the bucket plans-7x, and write to Ann."}}
			if _, err := b.Start(t.Context(), ann(), ctxmcp.Scope{}, open); err != nil {
				t.Fatal(err)
			}
			verdict := func(s *actions.Service, id, tool, arguments string) ctxmcp.Verdict {
				a, err := s.Record(t.Context(), ann(), ctxmcp.Scope{}, actions.Intent{Session: "s", ID: id, Tool: tool, Parameters: json.RawMessage(arguments)})
				if err != nil {
					t.Fatalf("%s: %v", id, err)
				}
				return a.Decision.Verdict
			}
			if got := verdict(b.Service, "look", "get_page", `{}`); got != ctxmcp.Allow {
				t.Fatalf("the look is %s", got)
			}
			raw, _ := json.Marshal(result)
			if _, err := b.Result(t.Context(), ann(), ctxmcp.Scope{}, actions.Outcome{Session: "s", Action: "look", Result: raw}); err != nil {
				t.Fatal(err)
			}
			for i, s := range []*actions.Service{b.Service, b.over(t, broken)} {
				for _, c := range []struct {
					tool, arguments string
					want            ctxmcp.Verdict
				}{
					{"read_file", `{"path": "README.md"}`, ctxmcp.Allow},
					{"send_email", `{"to": "ann.k@far.example", "body": "hello"}`, ctxmcp.StepUp},
					{"delete_bucket", `{"name": "photos-8y"}`, ctxmcp.StepUp},
					{"delete_bucket", `{"name": "plans-7x"}`, ctxmcp.Allow},
				} {
					if got := verdict(s, strings.Repeat("x", i+1)+c.tool+c.arguments[len(c.arguments)-4:len(c.arguments)-2], c.tool, c.arguments); got != c.want {
						t.Errorf("service %d: %s %s is %s, want %s", i, c.tool, c.arguments, got, c.want)
					}
				}
			}
			if diff := cmp.Diff([]string{"look"}, b.document(t, "s").UnreadResults); diff != "" {
				t.Errorf("the results that were not read (-want +got):\n%s", diff)
			}
		})
	}
}
