package compiler

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/conversation"
	"github.com/ctx-mcp/ctx-mcp/schema/ijson"
)

// anthropicBlock is a block of the Messages API.
type anthropicBlock struct {
	Type      string          `json:"type"`
	Text      string          `json:"text,omitempty"`
	ID        string          `json:"id,omitempty"`
	Name      string          `json:"name,omitempty"`
	Input     json.RawMessage `json:"input,omitempty"`
	ToolUseID string          `json:"tool_use_id,omitempty"`
	Content   string          `json:"content,omitempty"`
	Cache     *cacheControl   `json:"cache_control,omitempty"`
}

type cacheControl struct {
	Type string `json:"type"`
}

type anthropicMessage struct {
	Role    string            `json:"role"`
	Content []json.RawMessage `json:"content"`

	results bool // it answers calls
}

// minimums are the prefixes that the provider caches at the least, in tokens, by the beginning of a model's name; the first
// that fits counts. Shorter ones are not cached, silently.
var minimums = []struct {
	model  string
	tokens int
}{
	{"claude-opus-4-8", 1024}, {"claude-opus-4-7", 2048}, {"claude-opus-4-6", 4096}, {"claude-opus-4-5", 4096},
	{"claude-haiku-4-5", 4096}, {"claude-3-5-haiku", 2048}, {"claude-haiku-3", 2048}, {"claude-mythos-preview", 2048},
	{"claude-opus-5", 512}, {"claude-fable-5", 512}, {"claude-mythos-5", 512}, {"gemini-2", 2048}, {"gemini", 4096},
}

// cacheMinimum returns the shortest prefix that the model's provider caches.
func cacheMinimum(model string) int {
	name := strings.NewReplacer(".", "-", "_", "-").Replace(strings.ToLower(model[strings.LastIndexByte(model, '/')+1:]))
	for _, m := range minimums {
		if strings.Contains(name, m.model) {
			return m.tokens
		}
	}
	return 1024
}

// midSystem are the models that take a message of the role system within a conversation.
var midSystem = []string{"claude-opus-4-8", "claude-opus-4.8"}

func takesSystemMessage(model string) bool {
	for _, m := range midSystem {
		if strings.Contains(strings.ToLower(model), m) {
			return true
		}
	}
	return false
}

// renderAnthropic writes the static zones as system blocks, and everything that changes into the last turn of the user. At
// most three breakpoints stand where the zones end, where what stands before them is long enough to be cached.
func (s *state) renderAnthropic() error {
	a := &anthropicOut{state: s, minimum: cacheMinimum(s.in.Request.Model)}
	for _, b := range s.blocks {
		a.write(b)
	}
	a.finish()
	if len(a.system) > 0 {
		raw, err := ijson.Compact(a.system)
		if err != nil {
			return err
		}
		s.out.System = raw
	}
	for _, m := range a.messages {
		raw, err := ijson.Compact(m)
		if err != nil {
			return err
		}
		s.out.Messages = append(s.out.Messages, raw)
	}
	s.out.Lines = a.lines
	s.out.Trace.Cache.Breakpoints = a.breakpoints
	return nil
}

// anthropicOut is an output in this form on its way.
type anthropicOut struct {
	*state
	minimum     int
	before      int // tokens up to here
	system      []anthropicBlock
	messages    []anthropicMessage
	last        []json.RawMessage // content of the user's turn, which collects all that changes
	lastBlocks  []*block
	rules       *block // of the appended rules, where they are a message of their own
	number      int    // of the next text
	lines       []Line
	breakpoints int
}

func (a *anthropicOut) write(b *block) {
	a.before += a.tokensOf(b)
	switch {
	case b.group == systemGroup || b.group == policyGroup:
		a.lines = append(a.lines, a.linesOf(b, a.number, 1)...)
		a.number++
		a.system = append(a.system, anthropicBlock{Type: "text", Text: b.text(), Cache: a.breakpoint()})
	case b.turn != nil:
		a.sendTurn(b)
	case b.result != nil:
		a.sendResultOf(b)
	case b.group == appendedGroup && takesSystemMessage(a.in.Request.Model):
		a.rules = b
	default:
		a.last = append(a.last, blockOf(anthropicBlock{Type: "text", Text: b.text()}))
		a.lastBlocks = append(a.lastBlocks, b)
	}
}

// breakpoint returns the mark for a prefix that is long enough to be cached.
func (a *anthropicOut) breakpoint() *cacheControl {
	if a.before < a.minimum {
		return nil
	}
	a.breakpoints++
	return &cacheControl{"ephemeral"}
}

// sendTurn sends a message of the conversation. The last of them ends the prefix that only grows.
func (a *anthropicOut) sendTurn(b *block) {
	content := asAnthropic(b.turn)
	role := b.turn.Role
	if role == conversation.ToolRole {
		role = conversation.User
	}
	if a.isLastTurn(b) && len(content) > 0 {
		content[len(content)-1] = marked(content[len(content)-1], a.breakpoint())
	}
	a.send(anthropicMessage{string(role), content, len(b.turn.Answers()) > 0}, b)
}

func (a *anthropicOut) isLastTurn(b *block) bool {
	for i, x := range a.blocks {
		if x == b {
			return i+1 == len(a.blocks) || a.blocks[i+1].turn == nil
		}
	}
	return false
}

// marked adds a breakpoint to a block.
func marked(raw json.RawMessage, mark *cacheControl) json.RawMessage {
	var fields map[string]json.RawMessage
	if mark == nil || json.Unmarshal(raw, &fields) != nil {
		return raw
	}
	delete(fields, "cache_control")
	fields["cache_control"] = json.RawMessage(`{"type":"ephemeral"}`)
	with, err := ijson.Compact(fields)
	if err != nil {
		return raw
	}
	return with
}

func (a *anthropicOut) sendResultOf(b *block) {
	it := b.result
	if !a.lastCalls()[it.CallID] {
		a.send(anthropicMessage{"assistant", []json.RawMessage{blockOf(anthropicBlock{
			Type: "tool_use", ID: callID(it.CallID), Name: toolName(it.Tool), Input: json.RawMessage("{}")})}, false}, nil)
	}
	a.send(anthropicMessage{"user", []json.RawMessage{blockOf(anthropicBlock{
		Type: "tool_result", ToolUseID: callID(it.CallID), Content: b.text()})}, true}, b)
}

// blockOf returns a block as JSON.
func blockOf(b anthropicBlock) json.RawMessage {
	raw, err := ijson.Compact(b)
	if err != nil { // texts, and JSON that was read
		panic(err)
	}
	return raw
}

// send appends a message; b is what its lines are of. All results of one turn are one message.
func (a *anthropicOut) send(m anthropicMessage, b *block) {
	if b != nil {
		a.lines = append(a.lines, a.linesOf(b, a.number, 1)...)
	}
	a.number += len(m.Content)
	if n := len(a.messages); m.results && n > 0 && a.messages[n-1].results {
		a.messages[n-1].Content = append(a.messages[n-1].Content, m.Content...)
		return
	}
	a.messages = append(a.messages, m)
}

// finish sends the user's turn, and after it the rules that were added.
func (a *anthropicOut) finish() {
	for i, b := range a.lastBlocks {
		a.lines = append(a.lines, a.linesOf(b, a.number+i, 1)...)
	}
	if len(a.last) > 0 {
		a.send(anthropicMessage{"user", a.last, false}, nil)
	}
	if a.rules != nil {
		a.send(anthropicMessage{"system", []json.RawMessage{blockOf(anthropicBlock{Type: "text", Text: a.rules.text()})}, false}, a.rules)
	}
}

// asAnthropic returns the content of a message of the conversation as blocks: what is known of it, without breakpoints.
func asAnthropic(m *conversation.Message) []json.RawMessage {
	var all []json.RawMessage
	add := func(v any) {
		if raw, err := ijson.Compact(v); err == nil {
			all = append(all, raw)
		}
	}
	for i := range m.Parts {
		switch p := &m.Parts[i]; p.Kind {
		case conversation.Text:
			add(anthropicBlock{Type: "text", Text: p.Text})
		case conversation.Call:
			add(anthropicBlock{Type: "tool_use", ID: callID(p.ID), Name: p.Name, Input: anthropicInput(m, p)})
		case conversation.Result:
			add(anthropicBlock{Type: "tool_result", ToolUseID: callID(p.ID), Content: p.Text})
		default:
			if media, has := m.MediaIn(conversation.Anthropic, p); has {
				add(media)
			}
		}
	}
	return all
}

// anthropicInput returns the arguments of a call as the object that the form takes.
func anthropicInput(m *conversation.Message, p *conversation.Part) json.RawMessage {
	args := cmp.Or(p.Args, "{}")
	switch {
	case !conversation.IsObject(args):
		return json.RawMessage(`{"arguments":` + string(quoted(p.Args)) + `}`)
	case m.Of() != conversation.OpenAI:
		return compact(json.RawMessage(args))
	}
	return json.RawMessage(args)
}

// callID returns an id of a call in the characters that the provider takes.
func callID(id string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' {
			return r
		}
		return '_'
	}, id)
}
