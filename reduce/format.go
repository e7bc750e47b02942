package reduce

import (
	"bytes"
	"encoding/json"
	"maps"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
)

// Format is a provider's form of messages. The words are arguments of tools.
type Format string

// The formats.
const (
	OpenAI    Format = "openai"
	Anthropic Format = "anthropic"
)

// Formats lists the vocabulary.
func Formats() []Format { return []Format{OpenAI, Anthropic} }

// codec reads and writes one message of a format.
type codec struct {
	roles  []Role
	decode func(m *message, content json.RawMessage) error
	encode func(m *message) map[string]any
}

var codecs = map[Format]codec{
	OpenAI:    {[]Role{System, Developer, User, Assistant, ToolRole}, decodeOpenAI, encodeOpenAI},
	Anthropic: {[]Role{System, User, Assistant}, decodeAnthropic, encodeAnthropic},
}

// decode reads messages. It returns CodeInvalid, with the number of the message, for what is none.
func decode(f Format, raw []json.RawMessage) ([]message, error) {
	c, known := codecs[f]
	if !known {
		return nil, ctxmcp.Errorf(ctxmcp.CodeInvalid, "format %q is not known", f).WithHint("use one of %s", ctxmcp.Words(Formats()))
	}
	all := make([]message, len(raw))
	for i := range raw {
		if err := decodeOne(c, raw[i], &all[i]); err != nil {
			return nil, ctxmcp.Errorf(ctxmcp.CodeInvalid, "messages[%d]: %s", i, err.Error()).
				WithHint("pass the messages as they are sent to the provider, in the format %s", f)
		}
	}
	return all, nil
}

// flaw says what is wrong with a message. Its text is for the caller.
type flaw string

func (f flaw) Error() string { return string(f) }

func decodeOne(c codec, raw json.RawMessage, m *message) error {
	if json.Unmarshal(raw, &m.fields) != nil || m.fields == nil {
		return flaw("not an object")
	}
	var role string
	if json.Unmarshal(m.fields["role"], &role) != nil {
		return flaw("has no role")
	}
	m.role, m.raw = Role(role), raw
	for _, r := range c.roles {
		if r == m.role {
			content := m.fields["content"]
			delete(m.fields, "content")
			return c.decode(m, content)
		}
	}
	return flaw("its role is not one of " + ctxmcp.Words(c.roles))
}

// encode writes messages: those that are as they came byte for byte, but for blanks between the values.
func encode(f Format, all []message) ([]json.RawMessage, error) {
	out := make([]json.RawMessage, len(all))
	for i := range all {
		m := &all[i]
		if m.raw != nil {
			out[i] = m.raw
			continue
		}
		fields := codecs[f].encode(m)
		for name, value := range m.fields {
			if _, written := fields[name]; !written {
				fields[name] = value
			}
		}
		fields["role"] = m.role
		raw, err := compact(fields)
		if err != nil {
			return nil, err
		}
		out[i] = raw
	}
	return out, nil
}

// compact returns JSON on one line, its keys sorted, its signs unescaped.
func compact(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}

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

// block is what is read of a content block of either format.
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

// pictures are the blocks whose bytes say nothing of the tokens that they take.
var pictures = map[string]bool{
	"image": true, "document": true, "container_upload": true, // of Anthropic
	"image_url": true, "input_audio": true, "file": true, // of OpenAI
}

// mediaText returns what is text in a block that is passed on as it is: of a document its text, of what is not known all of it.
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
func mediaIn(raw json.RawMessage) []part {
	_, blocks, _ := readContent(raw)
	var parts []part
	for _, raw := range blocks {
		var b block
		if json.Unmarshal(raw, &b) == nil && b.Type != "text" && b.Text == "" && textIn(b.Content) == "" {
			parts = append(parts, part{kind: mediaPart, text: b.mediaText(raw), raw: raw})
		}
	}
	return parts
}

// isObject reports whether JSON text is an object.
func isObject(text string) bool {
	var fields map[string]json.RawMessage
	return json.Unmarshal([]byte(text), &fields) == nil && fields != nil
}
