package conversation

import (
	"encoding/json"
	"strings"
)

// responseItem holds the fields that are read of an item that is no message: a call, its output, or reasoning.
type responseItem struct {
	CallID    string          `json:"call_id"`
	Name      string          `json:"name"`
	Arguments string          `json:"arguments"` // of a function: JSON
	Input     string          `json:"input"`     // of a custom tool: text in no form
	Output    json.RawMessage `json:"output"`
	Summary   json.RawMessage `json:"summary"` // of reasoning
	Content   json.RawMessage `json:"content"`
}

func isResponses(s *shape) bool {
	if s.role == "" {
		return s.kind != ""
	}
	return s.kind == "message" || s.hasBlock("input_text", "output_text", "input_image", "input_file")
}

// decodeResponses reads an item. Each is a message here; a turn of the assistant is a run of them.
func decodeResponses(m *Message) error {
	if m.Role != "" {
		m.item = true
		return m.decodeContent("content", readOpenAIBlock)
	}
	var kind string
	var it responseItem
	if json.Unmarshal(m.fields["type"], &kind) != nil || json.Unmarshal(m.raw, &it) != nil {
		return flaw("has neither a role nor a type")
	}
	m.item, m.Role = true, Assistant
	p := Part{Kind: Media, Text: string(m.raw), Raw: m.raw}
	switch {
	case kind == "reasoning":
		p.Kind, p.Text = Thinking, textIn(it.Summary)+textIn(it.Content)
	case strings.HasSuffix(kind, "_output") && it.CallID != "":
		m.Role = ToolRole
		p.Kind, p.ID, p.Text, p.Inside = Result, it.CallID, textIn(it.Output), mediaIn(it.Output)
	case strings.HasSuffix(kind, "_call") && it.CallID != "":
		p.Kind, p.ID, p.Name, p.Args = Call, it.CallID, it.Name, it.Arguments+it.Input
		if p.Name == "" { // a tool of the provider's: its arguments are members of the item
			p.Name, p.Args = kind, string(m.raw)
		}
	case kind == "function_call" || kind == "function_call_output":
		return flaw("a call and its output need call_id")
	}
	m.fields, m.Parts = nil, []Part{p}
	return nil
}

// encodeResponses writes a message of one item.
func encodeResponses(m *Message) map[string]any {
	if m.Role == ToolRole || len(m.Parts) == 1 && m.fields == nil && m.Parts[0].Raw != nil {
		return m.responseItem()
	}
	out := map[string]any{"role": m.Role}
	if m.silent != nil && len(m.Parts) == 0 {
		out["content"] = m.silent
		return out
	}
	if m.unbound {
		delete(m.fields, "id")
	}
	if m.plain && len(m.Parts) == 1 {
		out["content"] = m.Parts[0].Text
		return out
	}
	said := "input_text"
	if m.Role == Assistant {
		said = "output_text"
	}
	content := []any{}
	for i := range m.Parts {
		if p := &m.Parts[i]; p.Kind == Text {
			content = append(content, p.textBlock(map[string]any{"type": said, "text": p.Text}))
		} else {
			content = append(content, p.Raw)
		}
	}
	out["content"] = content
	return out
}

// responseItem writes an item that is no message.
func (m *Message) responseItem() map[string]any {
	p := &m.Parts[0]
	with := map[string]any{}
	switch p.Kind {
	case Call:
		with["call_id"] = p.ID
	case Result:
		with["call_id"] = p.ID
		if p.Edited {
			with["output"] = p.content("input_text")
		}
	}
	out := patched(p.Raw, with)
	if m.unbound {
		delete(out, "id") // an item with an id is taken with the reasoning that it had
	}
	return out
}
