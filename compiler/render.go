package compiler

import (
	"cmp"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/conversation"
	"github.com/ctx-mcp/ctx-mcp/schema/ijson"
)

// renderers writes the blocks in each form.
var renderers = map[Format]func(*state) error{
	OpenAI:    (*state).renderOpenAI,
	Anthropic: (*state).renderAnthropic,
	Text:      (*state).renderText,
}

// explicitBreakpoints matches the models that cache a prefix where a breakpoint ends it, and nowhere else: the family of 5.6
// and later ones. Earlier models find the longest prefix by themselves.
var explicitBreakpoints = regexp.MustCompile(`(?i)\bgpt-?(5[.-]([6-9]|\d\d)|[6-9]\b|\d\d)`)

// openAIMessage is a message in the form of chat completions.
type openAIMessage struct {
	Role       string     `json:"role"`
	Content    any        `json:"content"` // a text, a list of parts, or nil
	Name       string     `json:"name,omitempty"`
	ToolCalls  []toolCall `json:"tool_calls,omitempty"`
	ToolCallID string     `json:"tool_call_id,omitempty"`
}

// toolCall is a call in this form.
type toolCall struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

// roles says on whose behalf a group speaks: only what stands above every user speaks as the system.
var roles = map[group]string{systemGroup: "system", policyGroup: "system", appendedGroup: "system"}

// renderOpenAI writes one message a block, with a breakpoint at the end of the static prefix and of the conversation where the
// model needs them.
func (s *state) renderOpenAI() error {
	static, grown := s.openAIBreakpoints()
	for _, b := range s.blocks {
		switch {
		case b.turn != nil:
			raws, err := asOpenAI(b.turn)
			if err != nil {
				return err
			}
			if b == grown {
				raws[len(raws)-1] = s.breakpointed(raws[len(raws)-1])
			}
			for _, raw := range raws {
				s.send(raw, b)
			}
		case b.result != nil:
			if err := s.sendResult(b); err != nil {
				return err
			}
		default:
			role := roles[b.group]
			if role == "" {
				role = "user"
			}
			raw, err := ijson.Compact(openAIMessage{Role: role, Content: b.text()})
			if err != nil {
				return err
			}
			if b == static {
				raw = s.breakpointed(raw)
			}
			s.send(raw, b)
		}
	}
	return nil
}

// openAIBreakpoints returns the blocks that end the static prefix and the conversation, as far as a breakpoint is of use there.
// What an assistant said takes none: the last message before it does.
func (s *state) openAIBreakpoints() (static, grown *block) {
	if !explicitBreakpoints.MatchString(s.in.Request.Model) {
		return nil, nil
	}
	before := 0
	for _, b := range s.blocks {
		before += s.tokensOf(b)
		switch {
		case before < cacheMinimum(s.in.Request.Model):
		case b.group == systemGroup || b.group == policyGroup:
			static = b
		case b.turn != nil && b.turn.Role != conversation.Assistant:
			grown = b
		}
	}
	return static, grown
}

// breakpointed returns a message whose last text ends a prefix that is kept.
func (s *state) breakpointed(raw json.RawMessage) json.RawMessage {
	var m map[string]json.RawMessage
	read, err := conversation.DecodeEach([]json.RawMessage{raw})
	if json.Unmarshal(raw, &m) != nil || err != nil {
		return raw
	}
	var parts []map[string]json.RawMessage
	for _, p := range read[0].Parts {
		fields := map[string]json.RawMessage{"type": json.RawMessage(`"text"`), "text": quoted(p.Text)}
		switch {
		case p.Kind == conversation.Call:
			continue
		case p.Kind != conversation.Result && p.Raw != nil && json.Unmarshal(p.Raw, &fields) != nil:
			return raw
		}
		delete(fields, "prompt_cache_breakpoint")
		parts = append(parts, fields)
	}
	if len(parts) == 0 {
		return raw
	}
	parts[len(parts)-1]["prompt_cache_breakpoint"] = json.RawMessage(`{"mode":"explicit"}`)
	content, err := ijson.Compact(parts)
	if err != nil {
		return raw
	}
	m["content"] = content
	marked, err := ijson.Compact(m)
	if err != nil {
		return raw
	}
	s.out.Trace.Cache.Breakpoints++
	return marked
}

func (s *state) sendOpenAI(m openAIMessage, b *block) error {
	raw, err := ijson.Compact(m)
	if err == nil {
		s.send(raw, b)
	}
	return err
}

// sendResult sends what a tool returned to its call. A call that is not in the conversation is put before it, without its
// arguments: a provider takes no result without one.
func (s *state) sendResult(b *block) error {
	if !s.lastCalls()[b.result.CallID] {
		call := toolCall{ID: b.result.CallID, Type: "function"}
		call.Function.Name, call.Function.Arguments = toolName(b.result.Tool), "{}"
		if err := s.sendOpenAI(openAIMessage{Role: "assistant", ToolCalls: []toolCall{call}}, nil); err != nil {
			return err
		}
	}
	return s.sendOpenAI(openAIMessage{Role: "tool", Content: b.text(), ToolCallID: b.result.CallID}, b)
}

// toolName returns a name that a provider accepts.
func toolName(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' {
			return r
		}
		return '_'
	}, name[:min(len(name), 64)])
}

// asOpenAI returns a message of the conversation in this form: what is known of it, and no more. Results come first, each as a message of its own.
func asOpenAI(m *conversation.Message) ([]json.RawMessage, error) {
	var all []json.RawMessage
	var parts []any
	said := openAIMessage{Role: string(m.Role), Name: m.Name()}
	texts := ""
	for i := range m.Parts {
		switch p := &m.Parts[i]; p.Kind {
		case conversation.Call:
			said.ToolCalls = append(said.ToolCalls, openAICall(m, p))
		case conversation.Result:
			raw, err := ijson.Compact(openAIMessage{Role: string(conversation.ToolRole), ToolCallID: p.ID, Content: p.Text})
			if err != nil {
				return nil, err
			}
			all = append(all, raw)
		case conversation.Text:
			texts += p.Text
			parts = append(parts, map[string]any{"type": "text", "text": p.Text})
		default:
			if media, has := m.MediaIn(conversation.OpenAI, p); has {
				parts = append(parts, media)
			}
		}
	}
	switch {
	case len(parts) > 1 || len(parts) == 1 && texts == "":
		said.Content = parts
	case len(parts) == 1:
		said.Content = texts
	case len(said.ToolCalls) == 0:
		return all, nil
	}
	raw, err := ijson.Compact(said)
	return append(all, raw), err
}

// openAICall returns a call in this form. Its arguments are a text of JSON.
func openAICall(m *conversation.Message, p *conversation.Part) toolCall {
	call := toolCall{ID: p.ID, Type: "function"}
	call.Function.Name, call.Function.Arguments = p.Name, p.Args
	if m.Of() != conversation.OpenAI {
		call.Function.Arguments = string(compact(json.RawMessage(cmp.Or(p.Args, "{}"))))
	}
	return call
}

// renderText writes everything into one text, under the names of the zones.
func (s *state) renderText() error {
	var b strings.Builder
	var lines []Line
	row := 1 // of the next block
	for i, bl := range s.blocks {
		text := bl.text()
		if bl.turn != nil {
			text = string(bl.turn.Role) + ": " + strings.TrimSpace(sentText(bl.turn))
		}
		if bl.group == userGroup {
			text = "User:\n" + text
			bl.pieces = append([]piece{{text: "User:", rule: "order/heading"}}, bl.pieces...)
		}
		lines = append(lines, s.linesOf(bl, 0, row)...)
		if i > 0 {
			b.WriteString("\n\n")
		}
		b.WriteString(text)
		row += strings.Count(text, "\n") + 2
	}
	raw, err := ijson.Compact(openAIMessage{Role: "user", Content: b.String()})
	s.out.Messages, s.out.Lines = append(s.out.Messages, raw), lines
	return err
}

// send appends a message, and says what put its lines there.
func (s *state) send(raw json.RawMessage, b *block) {
	at := s.sent
	s.sent += len(textsOf(raw))
	s.out.Messages = append(s.out.Messages, raw)
	if b != nil {
		s.out.Lines = append(s.out.Lines, s.linesOf(b, at, 1)...)
	}
}

// linesOf returns what put each line of a block there; the block has the number, and begins on the line.
func (s *state) linesOf(b *block, number, first int) (all []Line) {
	if b.turn != nil {
		return []Line{{Block: number, First: first, Last: first + strings.Count(strings.TrimSpace(sentText(b.turn)), "\n"),
			Source: "messages", Rule: "order/history", Zone: b.zone}}
	}
	for _, p := range b.pieces {
		l := Line{Block: number, First: first, Last: first + strings.Count(p.text, "\n"), Source: p.source, Rule: p.rule, Zone: b.zone}
		if p.it != nil {
			l.ObjectID, l.Version = p.it.id(), p.it.Object.Version
		}
		if l.Source == "" {
			l.Source = "compiler"
		}
		all, first = append(all, l), l.Last+1
	}
	return all
}

// Texts returns the texts of an output in order, as Line.Block counts them: the system blocks, then those of every message.
func Texts(out Output) []string {
	var all []string
	var system []anthropicBlock
	if json.Unmarshal(out.System, &system) == nil {
		for _, b := range system {
			all = append(all, b.Text)
		}
	}
	for _, raw := range out.Messages {
		all = append(all, textsOf(raw)...)
	}
	return all
}

// textsOf returns the texts of a message of the output, one for each part of its content, and at least one.
func textsOf(raw json.RawMessage) (all []string) {
	read, err := conversation.DecodeEach([]json.RawMessage{raw})
	if err != nil { // it was written here, or changed since
		return []string{""}
	}
	for i := range read[0].Parts {
		switch p := &read[0].Parts[i]; {
		case p.Kind == conversation.Text || p.Kind == conversation.Result:
			all = append(all, p.Text)
		case !calledInOpenAI(&read[0], p):
			all = append(all, "")
		}
	}
	if len(all) == 0 {
		all = append(all, "")
	}
	return all
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}
