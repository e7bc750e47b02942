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
	first, end int    // places of its messages in the conversation
	forms      []said // the fullest first: a shorter one has shorter results
	form       int    // shown; -1: none
	pinned     bool   // the user's words that hold as long as the task does
}

// said is a turn in one of its forms.
type said struct {
	messages []conversation.Message
	tokens   int
}

func (t *turn) kept() bool { return t.form >= 0 }

// now returns the messages of the form that is shown.
func (t *turn) now() []conversation.Message { return t.forms[t.form].messages }

// readMessages reads the conversation, each message of it in any format. Other members of a message than its role, name and content are not sent:
// nobody counted them.
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

// readHistory reads the conversation into turns. Its last message is the user's turn where the request names none. A result of no call and a
// call without a result, which no provider takes, are left out with a warning.
func (s *state) readHistory() error {
	read, err := readMessages(s.in.Request.Messages)
	if err != nil {
		return err
	}
	s.said, read = turnOf(s.in.Request.UserMessage, read)
	answered, err := s.answered(read)
	if err != nil {
		return err
	}
	contained := s.containResults(read)
	open, lost := map[string]bool{}, 0 // calls without a result yet; calls and results without the other
	for i := range read {
		m := read[i].Clone()
		if s.in.Request.Format == Anthropic && m.Leads() {
			s.systemTexts = append(s.systemTexts, saidBy(&m)) // the form has no other place for it
			continue
		}
		lost += m.Drop(func(p *conversation.Part) bool {
			return p.Kind == conversation.Call && !answered[callAt{i, p.ID}] || p.Kind == conversation.Result && !open[p.ID]
		})
		if len(m.Parts) == 0 {
			continue
		}
		ids := m.Answers()
		if len(ids) == 0 {
			clear(open)
			s.history = append(s.history, turn{first: i, form: -1})
		}
		t := &s.history[len(s.history)-1]
		t.end = i + 1
		s.extend(t, i, m, contained)
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
	s.pin()
	return nil
}

// turnOf returns the user's turn, and the conversation before it: where the request names none, it is the last message, if the user says
// it and it is text.
func turnOf(message string, read []conversation.Message) (string, []conversation.Message) {
	if strings.TrimSpace(message) != "" || len(read) == 0 {
		return message, read
	}
	last := &read[len(read)-1]
	if last.Role != conversation.User || slices.ContainsFunc(last.Parts, func(p conversation.Part) bool { return p.Kind != conversation.Text }) {
		return "", read
	}
	return saidBy(last), read[:len(read)-1]
}

// callAt is a call at a place of the conversation: ids may come again.
type callAt struct {
	message int
	id      string
}

// answered returns which calls have a result: in the messages that follow at once, or, those of the last, in the results that
// the request brings. It returns CodeConflict for a second result.
func (s *state) answered(all []conversation.Message) (map[callAt]bool, error) {
	results := map[string]bool{}
	for _, it := range s.items {
		if it.Kind == KindToolResult {
			results[it.CallID] = true
		}
	}
	answered, open := map[callAt]bool{}, map[string]int{}
	for i, m := range all {
		ids := m.Answers()
		if len(ids) == 0 {
			clear(open)
		}
		for _, id := range ids {
			at, waits := open[id]
			if waits {
				answered[callAt{at, id}] = true
				delete(open, id)
			}
			if waits && results[id] && s.isLast(all, i) {
				return nil, ctxmcp.Errorf(ctxmcp.CodeConflict, "the call %q of tool_results has its result in messages", ctxmcp.Cut(id, 60)).
					WithHint("give each result once")
			}
		}
		for _, id := range m.Calls() {
			open[id] = i
		}
	}
	for id, at := range open {
		answered[callAt{at, id}] = results[id]
	}
	return answered, nil
}

// isLast reports whether no call stands behind message i: an engine may count its calls from nought in each turn.
func (s *state) isLast(all []conversation.Message, i int) bool {
	return !slices.ContainsFunc(all[i+1:], func(m conversation.Message) bool { return len(m.Calls()) > 0 })
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
	if len(s.history) == 0 || !s.history[len(s.history)-1].kept() {
		return open
	}
	for _, m := range s.history[len(s.history)-1].now() {
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
