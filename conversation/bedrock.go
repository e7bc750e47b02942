package conversation

import "encoding/json"

// bedrockBlock is a block of Converse: exactly one member names its kind.
type bedrockBlock struct {
	Text *string `json:"text"`
	Use  *struct {
		ID    string          `json:"toolUseId"`
		Name  string          `json:"name"`
		Input json.RawMessage `json:"input"`
	} `json:"toolUse"`
	Result *struct {
		ID      string            `json:"toolUseId"`
		Content []json.RawMessage `json:"content"`
	} `json:"toolResult"`
	Reasoning *struct {
		Text struct {
			Text string `json:"text"`
		} `json:"reasoningText"`
	} `json:"reasoningContent"`
}

// bedrockMedia are the blocks whose bytes say nothing of the tokens that they take.
var bedrockMedia = []string{"image", "document", "video", "cachePoint"}

func isBedrock(s *shape) bool {
	for _, b := range s.blocks {
		if _, typed := b["type"]; typed {
			return false
		}
		for _, name := range append([]string{"text", "toolUse", "toolResult", "reasoningContent", "guardContent"}, bedrockMedia...) {
			if _, has := b[name]; has {
				return true
			}
		}
	}
	return false
}

func decodeBedrock(m *Message) error { return m.decodeContent("content", m.decodeBedrockBlock) }

func (m *Message) decodeBedrockBlock(raw json.RawMessage) (Part, error) {
	var b bedrockBlock
	if json.Unmarshal(raw, &b) != nil {
		return Part{}, flaw("a block of its content cannot be read")
	}
	p := Part{Kind: Media, Text: bedrockMediaText(raw), Raw: raw}
	switch {
	case b.Text != nil:
		p.Kind, p.Text = Text, *b.Text
	case b.Reasoning != nil:
		p.Kind, p.Text = Thinking, b.Reasoning.Text.Text
	case b.Use != nil:
		p.Kind, p.ID, p.Name, p.Args, p.Text = Call, b.Use.ID, b.Use.Name, string(b.Use.Input), ""
		if m.Role != Assistant || p.ID == "" || p.Name == "" {
			return p, flaw("a toolUse block needs toolUseId and a name, and is of an assistant")
		}
	case b.Result != nil:
		p.Kind, p.ID, p.Text = Result, b.Result.ID, ""
		p.readBedrockResult(b.Result.Content)
		if m.Role != User || p.ID == "" {
			return p, flaw("a toolResult block needs toolUseId, and is of a user")
		}
	}
	return p, nil
}

// readBedrockResult reads the content of a result: its texts and JSON one below the other, and media.
func (p *Part) readBedrockResult(content []json.RawMessage) {
	for _, raw := range content {
		var b struct {
			Text *string         `json:"text"`
			JSON json.RawMessage `json:"json"`
		}
		switch _ = json.Unmarshal(raw, &b); {
		case b.Text != nil:
			p.Text = below(p.Text, *b.Text)
		case b.JSON != nil:
			p.Text = below(p.Text, string(b.JSON))
		default:
			p.Inside = append(p.Inside, Part{Kind: Media, Text: bedrockMediaText(raw), Raw: raw})
		}
	}
}

func below(text, more string) string {
	if text == "" {
		return more
	}
	return text + "\n" + more
}

// bedrockMediaText returns the text in a block that is passed on as it is: all of a block of an unknown type.
func bedrockMediaText(raw json.RawMessage) string {
	var fields map[string]json.RawMessage
	_ = json.Unmarshal(raw, &fields)
	for _, name := range bedrockMedia {
		if _, has := fields[name]; has {
			return ""
		}
	}
	return string(raw)
}

func encodeBedrock(m *Message) map[string]any {
	if m.silent != nil && len(m.Parts) == 0 {
		return map[string]any{"role": m.Role, "content": m.silent}
	}
	content := []any{}
	for i := range m.Parts {
		switch p := &m.Parts[i]; p.Kind {
		case Call:
			content = append(content, within(p.Raw, "toolUse", map[string]any{"toolUseId": p.ID}))
		case Result:
			with := map[string]any{"toolUseId": p.ID}
			if p.Edited {
				with["content"] = p.blocks(map[string]any{"text": p.Text})
			}
			content = append(content, within(p.Raw, "toolResult", with))
		case Text:
			content = append(content, p.textBlock(map[string]any{"text": p.Text}))
		default:
			content = append(content, p.Raw)
		}
	}
	return map[string]any{"role": m.Role, "content": content}
}

// within returns the provider's object of a part with fields of one of its members replaced.
func within(raw json.RawMessage, member string, with map[string]any) map[string]any {
	var old map[string]json.RawMessage
	_ = json.Unmarshal(raw, &old)
	return patched(raw, map[string]any{member: patched(old[member], with)})
}
