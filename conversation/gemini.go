package conversation

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/ctx-mcp/ctx-mcp/schema/ijson"
)

// modelRole is Gemini's name of the assistant.
const modelRole Role = "model"

// geminiPart is a part of a content: one member names its kind.
type geminiPart struct {
	Text    *string `json:"text"`
	Thought bool    `json:"thought"`
	Call    *struct {
		ID   string          `json:"id"`
		Name string          `json:"name"`
		Args json.RawMessage `json:"args"`
	} `json:"functionCall"`
	Response *struct {
		ID       string          `json:"id"`
		Name     string          `json:"name"`
		Response json.RawMessage `json:"response"`
	} `json:"functionResponse"`
	Inline json.RawMessage `json:"inlineData"`
	File   json.RawMessage `json:"fileData"`
}

func isGemini(s *shape) bool {
	_, parts := s.fields["parts"]
	return parts || s.role == string(modelRole)
}

func decodeGemini(m *Message) error { return m.decodeContent("parts", m.decodeGeminiPart) }

func (m *Message) decodeGeminiPart(raw json.RawMessage) (Part, error) {
	var g geminiPart
	if json.Unmarshal(raw, &g) != nil {
		return Part{}, flaw("one of its parts cannot be read")
	}
	p := Part{Kind: Media, Raw: raw}
	switch {
	case g.Text != nil && g.Thought:
		p.Kind, p.Text = Thinking, *g.Text
	case g.Text != nil:
		p.Kind, p.Text = Text, *g.Text
	case g.Call != nil:
		p.Kind, p.ID, p.Name, p.Args = Call, g.Call.ID, g.Call.Name, string(g.Call.Args)
		if m.Role != Assistant || p.Name == "" {
			return p, flaw("a functionCall needs a name, and is of the model")
		}
	case g.Response != nil:
		p.Kind, p.ID, p.Name, p.Text = Result, g.Response.ID, g.Response.Name, geminiText(g.Response.Response)
		if m.Role != User || p.Name == "" {
			return p, flaw("a functionResponse needs a name, and is of the user")
		}
	case g.Inline == nil && g.File == nil:
		p.Text = string(raw)
	}
	return p, nil
}

// geminiText returns the answer of a function: the text of an answer that has one alone, else its JSON.
func geminiText(response json.RawMessage) string {
	var fields map[string]json.RawMessage
	if json.Unmarshal(response, &fields) == nil && len(fields) == 1 {
		for _, name := range []string{"output", "result"} {
			var text string
			if json.Unmarshal(fields[name], &text) == nil {
				return text
			}
		}
	}
	return string(response)
}

// pairByName gives the calls that have no id one, and the results that follow them at once: of one name in their order. An id follows from the
// message of the call, so that it depends neither on earlier messages nor on its thinking, which may be dropped.
func pairByName(all []Message) {
	var waiting []*Part
	for i := range all {
		m := &all[i]
		if m.of != Gemini {
			continue
		}
		if m.Role == Assistant {
			waiting = nil
		}
		for k := range m.Parts {
			switch p := &m.Parts[k]; {
			case p.Kind == Call:
				if p.ID == "" {
					p.ID, p.Given = p.Name+"#"+m.fingerprint()+"."+strconv.Itoa(len(waiting)+1), true
				}
				waiting = append(waiting, p)
			case p.Kind == Result && p.ID == "":
				p.ID, p.Given = p.Name+"#", true // of no call
				waiting = p.answer(waiting)
			}
		}
	}
}

// fingerprint returns letters that follow from the texts and calls of a message.
func (m *Message) fingerprint() string {
	h := sha256.New()
	for i := range m.Parts {
		if p := &m.Parts[i]; p.Kind != Thinking {
			var args any
			_ = json.Unmarshal([]byte(p.Args), &args)
			canonical, _ := ijson.Compact(args) // was read from JSON
			fmt.Fprintf(h, "%d %q %q %s\x00", p.Kind, p.Text, p.Name, canonical)
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:6])
}

// answer gives a result the id of the first call of its name that waits, and returns those that wait still.
func (p *Part) answer(waiting []*Part) []*Part {
	for i, call := range waiting {
		if call.Name == p.Name {
			p.ID = call.ID
			return slices.Delete(slices.Clone(waiting), i, i+1)
		}
	}
	return waiting
}

func encodeGemini(m *Message) map[string]any {
	var parts any = m.silent
	if m.silent == nil || len(m.Parts) > 0 {
		parts = m.geminiParts()
	}
	role := m.Role
	if role == Assistant {
		role = modelRole
	}
	return map[string]any{"role": role, "parts": parts}
}

func (m *Message) geminiParts() []any {
	parts := []any{}
	for i := range m.Parts {
		switch p := &m.Parts[i]; p.Kind {
		case Call:
			parts = append(parts, within(p.Raw, "functionCall", p.geminiID()))
		case Result:
			with := p.geminiID()
			if p.Edited {
				with["response"] = map[string]any{"output": p.Text}
			}
			parts = append(parts, within(p.Raw, "functionResponse", with))
		case Text:
			parts = append(parts, p.textBlock(map[string]any{"text": p.Text}))
		default:
			parts = append(parts, p.Raw)
		}
	}
	return parts
}

// geminiID returns the id of a part as a member, if it came with one.
func (p *Part) geminiID() map[string]any {
	if p.Given {
		return map[string]any{}
	}
	return map[string]any{"id": p.ID}
}
