package conversation

import (
	"bytes"
	"encoding/json"
	"maps"
	"strings"
)

// patched returns the provider's object of a part with some of its fields replaced.
func patched(raw json.RawMessage, with map[string]any) map[string]any {
	fields := map[string]any{}
	var old map[string]json.RawMessage
	if json.Unmarshal(raw, &old) == nil {
		for name, value := range old {
			fields[name] = value
		}
	}
	maps.Copy(fields, with)
	return fields
}

// take returns a member of the message's object that its format has a meaning for, and leaves the others.
func (m *Message) take(name string) json.RawMessage {
	raw := m.fields[name]
	delete(m.fields, name)
	return raw
}

// content is a string, or a list of blocks, or null.
func readContent(raw json.RawMessage) (text string, blocks []json.RawMessage, err error) {
	raw = bytes.TrimSpace(raw)
	switch {
	case len(raw) == 0 || string(raw) == "null":
	case raw[0] == '"':
		err = json.Unmarshal(raw, &text)
	case raw[0] == '[':
		err = json.Unmarshal(raw, &blocks)
	default:
		err = flaw("its content is neither text nor a list")
	}
	if err != nil {
		err = flaw("its content is neither text nor a list")
	}
	return text, blocks, err
}

// block holds the fields that are read of a content block, in the formats whose blocks have a type.
type block struct {
	Type      string          `json:"type"`
	Text      string          `json:"text"`
	Refusal   string          `json:"refusal"`
	Thinking  string          `json:"thinking"`
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Input     json.RawMessage `json:"input"`
	ToolUseID string          `json:"tool_use_id"`
	Content   json.RawMessage `json:"content"`
	Source    json.RawMessage `json:"source"`
}

// textTypes are the blocks that say their text.
var textTypes = map[string]bool{"text": true, "input_text": true, "output_text": true, "refusal": true}

// pictures are the blocks whose bytes say nothing of the tokens that they take.
var pictures = map[string]bool{
	"image": true, "document": true, "container_upload": true, // of Anthropic
	"image_url": true, "input_audio": true, "file": true, // of chat completions
	"input_image": true, "input_file": true, // of Responses
}

// mediaText returns the text in a block that is passed on as it is: that of a document, and all of a block of an unknown type.
func (b *block) mediaText(raw json.RawMessage) string {
	var source struct {
		Type    string          `json:"type"`
		Data    string          `json:"data"`
		Content json.RawMessage `json:"content"`
	}
	if json.Unmarshal(b.Source, &source) == nil {
		switch source.Type {
		case "text":
			return source.Data
		case "content":
			return textIn(source.Content)
		}
	}
	if pictures[b.Type] {
		return ""
	}
	return string(raw)
}

func readBlock(raw json.RawMessage) (b block, err error) {
	if json.Unmarshal(raw, &b) != nil || b.Type == "" {
		return b, flaw("a block of its content has no type")
	}
	return b, nil
}

// decodeContent reads a content whose blocks are read one by one. A content that says nothing is kept as it came.
func (m *Message) decodeContent(name string, read func(raw json.RawMessage) (Part, error)) error {
	raw, has := m.fields[name]
	delete(m.fields, name)
	text, blocks, err := readContent(raw)
	if err != nil {
		return err
	}
	m.plain = blocks == nil
	if text != "" {
		m.Parts = append(m.Parts, Part{Kind: Text, Text: text})
	}
	for _, raw := range blocks {
		p, err := read(raw)
		if err != nil {
			return err
		}
		m.Parts = append(m.Parts, p)
	}
	if has && len(m.Parts) == 0 {
		m.silent = raw
	}
	return nil
}

// textIn returns the text of content, however it is nested.
func textIn(raw json.RawMessage) string {
	text, blocks, err := readContent(raw)
	if err != nil {
		return string(raw)
	}
	return text + textOfBlocks(blocks)
}

// textOfBlocks returns the texts of a list of blocks, one below the other.
func textOfBlocks(blocks []json.RawMessage) string {
	var texts []string
	for _, raw := range blocks {
		var b block
		if json.Unmarshal(raw, &b) != nil {
			continue
		}
		if text := b.Text + textIn(b.Content); text != "" {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, "\n")
}

// mediaIn returns the blocks of content that have no text of their own.
func mediaIn(raw json.RawMessage) []Part {
	_, blocks, _ := readContent(raw)
	var parts []Part
	for _, raw := range blocks {
		var b block
		if json.Unmarshal(raw, &b) == nil && b.Type != "text" && b.Text == "" && textIn(b.Content) == "" {
			parts = append(parts, Part{Kind: Media, Text: b.mediaText(raw), Raw: raw})
		}
	}
	return parts
}

// IsObject reports whether JSON text is an object.
func IsObject(text string) bool {
	var fields map[string]json.RawMessage
	return json.Unmarshal([]byte(text), &fields) == nil && fields != nil
}

// textBlock returns a part of text as a block: as it came, or made with the members of its format.
func (p *Part) textBlock(made map[string]any) any {
	if p.Raw != nil {
		return p.Raw
	}
	return made
}
