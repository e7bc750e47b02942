package conversation

import (
	"bytes"
	"encoding/json"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/schema/ijson"
)

// Format is a provider's form of messages. The words are arguments of tools: append only.
type Format string

// The formats.
const (
	OpenAI    Format = "openai"    // chat completions
	Anthropic Format = "anthropic" // the Messages API
	Responses Format = "responses" // items of OpenAI's Responses API
	Bedrock   Format = "bedrock"   // Converse, and the agents that keep its blocks
	Gemini    Format = "gemini"    // contents with parts
)

// formats are tried in this order where a message may be of several.
var formats = []struct {
	Name   Format
	Doc    string
	roles  []Role
	detect func(*shape) bool // the message has a mark of this format alone
	decode func(*Message) error
	encode func(*Message) map[string]any
	write  *writer         // of messages of any format; nil: the format is only read
	after  func([]Message) // completes messages from the whole conversation; nil: nothing to complete
}{
	{OpenAI, "a call is in tool_calls, a result is a message of the role tool", []Role{System, Developer, User, Assistant, ToolRole}, isOpenAI, decodeOpenAI, encodeOpenAI, openAIWriter, nil},
	{Anthropic, "a call and a result are blocks with a type", []Role{System, User, Assistant}, isAnthropic, decodeAnthropic, encodeAnthropic, anthropicWriter, nil},
	{Responses, "a call and a result are items beside the messages", []Role{System, Developer, User, Assistant, ToolRole}, isResponses, decodeResponses, encodeResponses, nil, nil},
	{Bedrock, "a call and a result are blocks named by their member", []Role{System, User, Assistant}, isBedrock, decodeBedrock, encodeBedrock, nil, nil},
	{Gemini, "a call and a result are parts without an id", []Role{System, User, Assistant}, isGemini, decodeGemini, encodeGemini, nil, pairByName},
}

// Formats lists the vocabulary.
func Formats() []Format {
	var all []Format
	for i := range formats {
		all = append(all, formats[i].Name)
	}
	return all
}

// rowOf returns the number of a format in the table. It returns CodeInvalid for none.
func rowOf(f Format) (int, error) {
	for i := range formats {
		if formats[i].Name == f {
			return i, nil
		}
	}
	return 0, ctxmcp.Errorf(ctxmcp.CodeInvalid, "format %q is not known", f).WithHint("use one of %s", ctxmcp.Words(Formats()))
}

// Decode reads messages. It returns CodeInvalid, with the number of the message, for a value that is none, and for one in another format,
// which it names.
func Decode(f Format, raw []json.RawMessage) ([]Message, error) {
	row, err := rowOf(f)
	if err != nil {
		return nil, err
	}
	all := make([]Message, len(raw))
	for i := range raw {
		m, other := open(raw[i])
		if other != "" && other != f {
			return nil, misnamed(i, other, f)
		}
		if err := m.read(row); err != nil {
			for k := i + 1; k < len(raw); k++ { // a later one may tell the fault of this one
				if _, other := open(raw[k]); other != "" && other != f {
					return nil, misnamed(k, other, f)
				}
			}
			return nil, ctxmcp.Errorf(ctxmcp.CodeInvalid, "messages[%d]: %s", i, err.Error()).
				WithHint("pass the messages as they are sent to the provider, in the format %s", f)
		}
		all[i] = m
	}
	finish(row, all)
	return all, nil
}

func misnamed(place int, is, said Format) error {
	return ctxmcp.Errorf(ctxmcp.CodeInvalid, "messages[%d] is in the format %s, and not in %s", place, is, said).WithHint("set format to %q", is)
}

// DecodeEach reads messages each of which is in a format of its own, and in OpenAI's where nothing says which. It returns CodeInvalid, with the
// number of the message, for a value that is none.
func DecodeEach(raw []json.RawMessage) ([]Message, error) {
	all := make([]Message, len(raw))
	for i := range raw {
		m, f := open(raw[i])
		row, err := rowOf(f)
		if err != nil {
			row = 0
		}
		if err := m.read(row); err != nil {
			return nil, ctxmcp.Errorf(ctxmcp.CodeInvalid, "messages[%d]: %s", i, err.Error()).WithHint("pass the messages as they are sent to a provider")
		}
		all[i] = m
	}
	for row := range formats {
		finish(row, all)
	}
	return all, nil
}

func finish(row int, all []Message) {
	if formats[row].after != nil {
		formats[row].after(all)
	}
}

// open reads the members of a message, and says which format it is in, "" if it may be in several or is none.
func open(raw json.RawMessage) (Message, Format) {
	m := Message{raw: raw}
	if json.Unmarshal(raw, &m.fields) != nil || m.fields == nil {
		return m, ""
	}
	s := shape{fields: m.fields}
	_ = json.Unmarshal(m.fields["role"], &s.role)
	_ = json.Unmarshal(m.fields["type"], &s.kind)
	if content := bytes.TrimSpace(m.fields["content"]); len(content) > 0 && content[0] == '[' {
		_ = json.Unmarshal(content, &s.blocks)
	}
	for i := range formats {
		if formats[i].detect(&s) {
			return m, formats[i].Name
		}
	}
	return m, ""
}

// shape holds the parts of a message that tell the formats from each other.
type shape struct {
	fields     map[string]json.RawMessage
	role, kind string
	blocks     []map[string]json.RawMessage
}

// hasBlock reports whether a block of the content is of one of the types.
func (s *shape) hasBlock(types ...string) bool {
	for _, b := range s.blocks {
		for _, t := range types {
			if string(b["type"]) == `"`+t+`"` {
				return true
			}
		}
	}
	return false
}

// flaw says what is wrong with a message. Its text is for the caller.
type flaw string

func (f flaw) Error() string { return string(f) }

// read reads an opened message as one of a format.
func (m *Message) read(row int) error {
	f := &formats[row]
	m.of = f.Name
	if m.fields == nil {
		return flaw("not an object")
	}
	if role, has := m.fields["role"]; has || f.Name != Responses { // an item of a call has none
		if json.Unmarshal(role, &m.Role) != nil {
			return flaw("has no role")
		}
		if m.Role == modelRole && f.Name == Gemini {
			m.Role = Assistant
		}
		if !hasRole(f.roles, m.Role) {
			return flaw("its role is not one of " + ctxmcp.Words(f.roles))
		}
	}
	return f.decode(m)
}

func hasRole(roles []Role, role Role) bool {
	for _, r := range roles {
		if r == role {
			return true
		}
	}
	return false
}

// Encode writes messages: those that are as they came byte for byte, but for blanks between the values. It returns CodeInvalid for a format that
// is not known.
func Encode(f Format, all []Message) ([]json.RawMessage, error) {
	row, err := rowOf(f)
	if err != nil {
		return nil, err
	}
	out := make([]json.RawMessage, len(all))
	for i := range all {
		m := &all[i]
		if m.raw != nil {
			out[i] = m.raw
			continue
		}
		fields := formats[row].encode(m)
		for name, value := range m.fields {
			if _, written := fields[name]; !written {
				fields[name] = value
			}
		}
		if out[i], err = ijson.Compact(fields); err != nil {
			return nil, err
		}
	}
	return out, nil
}
