package conversation

import (
	"encoding/json"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/tokens"
)

// Role says who speaks. The words are those of the providers.
type Role string

// The roles.
const (
	System    Role = "system"
	Developer Role = "developer"
	User      Role = "user"
	Assistant Role = "assistant"
	ToolRole  Role = "tool" // carries one result
)

// Kind is the kind of a part.
type Kind int

// The kinds.
const (
	Text Kind = iota
	Call
	Result
	Thinking // bound by some providers to all that stands before it
	Media    // images, documents and unknown parts: passed on as they are
	Field    // a text of a message beside its content: a member of its object
)

// Part is a piece of a message.
type Part struct {
	Kind   Kind
	Text   string          // of a text, of a result, of a field, and of media the text in it; empty: an image or the like
	ID     string          // of a call, or of the call that a result answers
	Name   string          // of the tool that is called, or of the field
	Args   string          // of a call, JSON
	Full   string          // of a result that its user shortened: all of it
	Inside []Part          // of a result: media, which stay when the text is changed
	Raw    json.RawMessage // the provider's object, if it has one of its own
	Edited bool            // Raw no longer says the same as the part
	Given  bool            // the id was given here: the format has none, and equal calls of two turns have the same
}

// Message is one message in the internal form. A caller that changes one calls Edit.
type Message struct {
	Role  Role
	Parts []Part
	Size  tokens.Size // of the message as it is, for the caller that counts it; zero: not counted

	of      Format                     // it was read from; empty: it was made here
	plain   bool                       // the content is a string, not a list
	bare    bool                       // there was no content
	silent  json.RawMessage            // content that says nothing, as it came
	item    bool                       // it is an item: a turn may be several
	unbound bool                       // the reasoning before it is gone
	fields  map[string]json.RawMessage // the other members of the provider's object
	raw     json.RawMessage            // as it came; nil: was made or edited here
}

// Edit marks that the message is no longer as it came.
func (m *Message) Edit() { m.raw, m.Size = nil, tokens.Size{} }

// Of returns the format that the message was read from, "" if it was made here.
func (m *Message) Of() Format { return m.of }

// Name returns who of several speaks in the role, "" if nothing says it.
func (m *Message) Name() string {
	var name string
	_ = json.Unmarshal(m.fields["name"], &name) // another value is no name
	return name
}

// Calls returns the ids that the message calls, in order.
func (m *Message) Calls() []string { return m.ids(Call) }

// Answers returns the ids of the calls that the message answers, in order.
func (m *Message) Answers() []string { return m.ids(Result) }

func (m *Message) ids(k Kind) []string {
	var ids []string
	for i := range m.Parts {
		if m.Parts[i].Kind == k {
			ids = append(ids, m.Parts[i].ID)
		}
	}
	return ids
}

// Leads reports whether the message instructs rather than speaks: a system prompt.
func (m *Message) Leads() bool { return m.Role == System || m.Role == Developer }

// Empty reports whether the message says nothing that a provider accepts as a turn.
func (m *Message) Empty() bool {
	for i := range m.Parts {
		p := &m.Parts[i]
		if p.Kind == Thinking && m.item {
			return false // an item of its own
		}
		if p.Kind != Text && p.Kind != Thinking || strings.TrimSpace(p.Text) != "" {
			return false
		}
	}
	return true
}

// Said returns a turn in plain text.
func Said(role Role, text string) Message {
	return Message{Role: role, plain: true, Parts: []Part{{Kind: Text, Text: text}}}
}

// Clone returns a copy whose parts can be changed.
func (m Message) Clone() Message {
	m.Parts = append([]Part(nil), m.Parts...)
	return m
}

// Drop removes parts and returns how many.
func (m *Message) Drop(which func(*Part) bool) int {
	before := len(m.Parts)
	kept := m.Parts[:0:0]
	for i := range m.Parts {
		if !which(&m.Parts[i]) {
			kept = append(kept, m.Parts[i])
		}
	}
	if n := before - len(kept); n > 0 {
		m.Parts = kept
		m.Edit()
		return n
	}
	return 0
}

// OnlyThought stands in the place of a message that only thought.
const OnlyThought = "…"

// DropThinking takes thinking out of the messages between two, and returns how much. A message that only thought keeps a word, so that
// messages stay where they are.
func DropThinking(all []Message, from, until int) int {
	n := 0
	for i := max(from, 0); i < min(until, len(all)); i++ {
		m := &all[i]
		dropped := m.Drop(func(p *Part) bool { return p.Kind == Thinking })
		n += dropped
		if len(m.Parts) == 0 {
			m.Parts, m.plain = []Part{{Kind: Text, Text: OnlyThought}}, m.plain || m.item
			m.Edit()
		}
		if dropped > 0 && m.item {
			unbind(all[i+1:])
		}
	}
	return n
}

// unbind frees the items of a turn from the reasoning before them.
func unbind(all []Message) {
	for i := 0; i < len(all) && all[i].item && all[i].Role == Assistant; i++ {
		all[i].unbound = true
		all[i].Edit()
	}
}
