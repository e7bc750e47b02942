package compiler

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/conversation"
)

// turn is a stretch of the conversation that stays together: a message, or a call of tools with its results.
type turn struct {
	messages []conversation.Message
	tokens   int
	kept     bool
}

// readMessages reads the conversation, each message of it in any format. What a message holds beside its role, name and content is not sent: nobody
// counted it.
func readMessages(raw []json.RawMessage) ([]conversation.Message, error) {
	all, err := conversation.DecodeEach(raw)
	if err != nil {
		return nil, err
	}
	for i := range all {
		all[i].Drop(func(p *conversation.Part) bool {
			return p.Kind == conversation.Field || p.Kind == conversation.Text && p.Text == ""
		})
		if len(all[i].Parts) == 0 {
			return nil, ctxmcp.Errorf(ctxmcp.CodeInvalid, "messages[%d] is no message", i).WithHint("it has no content")
		}
	}
	return conversation.Join(all), nil
}

// readHistory reads the conversation into turns. A result of no call and a call without a result, which no provider takes, are
// left out with a warning.
func (s *state) readHistory() error {
	read, err := readMessages(s.in.Request.Messages)
	if err != nil {
		return err
	}
	var all []conversation.Message
	for _, m := range read {
		if s.in.Request.Format == Anthropic && m.Leads() {
			s.systemTexts = append(s.systemTexts, saidBy(&m)) // the form has no other place for it
			continue
		}
		all = append(all, m)
	}
	answered, err := s.answered(all)
	if err != nil {
		return err
	}
	open, lost := map[string]bool{}, 0 // calls without a result yet; calls and results without the other
	for i := range all {
		m := &all[i]
		lost += m.Drop(func(p *conversation.Part) bool {
			return p.Kind == conversation.Call && !answered[p.ID] || p.Kind == conversation.Result && !open[p.ID]
		})
		if len(m.Parts) == 0 {
			continue
		}
		ids := m.Answers()
		if len(ids) == 0 {
			clear(open)
			s.history = append(s.history, turn{})
		}
		t := &s.history[len(s.history)-1]
		t.messages = append(t.messages, *m)
		t.tokens += s.counter.Count(sentText(m)) + s.in.Policy.MessageTokens
		for _, id := range ids {
			delete(open, id)
		}
		for _, id := range m.Calls() {
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
func (s *state) answered(all []conversation.Message) (map[string]bool, error) {
	results := map[string]bool{}
	for _, it := range s.items {
		if it.Kind == KindToolResult {
			results[it.CallID] = true
		}
	}
	answered, open := map[string]bool{}, map[string]bool{}
	for _, m := range all {
		ids := m.Answers()
		if len(ids) == 0 {
			clear(open)
		}
		for _, id := range ids {
			if open[id] {
				answered[id] = true
			}
			if results[id] && open[id] {
				return nil, ctxmcp.Errorf(ctxmcp.CodeConflict, "the call %q of tool_results has its result in messages", ctxmcp.Cut(id, 60)).
					WithHint("give each result once")
			}
		}
		for _, id := range m.Calls() {
			open[id] = true
		}
	}
	for id := range open {
		answered[id] = answered[id] || results[id]
	}
	return answered, nil
}

// saidBy returns the texts of a message, one below the other.
func saidBy(m *conversation.Message) string {
	var texts []string
	for i := range m.Parts {
		if p := &m.Parts[i]; p.Kind == conversation.Text {
			texts = append(texts, p.Text)
		}
	}
	return strings.Join(texts, "\n")
}

// sentText returns all of a message that is sent, as it is counted.
func sentText(m *conversation.Message) string {
	var b bytes.Buffer
	b.WriteString(m.Name())
	for i := range m.Parts {
		if p := &m.Parts[i]; !calledInOpenAI(m, p) {
			b.WriteString(partText(m, p))
			b.WriteByte('\n')
		}
	}
	for i := range m.Parts {
		if p := &m.Parts[i]; calledInOpenAI(m, p) {
			fmt.Fprintf(&b, "%s %s %s\n", p.ID, p.Name, p.Args)
		}
	}
	return b.String()
}

// calledInOpenAI reports whether a part is a call beside the content.
func calledInOpenAI(m *conversation.Message, p *conversation.Part) bool {
	return p.Kind == conversation.Call && m.Of() == conversation.OpenAI
}

// partText returns the text by which a part is counted: its own, or that of the provider's object.
func partText(m *conversation.Message, p *conversation.Part) string {
	if p.Kind == conversation.Text || p.Kind == conversation.Result && m.Role == conversation.ToolRole || p.Raw == nil {
		return p.Text
	}
	return string(p.Raw)
}

// lastCalls returns the calls at the end of the conversation that have no result in it.
func (s *state) lastCalls() map[string]bool {
	open := map[string]bool{}
	if len(s.history) == 0 || !s.history[len(s.history)-1].kept {
		return open
	}
	for _, m := range s.history[len(s.history)-1].messages {
		for _, id := range m.Calls() {
			open[id] = true
		}
		for _, id := range m.Answers() {
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
