package conversation

import "encoding/json"

func isAnthropic(s *shape) bool {
	return s.kind == "" && s.hasBlock("tool_use", "tool_result", "redacted_thinking", "server_tool_use")
}

func decodeAnthropic(m *Message) error { return m.decodeContent("content", m.decodeBlock) }

func (m *Message) decodeBlock(raw json.RawMessage) (Part, error) {
	b, err := readBlock(raw)
	if err != nil {
		return Part{}, err
	}
	p := Part{Kind: Media, Raw: raw}
	switch b.Type {
	case "text":
		p.Kind, p.Text = Text, b.Text
	case "thinking", "redacted_thinking":
		p.Kind, p.Text = Thinking, b.Thinking
	case "tool_use":
		p.Kind, p.ID, p.Name, p.Args = Call, b.ID, b.Name, string(b.Input)
		if m.Role != Assistant || b.ID == "" || b.Name == "" || !IsObject(p.Args) {
			return p, flaw("a tool_use block needs an id, a name and an input, and is of an assistant")
		}
	case "tool_result":
		p.Kind, p.ID, p.Text, p.Inside = Result, b.ToolUseID, textIn(b.Content), mediaIn(b.Content)
		if m.Role != User || b.ToolUseID == "" {
			return p, flaw("a tool_result block needs tool_use_id, and is of a user")
		}
	default:
		p.Text = b.mediaText(raw)
	}
	return p, nil
}

// content returns the content of an edited result: its text, and behind it the media, where there are any as blocks.
func (p *Part) content(textType string) any {
	if len(p.Inside) == 0 {
		return p.Text
	}
	return p.blocks(map[string]any{"type": textType, "text": p.Text})
}

// blocks returns a text as a block, and behind it the media of the part.
func (p *Part) blocks(text map[string]any) []any {
	all := []any{text}
	for i := range p.Inside {
		all = append(all, p.Inside[i].Raw)
	}
	return all
}

func encodeAnthropic(m *Message) map[string]any {
	out := map[string]any{"role": m.Role}
	if m.silent != nil && len(m.Parts) == 0 {
		out["content"] = m.silent
		return out
	}
	if m.plain && len(m.Parts) == 1 {
		out["content"] = m.Parts[0].Text
		return out
	}
	content := []any{}
	for i := range m.Parts {
		switch p := &m.Parts[i]; p.Kind {
		case Call:
			content = append(content, patched(p.Raw, map[string]any{"id": p.ID}))
		case Result:
			with := map[string]any{"type": "tool_result", "tool_use_id": p.ID}
			if p.Edited {
				with["content"] = p.content("text")
			}
			content = append(content, patched(p.Raw, with))
		case Text:
			content = append(content, p.textBlock(map[string]any{"type": "text", "text": p.Text}))
		default:
			content = append(content, p.Raw)
		}
	}
	out["content"] = content
	return out
}
