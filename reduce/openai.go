package reduce

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

func decodeOpenAI(m *message, content json.RawMessage) error {
	if m.role == ToolRole {
		return m.decodeToolResult(content)
	}
	text, blocks, err := readContent(content)
	if err != nil {
		return err
	}
	m.plain = blocks == nil
	if text != "" {
		m.parts = append(m.parts, part{kind: textPart, text: text})
	}
	for _, raw := range blocks {
		b, err := readBlock(raw)
		if err != nil {
			return err
		}
		p := part{kind: mediaPart, text: b.mediaText(raw), raw: raw}
		if b.Type == "text" || b.Type == "refusal" {
			p.kind, p.text = textPart, b.Text+b.Refusal
		}
		m.parts = append(m.parts, p)
	}
	m.decodeFields()
	return m.decodeCalls()
}

// decodeFields reads what an assistant says where its content is null.
func (m *message) decodeFields() {
	for _, name := range []string{"refusal", "audio", "function_call"} {
		raw := m.fields[name]
		if m.role != Assistant || len(raw) == 0 || string(raw) == "null" {
			continue
		}
		p := part{kind: fieldPart, name: name, raw: raw}
		if json.Unmarshal(raw, &p.text) != nil {
			p.text = string(raw)
		}
		if p.text == "" {
			continue
		}
		m.parts = append(m.parts, p)
		delete(m.fields, name)
	}
}

// decodeToolResult reads a message of the role tool.
func (m *message) decodeToolResult(content json.RawMessage) error {
	text, blocks, err := readContent(content)
	if err != nil {
		return err
	}
	p := part{kind: resultPart, text: text + textOfBlocks(blocks), raw: content}
	if json.Unmarshal(m.fields["tool_call_id"], &p.id) != nil || p.id == "" {
		return flaw("a tool result needs tool_call_id")
	}
	m.plain = true
	m.parts = []part{p}
	return nil
}

func (m *message) decodeCalls() error {
	raw, has := m.fields["tool_calls"]
	delete(m.fields, "tool_calls")
	if !has || string(raw) == "null" {
		return nil
	}
	var calls []json.RawMessage
	if json.Unmarshal(raw, &calls) != nil || m.role != Assistant {
		return flaw("tool_calls is a list, of an assistant")
	}
	for _, raw := range calls {
		var c openAICall
		if json.Unmarshal(raw, &c) != nil || c.ID == "" || c.Function.Name+c.Custom.Name == "" {
			return flaw("a tool call needs an id, and a function with a name")
		}
		p := part{kind: callPart, id: c.ID, name: c.Function.Name + c.Custom.Name, args: c.Custom.Input, raw: raw}
		if c.Function.Name != "" && json.Unmarshal(c.Function.Arguments, &p.args) != nil {
			p.args = string(c.Function.Arguments)
		}
		m.parts = append(m.parts, p)
	}
	return nil
}

func encodeOpenAI(m *message) map[string]any {
	out := map[string]any{}
	if m.role == ToolRole {
		out["tool_call_id"], out["content"] = m.parts[0].id, json.RawMessage(m.parts[0].raw)
		if m.parts[0].edited || m.parts[0].raw == nil {
			out["content"] = m.parts[0].text
		}
		return out
	}
	var content, calls []any
	text := ""
	for i := range m.parts {
		switch p := &m.parts[i]; p.kind {
		case callPart:
			calls = append(calls, patched(p.raw, map[string]any{"id": p.id}))
		case fieldPart:
			out[p.name] = p.raw
		case textPart:
			text += p.text
			content = append(content, patched(p.raw, map[string]any{"type": "text", "text": p.text}))
		default:
			content = append(content, p.raw)
		}
	}
	switch {
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
