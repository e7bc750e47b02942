package compiler

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/conversation"
	"github.com/ctx-mcp/ctx-mcp/language"
)

// renderers writes the blocks in each form.
var renderers = map[Format]func(*state) error{
	OpenAI:    (*state).renderOpenAI,
	Anthropic: (*state).renderAnthropic,
	Text:      (*state).renderText,
}

// explicitBreakpoints matches the models that cache a prefix where a breakpoint ends it, and nowhere else: the family of 5.6
// and later ones. Earlier models find the longest prefix by themselves.
var explicitBreakpoints = language.NewPattern(`(?i)\bgpt-?(5[.-]([6-9]|\d\d)|[6-9]\b|\d\d)`)

// roles says on whose behalf a group speaks: only what stands above every user speaks as the system.
var roles = map[group]conversation.Role{systemGroup: conversation.System, policyGroup: conversation.System, appendedGroup: conversation.System}

// renderOpenAI writes one message a block, with a breakpoint at the end of the static prefix and of the conversation where the
// model needs them.
func (s *state) renderOpenAI() error {
	static, grown := s.openAIBreakpoints()
	for _, b := range s.blocks {
		switch {
		case b.turn != nil:
			raws, err := conversation.Write(conversation.OpenAI, b.turn)
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
				role = conversation.User
			}
			said := conversation.Said(role, b.text())
			raws, err := conversation.Write(conversation.OpenAI, &said)
			if err != nil {
				return err
			}
			if b == static {
				raws[0] = s.breakpointed(raws[0])
			}
			s.send(raws[0], b)
		}
	}
	return nil
}

// openAIBreakpoints returns the blocks that end the static prefix and the conversation, as far as a breakpoint is of use there.
// A message of an assistant takes none: the last message before it does.
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

// sendResult sends what a tool returned to its call. A call that is not in the conversation is put before it, without its
// arguments: a provider takes no result without one.
func (s *state) sendResult(b *block) error {
	if !s.lastCalls()[b.result.CallID] {
		if err := s.sendOpenAI(calling(b.result), nil); err != nil {
			return err
		}
	}
	return s.sendOpenAI(answering(b), b)
}

// calling returns the call of a result, without its arguments.
func calling(it *item) conversation.Message {
	return conversation.Message{Role: conversation.Assistant, Parts: []conversation.Part{
		{Kind: conversation.Call, ID: it.CallID, Name: conversation.ToolName(it.Tool), Args: "{}"},
	}}
}

// answering returns the result of a block as a message.
func answering(b *block) conversation.Message {
	return conversation.Message{Role: conversation.ToolRole, Parts: []conversation.Part{
		{Kind: conversation.Result, ID: b.result.CallID, Text: b.text()},
	}}
}

func (s *state) sendOpenAI(m conversation.Message, b *block) error {
	raws, err := conversation.Write(conversation.OpenAI, &m)
	for _, raw := range raws {
		s.send(raw, b)
	}
	return err
}

// breakpointed returns a message whose last text ends a prefix that is kept.
func (s *state) breakpointed(raw json.RawMessage) json.RawMessage {
	marked, ok := conversation.EndMessage(raw)
	if ok {
		s.out.Trace.Cache.Breakpoints++
	}
	return marked
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
	said := conversation.Said(conversation.User, b.String())
	raws, err := conversation.Write(conversation.OpenAI, &said)
	s.out.Messages, s.out.Lines = append(s.out.Messages, raws...), lines
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
	var system []struct{ Text string }
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
