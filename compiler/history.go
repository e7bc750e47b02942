package compiler

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
)

// message is what a compile reads of a message, in the form of either provider.
type message struct {
	Role       string          `json:"role"`
	Content    json.RawMessage `json:"content"`
	ToolCalls  []toolCall      `json:"tool_calls,omitempty"`
	ToolCallID string          `json:"tool_call_id,omitempty"`

	raw json.RawMessage
}

type toolCall struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

// part is one block of a content that is a list, in the form of either provider.
type part struct {
	Type      string          `json:"type"`
	Text      string          `json:"text,omitempty"`
	ID        string          `json:"id,omitempty"`
	Name      string          `json:"name,omitempty"`
	Input     json.RawMessage `json:"input,omitempty"`
	ToolUseID string          `json:"tool_use_id,omitempty"`
	Content   json.RawMessage `json:"content,omitempty"`

	raw json.RawMessage
}

// turn is a stretch of the conversation that stays together: a message, or a call of tools with its results.
type turn struct {
	messages []message
	first    int // number of its first message, from 0
	tokens   int
	kept     bool
}

// readHistory reads the conversation.
func (s *state) readHistory() error {
	var all []message
	for i, raw := range s.in.Request.Messages {
		m := message{raw: raw}
		if err := json.Unmarshal(raw, &m); err != nil || m.Role == "" {
			return ctxmcp.Errorf(ctxmcp.CodeInvalid, "messages[%d] is no message", i).WithHint("give role and content")
		}
		all = append(all, m)
	}
	open := map[string]bool{} // calls without a result yet
	for i, m := range all {
		answers := false
		for _, id := range m.answers() {
			answers = answers || open[id]
			delete(open, id)
		}
		if !answers {
			clear(open)
			s.history = append(s.history, turn{first: i})
		}
		t := &s.history[len(s.history)-1]
		t.messages = append(t.messages, m)
		t.tokens += s.counter.Count(m.text()) + s.in.Policy.MessageTokens
		for _, id := range m.calls() {
			open[id] = true
		}
	}
	return nil
}

// parts returns the content as a list.
func (m message) parts() []part {
	content := bytes.TrimSpace(m.Content)
	if len(content) == 0 || content[0] != '[' {
		var text string
		if json.Unmarshal(content, &text) != nil || text == "" {
			return nil
		}
		return []part{{Type: "text", Text: text}}
	}
	var raws []json.RawMessage
	if json.Unmarshal(content, &raws) != nil {
		return nil
	}
	var all []part
	for _, raw := range raws {
		p := part{raw: raw}
		if json.Unmarshal(raw, &p) == nil {
			all = append(all, p)
		}
	}
	return all
}

// calls returns the ids of the calls that the message makes.
func (m message) calls() (ids []string) {
	for _, c := range m.ToolCalls {
		ids = append(ids, c.ID)
	}
	for _, p := range m.parts() {
		if p.Type == "tool_use" {
			ids = append(ids, p.ID)
		}
	}
	return ids
}

// answers returns the ids of the calls whose results the message brings.
func (m message) answers() (ids []string) {
	if m.ToolCallID != "" {
		ids = append(ids, m.ToolCallID)
	}
	for _, p := range m.parts() {
		if p.Type == "tool_result" {
			ids = append(ids, p.ToolUseID)
		}
	}
	return ids
}

// text returns all that a model reads of the message.
func (m message) text() string {
	var b bytes.Buffer
	for _, p := range m.parts() {
		switch p.Type {
		case "text", "input_text", "output_text":
			b.WriteString(p.Text)
		default:
			b.Write(p.raw)
		}
		b.WriteByte('\n')
	}
	for _, c := range m.ToolCalls {
		fmt.Fprintf(&b, "%s %s %s\n", c.ID, c.Function.Name, c.Function.Arguments)
	}
	return b.String()
}

// checkCalls warns of calls at the end of the conversation that nothing answers: no provider takes them.
func (s *state) checkCalls() {
	open := s.lastCalls()
	for _, it := range s.live() {
		delete(open, it.CallID)
	}
	for _, id := range slices.Sorted(maps.Keys(open)) {
		s.warn("the call " + id + " at the end of messages has no result: pass it in tool_results")
	}
}

// lastCalls returns the calls at the end of the conversation that have no result.
func (s *state) lastCalls() map[string]bool {
	open := map[string]bool{}
	if len(s.history) == 0 {
		return open
	}
	last := s.history[len(s.history)-1]
	if !last.kept {
		return open
	}
	for _, m := range last.messages {
		for _, id := range m.calls() {
			open[id] = true
		}
	}
	for _, m := range last.messages {
		for _, id := range m.answers() {
			delete(open, id)
		}
	}
	return open
}
