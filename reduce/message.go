package reduce

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
	ToolRole  Role = "tool" // of OpenAI: carries one result
)

// kind says what a part is.
type kind int

const (
	textPart kind = iota
	callPart
	resultPart
	thinkingPart // bound by some providers to all that stands before it
	mediaPart    // images, documents and what is not known: passed on as it is
	fieldPart    // what a message says beside its content: a member of its object
)

// part is a piece of a message.
type part struct {
	kind   kind
	text   string          // of a text, of a result, of a field, and of media what is text in it; empty: an image or the like
	id     string          // of a call, or of the call that a result answers
	name   string          // of the tool that is called, or of the field
	args   string          // of a call, JSON
	full   string          // of a result that was shortened here: all of it, redacted
	inside []part          // of a result: media, which stay whatever becomes of the text
	raw    json.RawMessage // the provider's object, if it has one of its own
	edited bool            // raw no longer says what the part does
}

// message is one turn in the internal form.
type message struct {
	role   Role
	parts  []part
	plain  bool                       // the content is a string, not a list
	fields map[string]json.RawMessage // what else the provider's object holds
	raw    json.RawMessage            // as it came; nil: was made or edited here
	size   tokens.Size                // of the message as it is; zero: not counted
}

// edit marks that the message is no longer as it came.
func (m *message) edit() { m.raw, m.size = nil, tokens.Size{} }

// calls returns the ids that the message calls, in order.
func (m *message) calls() []string { return m.ids(callPart) }

// answers returns the ids of the calls that the message answers, in order.
func (m *message) answers() []string { return m.ids(resultPart) }

func (m *message) ids(k kind) []string {
	var ids []string
	for i := range m.parts {
		if m.parts[i].kind == k {
			ids = append(ids, m.parts[i].id)
		}
	}
	return ids
}

// leads reports whether the message instructs rather than speaks: a system prompt.
func (m *message) leads() bool { return m.role == System || m.role == Developer }

// empty reports whether the message says nothing that a provider accepts as a turn.
func (m *message) empty() bool {
	for i := range m.parts {
		p := &m.parts[i]
		if p.kind != textPart && p.kind != thinkingPart || strings.TrimSpace(p.text) != "" {
			return false
		}
	}
	return true
}

// said returns a turn in plain text.
func said(role Role, text string) message {
	return message{role: role, plain: true, parts: []part{{kind: textPart, text: text}}}
}

// clone returns a copy whose parts can be changed.
func (m message) clone() message {
	m.parts = append([]part(nil), m.parts...)
	return m
}
