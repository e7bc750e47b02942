package compiler

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
)

// message is what is known of a message, in the form of either provider. What it holds beside is not sent: nobody counted it.
type message struct {
	Role       string          `json:"role"`
	Content    json.RawMessage `json:"content"`
	Name       string          `json:"name,omitempty"`
	ToolCalls  []toolCall      `json:"tool_calls,omitempty"`
	ToolCallID string          `json:"tool_call_id,omitempty"`

	list []part // of the content
}

type toolCall struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

// part is one block of a content, in the form of either provider.
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
	tokens   int
	kept     bool
}

// conversationRoles are the roles that a message may have.
var conversationRoles = []string{"system", "developer", "user", "assistant", "tool"}

// readMessage reads a message of the conversation.
func readMessage(raw json.RawMessage, place int) (message, error) {
	var m message
	invalid := ctxmcp.Errorf(ctxmcp.CodeInvalid, "messages[%d] is no message", place)
	if err := json.Unmarshal(raw, &m); err != nil {
		return m, invalid.WithHint("give role and content")
	}
	if !slices.Contains(conversationRoles, m.Role) {
		return m, invalid.WithHint("its role is none of: %s", ctxmcp.Words(conversationRoles))
	}
	m.list = partsOf(m.Content)
	if len(m.list) == 0 && len(m.ToolCalls) == 0 && (m.Role != "tool" || m.ToolCallID == "") {
		return m, invalid.WithHint("it has no content")
	}
	return m, nil
}

// readHistory reads the conversation into turns. A result of no call and a call without a result, which no provider takes, are
// left out with a warning.
func (s *state) readHistory() error {
	var all []message
	for i, raw := range s.in.Request.Messages {
		m, err := readMessage(raw, i)
		if err != nil {
			return err
		}
		if s.in.Request.Format == Anthropic && (m.Role == "system" || m.Role == "developer") {
			s.systemTexts = append(s.systemTexts, textOf(m.Content)) // the form has no other place for it
			continue
		}
		all = append(all, m)
	}
	answered, err := s.answered(all)
	if err != nil {
		return err
	}
	open, lost := map[string]bool{}, 0 // calls without a result yet; calls and results without the other
	for _, m := range all {
		lost += m.without(func(id string) bool { return answered[id] }, func(id string) bool { return open[id] })
		if len(m.list) == 0 && len(m.ToolCalls) == 0 && m.ToolCallID == "" {
			continue
		}
		ids := m.answers()
		if len(ids) == 0 {
			clear(open)
			s.history = append(s.history, turn{})
		}
		t := &s.history[len(s.history)-1]
		t.messages = append(t.messages, m)
		t.tokens += s.counter.Count(m.text()) + s.in.Policy.MessageTokens
		for _, id := range ids {
			delete(open, id)
		}
		for _, id := range m.calls() {
			open[id] = true
		}
	}
	if lost > 0 {
		s.warn(fmt.Sprintf("%d of the calls and results in messages left out: no provider takes a call without its result, or a result without its call", lost))
	}
	return nil
}

// answered returns which calls have a result: in the messages that follow at once, or, those of the last, in the results that
// the request brings. It returns CodeConflict for a second result.
func (s *state) answered(all []message) (map[string]bool, error) {
	results := map[string]bool{}
	for _, it := range s.items {
		if it.Kind == KindToolResult {
			results[it.CallID] = true
		}
	}
	answered, open := map[string]bool{}, map[string]bool{}
	for _, m := range all {
		ids := m.answers()
		if len(ids) == 0 {
			clear(open)
		}
		for _, id := range ids {
			if open[id] {
				answered[id] = true
			}
			if results[id] && open[id] {
				return nil, ctxmcp.Errorf(ctxmcp.CodeConflict, "the call %q of tool_results has its result in messages", clipRunes(id, 60)).
					WithHint("give each result once")
			}
		}
		for _, id := range m.calls() {
			open[id] = true
		}
	}
	for id := range open {
		answered[id] = answered[id] || results[id]
	}
	return answered, nil
}

// without takes out of the message the calls that nothing answers and the results of calls that are not open, and returns how
// many there were.
func (m *message) without(answered, open func(id string) bool) int {
	before := len(m.ToolCalls) + len(m.list)
	m.ToolCalls = slices.DeleteFunc(m.ToolCalls, func(c toolCall) bool { return !answered(c.ID) })
	m.list = slices.DeleteFunc(m.list, func(p part) bool {
		return p.Type == "tool_use" && !answered(p.ID) || p.Type == "tool_result" && !open(p.ToolUseID)
	})
	if m.ToolCallID != "" && !open(m.ToolCallID) {
		m.ToolCallID, m.list = "", []part{}
		return 1
	}
	return before - len(m.ToolCalls) - len(m.list)
}

// partsOf returns a content as a list.
func partsOf(content json.RawMessage) []part {
	content = bytes.TrimSpace(content)
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
		if json.Unmarshal(raw, &p) == nil && !(p.isText() && p.Text == "") {
			all = append(all, p)
		}
	}
	return all
}

// parts returns the content as a list.
func (m message) parts() []part {
	if m.list != nil {
		return m.list
	}
	return partsOf(m.Content)
}

// isText reports whether a part is text alone.
func (p part) isText() bool {
	return p.Type == "text" || p.Type == "input_text" || p.Type == "output_text"
}

// calls returns the ids of the calls that the message makes.
func (m message) calls() (ids []string) {
	for _, c := range m.ToolCalls {
		ids = append(ids, c.ID)
	}
	for _, p := range m.list {
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
	for _, p := range m.list {
		if p.Type == "tool_result" {
			ids = append(ids, p.ToolUseID)
		}
	}
	return ids
}

// text returns all of the message that is sent.
func (m message) text() string {
	var b bytes.Buffer
	b.WriteString(m.Name)
	for _, p := range m.parts() {
		if p.isText() {
			b.WriteString(p.Text)
		} else {
			b.Write(p.raw)
		}
		b.WriteByte('\n')
	}
	for _, c := range m.ToolCalls {
		fmt.Fprintf(&b, "%s %s %s\n", c.ID, c.Function.Name, c.Function.Arguments)
	}
	return b.String()
}

// lastCalls returns the calls at the end of the conversation that have no result in it.
func (s *state) lastCalls() map[string]bool {
	open := map[string]bool{}
	if len(s.history) == 0 || !s.history[len(s.history)-1].kept {
		return open
	}
	for _, m := range s.history[len(s.history)-1].messages {
		for _, id := range m.calls() {
			open[id] = true
		}
		for _, id := range m.answers() {
			delete(open, id)
		}
	}
	return open
}

// checkCalls warns of calls whose results found no room.
func (s *state) checkCalls() {
	open := s.lastCalls()
	for _, it := range s.live() {
		delete(open, it.CallID)
	}
	for _, id := range slices.Sorted(maps.Keys(open)) {
		s.warn("the result of the call " + id + " found no room")
	}
}
