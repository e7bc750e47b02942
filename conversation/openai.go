package conversation

import "encoding/json"

// openAICall is a tool call of an assistant.
type openAICall struct {
	ID       string `json:"id"`
	Function struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"function"`
	Custom struct { // a tool whose input is text in no form
		Name  string `json:"name"`
		Input string `json:"input"`
	} `json:"custom"`
}

func isOpenAI(s *shape) bool {
	_, calls := s.fields["tool_calls"]
	return s.kind == "" && (s.role == string(ToolRole) || calls || s.hasBlock("image_url", "input_audio"))
}

func decodeOpenAI(m *Message) error {
	if m.Role == ToolRole {
		return m.decodeToolResult()
	}
	_, has := m.fields["content"]
	m.bare = !has
	if err := m.decodeContent("content", readOpenAIBlock); err != nil {
		return err
	}
	m.decodeFields()
	return m.decodeCalls()
}

func readOpenAIBlock(raw json.RawMessage) (Part, error) {
	b, err := readBlock(raw)
	p := Part{Kind: Media, Text: b.mediaText(raw), Raw: raw}
	if textTypes[b.Type] {
		p.Kind, p.Text = Text, b.Text+b.Refusal
	}
	return p, err
}

// decodeFields reads the texts of an assistant whose content is null.
func (m *Message) decodeFields() {
	for _, name := range []string{"refusal", "audio", "function_call"} {
		raw := m.fields[name]
		if m.Role != Assistant || len(raw) == 0 || string(raw) == "null" {
			continue
		}
		p := Part{Kind: Field, Name: name, Raw: raw}
		if json.Unmarshal(raw, &p.Text) != nil {
			p.Text = string(raw)
		}
		if p.Text == "" {
			continue
		}
		m.Parts = append(m.Parts, p)
		delete(m.fields, name)
	}
}

// decodeToolResult reads a message of the role tool.
func (m *Message) decodeToolResult() error {
	content := m.take("content")
	text, blocks, err := readContent(content)
	if err != nil {
		return err
	}
	p := Part{Kind: Result, Text: text + textOfBlocks(blocks), Raw: content}
	if json.Unmarshal(m.fields["tool_call_id"], &p.ID) != nil || p.ID == "" {
		return flaw("a tool result needs tool_call_id")
	}
	m.plain = true
	m.Parts = []Part{p}
	return nil
}

func (m *Message) decodeCalls() error {
	raw, has := m.fields["tool_calls"]
	delete(m.fields, "tool_calls")
	if !has || string(raw) == "null" {
		return nil
	}
	var calls []json.RawMessage
	if json.Unmarshal(raw, &calls) != nil || m.Role != Assistant {
		return flaw("tool_calls is a list, of an assistant")
	}
	for _, raw := range calls {
		var c openAICall
		if json.Unmarshal(raw, &c) != nil || c.ID == "" || c.Function.Name+c.Custom.Name == "" {
			return flaw("a tool call needs an id, and a function with a name")
		}
		p := Part{Kind: Call, ID: c.ID, Name: c.Function.Name + c.Custom.Name, Args: c.Custom.Input, Raw: raw}
		if c.Function.Name != "" && json.Unmarshal(c.Function.Arguments, &p.Args) != nil {
			p.Args = string(c.Function.Arguments)
		}
		m.Parts = append(m.Parts, p)
	}
	return nil
}

func encodeOpenAI(m *Message) map[string]any {
	out := map[string]any{"role": m.Role}
	if m.Role == ToolRole {
		out["tool_call_id"], out["content"] = m.Parts[0].ID, json.RawMessage(m.Parts[0].Raw)
		if m.Parts[0].Edited || m.Parts[0].Raw == nil {
			out["content"] = m.Parts[0].Text
		}
		return out
	}
	var content, calls []any
	text := ""
	for i := range m.Parts {
		switch p := &m.Parts[i]; p.Kind {
		case Call:
			calls = append(calls, patched(p.Raw, map[string]any{"id": p.ID}))
		case Field:
			out[p.Name] = p.Raw
		case Text:
			text += p.Text
			content = append(content, p.textBlock(map[string]any{"type": "text", "text": p.Text}))
		default:
			content = append(content, p.Raw)
		}
	}
	switch {
	case len(content) == 0 && m.silent != nil:
		out["content"] = m.silent
	case len(content) == 0 && m.bare:
	case len(content) == 0:
		out["content"] = nil
	case m.plain:
		out["content"] = text
	default:
		out["content"] = content
	}
	if len(calls) > 0 {
		out["tool_calls"] = calls
	}
	return out
}
