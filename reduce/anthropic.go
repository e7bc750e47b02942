package reduce

import "encoding/json"

func decodeAnthropic(m *message, content json.RawMessage) error {
	text, blocks, err := readContent(content)
	if err != nil {
		return err
	}
	m.plain = blocks == nil
	if text != "" {
		m.parts = append(m.parts, part{kind: textPart, text: text})
	}
	for _, raw := range blocks {
		p, err := m.decodeBlock(raw)
		if err != nil {
			return err
		}
		m.parts = append(m.parts, p)
	}
	return nil
}

func (m *message) decodeBlock(raw json.RawMessage) (part, error) {
	b, err := readBlock(raw)
	if err != nil {
		return part{}, err
	}
	p := part{kind: mediaPart, raw: raw}
	switch b.Type {
	case "text":
		p.kind, p.text = textPart, b.Text
	case "thinking", "redacted_thinking":
		p.kind, p.text = thinkingPart, b.Thinking
	case "tool_use":
		p.kind, p.id, p.name, p.args = callPart, b.ID, b.Name, string(b.Input)
		if m.role != Assistant || b.ID == "" || b.Name == "" || !isObject(p.args) {
			return p, flaw("a tool_use block needs an id, a name and an input, and is of an assistant")
		}
	case "tool_result":
		p.kind, p.id, p.text, p.inside = resultPart, b.ToolUseID, textIn(b.Content), mediaIn(b.Content)
		if m.role != User || b.ToolUseID == "" {
			return p, flaw("a tool_result block needs tool_use_id, and is of a user")
		}
	default:
		p.text = b.mediaText(raw)
	}
	return p, nil
}

// content returns what an edited result says: its text, and behind it the media.
func (p *part) content() any {
	if len(p.inside) == 0 {
		return p.text
	}
	blocks := []any{map[string]any{"type": "text", "text": p.text}}
	for i := range p.inside {
		blocks = append(blocks, p.inside[i].raw)
	}
	return blocks
}

func encodeAnthropic(m *message) map[string]any {
	if m.plain && len(m.parts) == 1 {
		return map[string]any{"content": m.parts[0].text}
	}
	content := []any{}
	for i := range m.parts {
		switch p := &m.parts[i]; p.kind {
		case callPart:
			content = append(content, patched(p.raw, map[string]any{"id": p.id}))
		case resultPart:
			with := map[string]any{"type": "tool_result", "tool_use_id": p.id}
			if p.edited {
				with["content"] = p.content()
			}
			content = append(content, patched(p.raw, with))
		case textPart:
			content = append(content, patched(p.raw, map[string]any{"type": "text", "text": p.text}))
		default:
			content = append(content, p.raw)
		}
	}
	return map[string]any{"content": content}
}
