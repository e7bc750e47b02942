package tools

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/ctx-mcp/ctx-mcp"
)

// closed is a gate that nothing heavy comes through.
type closed struct{}

func (closed) Enter(context.Context, ctxmcp.Caller, int64) (func(), error) {
	return nil, ctxmcp.Errorf(ctxmcp.CodeUnavailable, "too many").WithHint("try again in 2 s")
}

// TestHeavyCallsPassTheGate: a call that works through content stops at a closed gate, before anything is done, and nothing else.
func TestHeavyCallsPassTheGate(t *testing.T) {
	s := services(t)
	stored := callTool(t, s, "put_artifact", `{"content":"[1]","artifact_type":"a"}`)
	raw, err := json.Marshal(stored.StructuredContent)
	if err != nil {
		t.Fatal(err)
	}
	var ref struct {
		ID string `json:"artifact_id"`
	}
	if err := json.Unmarshal(raw, &ref); err != nil {
		t.Fatal(err)
	}
	s.Heavy = closed{}
	for _, c := range []struct {
		tool, arguments string
		heavy           bool
	}{
		{"wrap_tool_result", `{"tool_call_id":"c","tool":"t","result":1}`, true},
		{"put_artifact", `{"content":"x","artifact_type":"a"}`, true},
		{"get_artifact", `{"artifact_id":"` + ref.ID + `"}`, false},
		{"get_artifact", `{"artifact_id":"` + ref.ID + `","offset":1,"limit":1}`, false},
		{"get_artifact", `{"artifact_id":"` + ref.ID + `","path":"$"}`, true},
		{"get_artifact", `{"artifact_id":"` + ref.ID + `","pattern":"1"}`, true},
		{"get_artifact", `{"artifact_id":"` + ref.ID + `","lines":"1-1"}`, true},
		{"declare_fields", `{"task_id":"t","fields":["a"]}`, true},
		{"compile_context", `{"user_message":"hello"}`, true},
		{"verify_context", `{"context_ref":"sha256:0"}`, true},
		{"retrieve_context", `{"directive":"artifact:x"}`, true},
		{"reduce_messages", `{"messages":[]}`, true},
		{"record_result", `{"session_id":"s","action_id":"a","result":1}`, true},
		{"remember", `{"content":"We deploy on Thursdays.","source":{"kind":"user_statement"}}`, false},
		{"remember", `{"content":"` + strings.Repeat("We deploy. ", 10_000) + `"}`, true},
		{"recall", `{"query":"deploy"}`, false},
		{"save_task_state", `{"task_id":"t","metadata":{"a":"` + strings.Repeat("a", largeArguments) + `"}}`, true},
	} {
		raw, err := json.Marshal(callTool(t, s, c.tool, c.arguments).StructuredContent)
		if err != nil {
			t.Fatal(err)
		}
		if stopped := strings.Contains(string(raw), "try again in 2 s"); stopped != c.heavy {
			t.Errorf("%s(%.80s) = %.200s; stopped at the gate: %t, want %t", c.tool, c.arguments, raw, stopped, c.heavy)
		}
	}
}

// oneGate counts the places that are taken.
type oneGate struct{ taken atomic.Int32 }

func (g *oneGate) Enter(context.Context, ctxmcp.Caller, int64) (func(), error) {
	g.taken.Add(1)
	gone := false
	return func() {
		if !gone {
			gone = true
			g.taken.Add(-1)
		}
	}, nil
}

// person answers a question an hour after it was put.
type person struct{ asked func() }

func (p person) Ask(context.Context, ctxmcp.Question, any) (ctxmcp.Answer, error) {
	p.asked()
	time.Sleep(time.Hour)
	return ctxmcp.Answer{Outcome: ctxmcp.Accepted, Value: "yes"}, nil
}

func (person) Kept(context.Context, any) (bool, error) { return false, nil }

// nothing is the input of the tools of these tests.
type nothing struct{ place }

// said is their output.
type said struct {
	Text string `json:"text"`
}

// answered runs a handler as a tool, heavy and under a limit of 10 seconds, and returns the text of its answer.
func answered(t *testing.T, s *Services, handle func(context.Context, call, nothing) (said, error)) string {
	t.Helper()
	s.CallTimeout = 10 * time.Second
	tool := define(definition{name: "recall", heavy: always}, handle)
	result, err := s.handler(tool)(t.Context(), mcp.CallToolRequest{})
	if err != nil {
		t.Fatal(err)
	}
	return result.Content[0].(mcp.TextContent).Text
}

// TestWaitingForAPersonIsNotTheCalls: neither its time nor its place among the heavy calls.
func TestWaitingForAPersonIsNotTheCalls(t *testing.T) {
	s, gate, during := services(t), &oneGate{}, int32(-1)
	synctest.Test(t, func(t *testing.T) {
		s.Heavy, s.Asker = gate, person{func() { during = gate.taken.Load() }}
		before := int32(0)
		got := answered(t, s, func(ctx context.Context, c call, _ nothing) (said, error) {
			before = gate.taken.Load()
			answer, err := c.ask(ctx, ctxmcp.Question{}, nil)
			return said{answer.Value}, errors.Join(err, ctx.Err())
		})
		if synctest.Wait(); got != "text: yes" || before != 1 || during != 0 || gate.taken.Load() != 0 {
			t.Errorf("the answer is %s; places taken: %d before, %d while the person was asked, %d after", got, before, during, gate.taken.Load())
		}
	})
}

// TestCallEndsInTime: also one whose handler looks at nothing, and that keeps its place until it has ended.
func TestCallEndsInTime(t *testing.T) {
	s, gate := services(t), &oneGate{}
	var working atomic.Int32
	synctest.Test(t, func(t *testing.T) {
		s.Heavy = gate
		s.Working = func() func() { working.Add(1); return func() { working.Add(-1) } }
		began := time.Now()
		got := answered(t, s, func(context.Context, call, nothing) (said, error) { time.Sleep(time.Minute); return said{"late"}, nil })
		want := "error unavailable: the call took longer than 10s and was ended\n" +
			"ask for less at once, such as a part of the content, or call again later"
		if took := time.Since(began); got != want || took >= 10*time.Second {
			t.Errorf("after %s the answer is %s", took, got)
		}
		if synctest.Wait(); gate.taken.Load() != 1 || working.Load() != 1 {
			t.Errorf("the work goes on, with %d places, and %d calls count", gate.taken.Load(), working.Load())
		}
		time.Sleep(time.Minute)
		if synctest.Wait(); gate.taken.Load() != 0 || working.Load() != 0 {
			t.Errorf("the work has ended, with %d places, and %d calls count", gate.taken.Load(), working.Load())
		}
	})
}

// TestResourcesAndPromptsAreBounded: they end in time too, and a resource passes the gate.
func TestResourcesAndPromptsAreBounded(t *testing.T) {
	s := services(t)
	s.CallTimeout = 10 * time.Second
	synctest.Test(t, func(t *testing.T) {
		_, err := s.boundResource(func(ctx context.Context, _ mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		})(t.Context(), mcp.ReadResourceRequest{})
		if ctxmcp.CodeOf(err) != ctxmcp.CodeUnavailable {
			t.Errorf("a resource: %v", err)
		}
		_, err = s.boundPrompt(func(ctx context.Context, _ mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		})(t.Context(), mcp.GetPromptRequest{})
		if ctxmcp.CodeOf(err) != ctxmcp.CodeUnavailable {
			t.Errorf("a prompt: %v", err)
		}
	})
	s.Heavy = closed{}
	c := connect(t, connection{"http", "2025-11-25"}, nil, s)
	var request mcp.ReadResourceRequest
	request.Params.URI = ctxmcp.ArtifactScheme + "any"
	if _, err := c.ReadResource(t.Context(), request); err == nil || !strings.Contains(err.Error(), "try again in 2 s") {
		t.Errorf("a resource at a closed gate: %v", err)
	}
}
