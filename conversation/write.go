package conversation

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/schema/ijson"
)

// A writer writes the known parts of a message of any format in a format of its own. Blocks are the content, a part each; whole makes
// messages of the content and of the fields beside it.
type writer struct {
	blocks func(*Message) ([]json.RawMessage, error)
	whole  func(*Message) ([]json.RawMessage, error)
}

// Write returns a message of any format in the format f, as one message or several: a result is a message of its own in chat completions. It
// returns CodeInvalid for a format that is only read.
func Write(f Format, m *Message) ([]json.RawMessage, error) {
	w, err := writerOf(f)
	if err != nil {
		return nil, err
	}
	return w.whole(m)
}

// WriteBlocks returns the content of a message of any format as the blocks of the format f. It returns CodeInvalid for a format that is only
// read.
func WriteBlocks(f Format, m *Message) ([]json.RawMessage, error) {
	w, err := writerOf(f)
	if err != nil {
		return nil, err
	}
	return w.blocks(m)
}

func writerOf(f Format) (*writer, error) {
	row, err := rowOf(f)
	if err != nil {
		return nil, err
	}
	if formats[row].write == nil {
		return nil, ctxmcp.Errorf(ctxmcp.CodeInvalid, "the format %s is only read", f).WithHint("write openai or anthropic")
	}
	return formats[row].write, nil
}

// openAIOut is a message of chat completions, its members in the order in which they are written.
type openAIOut struct {
	Role       string          `json:"role"`
	Content    any             `json:"content"` // a text, a list of parts, or nil
	Name       string          `json:"name,omitempty"`
	ToolCalls  []openAICallOut `json:"tool_calls,omitempty"`
	ToolCallID string          `json:"tool_call_id,omitempty"`
}

type openAICallOut struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"` // JSON
	} `json:"function"`
}

var openAIWriter = &writer{blocks: openAIBlocks, whole: writeOpenAI}

// openAIBlocks returns the texts and media of a message.
func openAIBlocks(m *Message) (all []json.RawMessage, err error) {
	add := func(v any) {
		raw, fault := ijson.Compact(v)
		all, err = append(all, raw), cmp.Or(err, fault)
	}
	for i := range m.Parts {
		switch p := &m.Parts[i]; p.Kind {
		case Call, Result:
		case Text:
			add(map[string]any{"type": "text", "text": p.Text})
		default:
			if media, has := m.mediaIn(OpenAI, p); has {
				add(media)
			}
		}
	}
	return all, err
}

// writeOpenAI returns the results first, each as a message of its own, and then the texts and calls.
func writeOpenAI(m *Message) ([]json.RawMessage, error) {
	var all []json.RawMessage
	said := openAIOut{Role: string(m.Role), Name: m.Name()}
	text := ""
	for i := range m.Parts {
		switch p := &m.Parts[i]; p.Kind {
		case Call:
			said.ToolCalls = append(said.ToolCalls, m.openAICall(p))
		case Result:
			raw, err := ijson.Compact(openAIOut{Role: string(ToolRole), ToolCallID: p.ID, Content: p.Text})
			if err != nil {
				return nil, err
			}
			all = append(all, raw)
		case Text:
			text += p.Text
		}
	}
	blocks, err := openAIBlocks(m)
	switch {
	case err != nil:
		return nil, err
	case len(blocks) > 1 || len(blocks) == 1 && text == "":
		said.Content = blocks
	case len(blocks) == 1:
		said.Content = text
	case len(said.ToolCalls) == 0:
		return all, nil
	}
	raw, err := ijson.Compact(said)
	return append(all, raw), err
}

func (m *Message) openAICall(p *Part) openAICallOut {
	call := openAICallOut{ID: p.ID, Type: "function"}
	call.Function.Name, call.Function.Arguments = p.Name, p.Args
	if m.of != OpenAI {
		call.Function.Arguments = string(sortedArgs(cmp.Or(p.Args, "{}")))
	}
	return call
}

// anthropicOut is a block of the Messages API, its members in the order in which they are written.
type anthropicOut struct {
	Type      string          `json:"type"`
	Text      string          `json:"text,omitempty"`
	ID        string          `json:"id,omitempty"`
	Name      string          `json:"name,omitempty"`
	Input     json.RawMessage `json:"input,omitempty"`
	ToolUseID string          `json:"tool_use_id,omitempty"`
	Content   string          `json:"content,omitempty"`
	Cache     json.RawMessage `json:"cache_control,omitempty"`
}

var anthropicWriter = &writer{blocks: anthropicBlocks, whole: writeAnthropic}

func anthropicBlocks(m *Message) (all []json.RawMessage, err error) {
	add := func(v any) {
		raw, fault := ijson.Compact(v)
		all, err = append(all, raw), cmp.Or(err, fault)
	}
	for i := range m.Parts {
		switch p := &m.Parts[i]; p.Kind {
		case Text:
			add(anthropicOut{Type: "text", Text: p.Text})
		case Call:
			add(anthropicOut{Type: "tool_use", ID: anthropicID(p.ID), Name: p.Name, Input: m.anthropicInput(p)})
		case Result:
			add(anthropicOut{Type: "tool_result", ToolUseID: anthropicID(p.ID), Content: p.Text})
		default:
			if media, has := m.mediaIn(Anthropic, p); has {
				add(media)
			}
		}
	}
	return all, err
}

func writeAnthropic(m *Message) ([]json.RawMessage, error) {
	blocks, err := anthropicBlocks(m)
	if err != nil {
		return nil, err
	}
	raw, err := OfBlocks(m.Role, blocks)
	return []json.RawMessage{raw}, err
}

// OfBlocks returns a message of the Messages API. A result is said by the user there.
func OfBlocks(role Role, blocks []json.RawMessage) (json.RawMessage, error) {
	if role == ToolRole {
		role = User
	}
	return ijson.Compact(struct {
		Role    Role              `json:"role"`
		Content []json.RawMessage `json:"content"`
	}{role, blocks})
}

// anthropicInput returns the arguments of a call as an object.
func (m *Message) anthropicInput(p *Part) json.RawMessage {
	args := cmp.Or(p.Args, "{}")
	if !IsObject(args) {
		quoted, err := ijson.Compact(p.Args)
		if err != nil { // a string
			panic(err)
		}
		return json.RawMessage(`{"arguments":` + string(quoted) + `}`)
	}
	if m.of != OpenAI {
		return sortedArgs(args)
	}
	return json.RawMessage(args)
}

// sortedArgs returns JSON with its members in order and without blanks. A text that is not JSON stays as it is.
func sortedArgs(args string) json.RawMessage {
	var v any
	if json.Unmarshal([]byte(args), &v) != nil {
		return json.RawMessage(args)
	}
	text, err := json.Marshal(v)
	if err != nil {
		return json.RawMessage(args)
	}
	return text
}

// anthropicID returns the id of a call in the characters that the Messages API takes.
func anthropicID(id string) string { return strings.Map(inName, id) }

// ToolName returns the name of a tool in the characters, and at the length, that every provider takes.
func ToolName(name string) string { return strings.Map(inName, name[:min(len(name), 64)]) }

func inName(r rune) rune {
	if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' {
		return r
	}
	return '_'
}
