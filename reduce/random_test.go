package reduce

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/conversation"
	"github.com/ctx-mcp/ctx-mcp/schema/ijson"
	"github.com/ctx-mcp/ctx-mcp/storetest/rounds"
)

var (
	conversations = flag.Int("conversations", rounds.Of(30, 150), "random conversations in each format")
	firstSeed     = flag.Int("first", 0, "seed of the first of them")
)

// writer makes random conversations, valid for their provider.
type writer struct {
	*rand.Rand
	format conversation.Format
	calls  int
	all    []map[string]any
	turns  []int // places at which the assistant begins to speak
}

var vocabulary = strings.Fields(`the of error parse config server/main.go test_login UserStore timeout 4096 8f3e2a91 def class return if
	self.assertEqual value= "name": {"id": 17, [INFO] WARNING: line /var/log/app.log retry_count https://example.com/a?b=1 日本語 naïve ) ( ;`)

func (w *writer) text(words int) string {
	var b strings.Builder
	for range 1 + w.IntN(words) {
		b.WriteString(vocabulary[w.IntN(len(vocabulary))])
		if w.IntN(6) == 0 {
			fmt.Fprintf(&b, "_%d", w.IntN(500))
		}
		b.WriteByte(" \n\t "[w.IntN(4)])
	}
	return strings.TrimSpace(b.String()) + "."
}

func (w *writer) add(role conversation.Role, content any) map[string]any {
	m := map[string]any{"role": role, "content": content}
	if role == conversation.Assistant {
		w.turns = append(w.turns, len(w.all))
	}
	if w.format == conversation.Gemini {
		m = map[string]any{"role": map[conversation.Role]string{conversation.User: "user", conversation.Assistant: "model"}[role], "parts": content}
	}
	w.all = append(w.all, m)
	return m
}

// said is what a role says, as the format has it, where it may now and then as a list.
func (w *writer) said(role conversation.Role, text string) any {
	switch {
	case w.format == conversation.Gemini || w.format == conversation.Bedrock:
		return []any{map[string]any{"text": text}}
	case w.IntN(4) > 0:
		return text
	case w.format == conversation.Responses && role == conversation.Assistant:
		return []any{map[string]any{"type": "output_text", "text": text, "annotations": []any{}}}
	case w.format == conversation.Responses:
		return []any{map[string]any{"type": "input_text", "text": text}}
	}
	return []any{map[string]any{"type": "text", "text": text}}
}

func (w *writer) say(role conversation.Role, words int) {
	w.add(role, w.said(role, w.text(words)))
}

func (w *writer) conversation() []json.RawMessage {
	if (w.format == conversation.OpenAI || w.format == conversation.Responses) && w.IntN(3) > 0 {
		w.add(conversation.System, w.text(20))
	}
	w.say(conversation.User, 25)
	for range w.IntN(14) {
		switch w.IntN(5) {
		case 0:
			w.say(conversation.Assistant, 40)
			w.say(conversation.User, 20)
		default:
			w.exchange()
		}
	}
	if n := len(w.turns); n > 0 && w.turns[n-1] == len(w.all)-1 {
		w.say(conversation.User, 3)
	}
	out := make([]json.RawMessage, len(w.all))
	for i, m := range w.all {
		out[i], _ = ijson.Compact(m)
	}
	return out
}

// result is what a tool returns: mostly short, now and then large.
func (w *writer) result() string {
	if w.IntN(12) == 0 {
		return strings.Repeat(w.text(60)+"\n", 1+w.IntN(60))
	}
	return w.text(80)
}

// exchange adds a turn of the assistant with calls and the results.
func (w *writer) exchange() {
	var calls, results []any
	for range 1 + w.IntN(3) {
		w.calls++
		id := fmt.Sprintf("call_%d", w.calls)
		input := map[string]any{"path": w.text(3), "n": w.IntN(9)}
		arguments, _ := json.Marshal(input)
		switch text := w.result(); w.format {
		case conversation.Anthropic:
			calls = append(calls, map[string]any{"type": "tool_use", "id": id, "name": "run", "input": input})
			results = append(results, map[string]any{"type": "tool_result", "tool_use_id": id, "content": text})
		case conversation.Bedrock:
			calls = append(calls, map[string]any{"toolUse": map[string]any{"toolUseId": id, "name": "run", "input": input}})
			results = append(results, map[string]any{"toolResult": map[string]any{"toolUseId": id, "status": "success", "content": []any{map[string]any{"text": text}}}})
		case conversation.Gemini:
			calls = append(calls, map[string]any{"functionCall": map[string]any{"name": "run", "args": input}, "thoughtSignature": "s"})
			results = append(results, map[string]any{"functionResponse": map[string]any{"name": "run", "response": map[string]any{"output": text}}})
		case conversation.Responses:
			calls = append(calls, map[string]any{"type": "function_call", "id": "fc_" + id, "call_id": id, "name": "run", "arguments": string(arguments)})
			results = append(results, map[string]any{"type": "function_call_output", "call_id": id, "output": text})
		default:
			calls = append(calls, map[string]any{"id": id, "type": "function", "function": map[string]any{"name": "run", "arguments": string(arguments)}})
			results = append(results, map[string]any{"role": conversation.ToolRole, "tool_call_id": id, "content": text})
		}
	}
	w.addExchange(calls, results)
}

func (w *writer) addExchange(calls, results []any) {
	switch w.format {
	case conversation.OpenAI:
		w.add(conversation.Assistant, w.text(15))["tool_calls"] = calls
		w.append(results)
	case conversation.Responses:
		w.turns = append(w.turns, len(w.all))
		if w.IntN(2) == 0 {
			w.append([]any{map[string]any{"type": "reasoning", "id": "rs_1", "summary": []any{map[string]any{"type": "summary_text", "text": w.text(10)}}}})
		}
		w.append(calls)
		w.append(results)
	default:
		content := []any{w.block(w.text(15))}
		if w.IntN(3) == 0 {
			content = append([]any{w.thought(w.text(10))}, content...)
		}
		w.add(conversation.Assistant, append(content, calls...))
		if w.IntN(3) == 0 {
			results = append(results, w.block(w.text(5)))
		}
		w.add(conversation.User, results)
	}
}

func (w *writer) append(items []any) {
	for _, it := range items {
		w.all = append(w.all, it.(map[string]any))
	}
}

// block is a text as a block of the content.
func (w *writer) block(text string) map[string]any {
	if w.format == conversation.Anthropic {
		return map[string]any{"type": "text", "text": text}
	}
	return map[string]any{"text": text}
}

func (w *writer) thought(text string) map[string]any {
	switch w.format {
	case conversation.Anthropic:
		return map[string]any{"type": "thinking", "thinking": text, "signature": "s"}
	case conversation.Bedrock:
		return map[string]any{"reasoningContent": map[string]any{"reasoningText": map[string]any{"text": text, "signature": "s"}}}
	}
	return map[string]any{"text": text, "thought": true}
}

// TestRandom: of any conversation comes one that the provider accepts, that fits and is no longer than it was; reducing it again changes nothing; the same
// input gives the same bytes; and with the state the original messages lead to what was returned.
func TestRandom(t *testing.T) {
	for i, format := range conversation.Formats() {
		most := *conversations
		if i > 1 { // they share the laws of the first two, and differ in what conversation/ proves of them
			most /= 5
		}
		t.Run(string(format), func(t *testing.T) {
			t.Parallel()
			for n := range most {
				seed := *firstSeed + n
				w := &writer{Rand: seeded(seed), format: format}
				if !hold(t, w, w.conversation()) {
					t.Fatalf("seed %d", seed)
				}
			}
		})
	}
}

// hold checks the laws on one conversation, twice: in the middle, and then again with the state at the end.
func hold(t *testing.T, w *writer, all []json.RawMessage) bool {
	t.Helper()
	k := newKeeper()
	s := newService(k)
	r := Request{Format: w.format, Messages: all[:cutAt(w, all)]}
	switch w.IntN(3) {
	case 0:
		r.Limit = 300 + w.IntN(3000)
	case 1:
		r.Target = 300 + w.IntN(3000)
	default:
		r.Limit, r.Window = 100_000, 2+w.IntN(20)
	}
	first := check(t, s, r)
	s = newService(k) // after a restart: all that is left is what was kept, and the state as the caller has it
	kept, err := json.Marshal(first.State)
	if err != nil {
		t.Fatal(err)
	}
	if r.State, err = ParseState(kept); err != nil {
		t.Fatal(err)
	}
	again := check(t, s, r) // the same originals, with the state
	if !reflect.DeepEqual(text(again.Messages), text(first.Messages)) {
		t.Errorf("the state does not restore the conversation:\n%s\nwant\n%s", text(again.Messages), text(first.Messages))
	}
	r.Messages = append(append([]json.RawMessage{}, first.Messages...), all[len(r.Messages):]...)
	reduced := check(t, s, r)
	r.Messages = all
	original := check(t, s, r)
	if !reflect.DeepEqual(text(original.Messages), text(reduced.Messages)) {
		t.Errorf("the original messages lead to\n%s\nthe returned ones to\n%s", text(original.Messages), text(reduced.Messages))
	}
	if original.Removed != reduced.Removed {
		t.Errorf("removed %d messages of the original ones, %d of the returned ones", original.Removed, reduced.Removed)
	}
	return !t.Failed()
}

// cutAt returns a place at which a request could be sent: before a turn of the assistant.
func cutAt(w *writer, all []json.RawMessage) int {
	var places []int
	for _, i := range w.turns {
		if i > 1 {
			places = append(places, i)
		}
	}
	if len(places) == 0 {
		return len(all)
	}
	return places[w.IntN(len(places))]
}

// check reduces, and holds what comes back against the laws.
func check(t *testing.T, s *Service, r Request) Reduced {
	t.Helper()
	out, err := s.Reduce(t.Context(), caller, place0, r)
	if err != nil {
		t.Errorf("Reduce: %v", err)
		return out
	}
	for _, v := range violations(r.Format, out.Messages) {
		t.Errorf("violation %s\n%s", v, text(out.Messages))
	}
	twice, err := s.Reduce(t.Context(), caller, place0, r)
	if err != nil || !reflect.DeepEqual(text(twice.Messages), text(out.Messages)) || !reflect.DeepEqual(twice.State, out.State) {
		t.Errorf("the same input gave other bytes, %v", err)
	}
	if most := max(r.Limit, r.Target); out.After > most && !strings.Contains(strings.Join(out.Warnings, " "), "must stay") {
		t.Errorf("%d tokens, want at most %d: %v", out.After, most, out.Warnings)
	}
	if out.After > out.Before {
		t.Errorf("%d tokens became %d: %v", out.Before, out.After, out.Warnings)
	}
	r.Messages, r.State = out.Messages, nil
	idempotent, err := s.Reduce(t.Context(), caller, place0, r)
	if err != nil || !reflect.DeepEqual(text(idempotent.Messages), text(out.Messages)) {
		t.Errorf("reducing twice changes something, %v:\n%s\nwant\n%s", err, text(idempotent.Messages), text(out.Messages))
	}
	return out
}

func text(messages []json.RawMessage) string {
	var b strings.Builder
	for _, m := range messages {
		b.Write(m)
		b.WriteByte('\n')
	}
	return b.String()
}

var (
	caller = ctxmcp.Caller{Tenant: "t", User: "u", Clearance: ctxmcp.HighlyRestricted}
	place0 = ctxmcp.Scope{User: "u", Project: "p", Session: "s"}
)

func seeded(n int) *rand.Rand { return rand.New(rand.NewPCG(uint64(n), 7)) }
