package tools

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp/storetest/providertest"
	"github.com/ctx-mcp/ctx-mcp/storetest/rounds"
)

// The words of the user that hold as long as the task does.
const (
	loopTask   = "Find out why the nightly import stops at 02:10 and repair it, but never touch internal/auth, and answer in German."
	loopDemand = "One more thing: do not restart the database before Monday."
)

// TestLoop plays an agent of sixty steps at 8,000 tokens in both forms: it reads logs of up to 6,000 characters, and the user says one thing in
// between. After each second step, and each one in the long run, the provider takes the messages, the request and the demand of the user are there
// word for word, the calls keep their arguments, the last result is there, every part that is left out can be fetched, and the static prefix is the one before.
func TestLoop(t *testing.T) {
	for _, format := range []string{"openai", "anthropic"} {
		t.Run(format, func(t *testing.T) {
			s := services(t)
			s.Compiler.Keeper = s.Artifacts
			loop := &loop{format: format, services: s, messages: []any{map[string]any{"role": "user", "content": loopTask}}}
			for step := range loopSteps {
				if step == 7 {
					loop.messages = append(loop.messages, loop.said("assistant", "I will read on."), loop.said("user", loopDemand))
				}
				loop.step(t, step)
			}
		})
	}
}

// loopSteps is the number of steps of an agent: some are to come after the fortieth.
var loopSteps = rounds.Of(46, 60)

// loop is an agent at work.
type loop struct {
	format   string
	services *Services
	messages []any
	static   string // prefix of the step before
}

func (l *loop) said(role, text string) any { return map[string]any{"role": role, "content": text} }

// exchange adds a call with its result.
func (l *loop) exchange(id, arguments, result string) {
	if l.format == "openai" {
		l.messages = append(l.messages,
			map[string]any{"role": "assistant", "content": nil, "tool_calls": []any{map[string]any{"id": id, "type": "function",
				"function": map[string]any{"name": "read_log", "arguments": arguments}}}},
			map[string]any{"role": "tool", "tool_call_id": id, "content": result})
		return
	}
	l.messages = append(l.messages,
		map[string]any{"role": "assistant", "content": []any{map[string]any{"type": "tool_use", "id": id, "name": "read_log", "input": json.RawMessage(arguments)}}},
		map[string]any{"role": "user", "content": []any{map[string]any{"type": "tool_result", "tool_use_id": id, "content": result}}})
}

func (l *loop) step(t *testing.T, n int) {
	t.Helper()
	found := fmt.Sprintf("2026-11-19T02:%02d:59 ERROR import %d: quota of /tmp exceeded", n%60, n)
	l.exchange(fmt.Sprintf("call_%d", n), fmt.Sprintf(`{"page":%d}`, n), strings.Repeat(fmt.Sprintf("2026-11-19T02:%02d:00 INFO row ok\n", n%60), 1+n*7%180)+found)
	if (loopSteps-1-n)%rounds.Of(2, 1) != 0 {
		return
	}
	_, raw, err := l.services.Call(t.Context(), "compile_context", map[string]any{
		"messages": l.messages, "system_prompt": "You repair imports.", "max_tokens": 8000, "format": l.format, "scope": map[string]any{"session": "s1"},
		"trace": true,
	})
	if err != nil {
		t.Fatalf("step %d: %v", n, err)
	}
	var out struct {
		System   json.RawMessage
		Messages []json.RawMessage
		Tokens   int
		Warnings []string
		Zones    []struct{ Name, Digest string }
	}
	if err := json.Unmarshal(raw, &out); err != nil {
		t.Fatal(err)
	}
	accepts := providertest.OpenAI
	if l.format == "anthropic" {
		accepts = providertest.Anthropic
	}
	if err := accepts(out.Messages); err != nil {
		t.Fatalf("step %d: the provider refuses the messages: %v", n, err)
	}
	if out.Tokens > 8000 {
		t.Errorf("step %d: %d tokens", n, out.Tokens)
	}
	prompt := string(out.System)
	for _, m := range out.Messages {
		prompt += string(m) + "\n"
	}
	wants := []string{loopTask, found, "page"}
	if n >= 7 {
		wants = append(wants, loopDemand)
	}
	for _, want := range wants {
		if !strings.Contains(prompt, want) {
			t.Fatalf("step %d: %q is not in the prompt", n, want)
		}
	}
	l.fetches(t, n, prompt)
	static := ""
	if i := slices.IndexFunc(out.Zones, func(z struct{ Name, Digest string }) bool { return z.Name == "system" }); i >= 0 {
		static = out.Zones[i].Digest
	}
	if l.static != "" && static != l.static {
		t.Errorf("step %d: the static prefix has changed", n)
	}
	l.static = static
}

// fetches reads each artifact that the prompt names.
func (l *loop) fetches(t *testing.T, n int, prompt string) {
	t.Helper()
	if n > 40 && !strings.Contains(prompt, "left out here, for want of room") {
		t.Errorf("step %d: nothing says what is left out", n)
	}
	parts := strings.Split(prompt, "artifact_id=")[1:]
	if n != loopSteps-1 {
		return
	}
	for _, part := range parts[:min(len(parts), 4)] {
		id := strings.TrimRight(part[:strings.IndexAny(part+" ", " ]\"\\;,")], ".")
		if _, _, err := l.services.Call(t.Context(), "get_artifact", map[string]any{"artifact_id": id, "scope": map[string]any{"session": "s1"}}); err != nil {
			t.Errorf("step %d: %s: %v", n, id, err)
		}
	}
}
