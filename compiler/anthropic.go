package compiler

import (
	"encoding/json"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/conversation"
	"github.com/ctx-mcp/ctx-mcp/schema/ijson"
)

// anthropicMessage is a message of the Messages API on its way: the results of one turn are one message.
type anthropicMessage struct {
	role    conversation.Role
	content []json.RawMessage
	results bool // it answers calls
}

// minimums are the prefixes that the provider caches at the least, in tokens, by the beginning of a model's name; the first
// that fits counts. Shorter ones are not cached, silently.
var minimums = []struct {
	model  string
	tokens int
}{
	{"claude-opus-4-8", 1024}, {"claude-opus-4-7", 2048}, {"claude-opus-4-6", 4096}, {"claude-opus-4-5", 4096},
	{"claude-haiku-4-5", 4096}, {"claude-3-5-haiku", 2048}, {"claude-haiku-3", 2048}, {"claude-mythos-preview", 2048},
	{"claude-opus-5", 512}, {"claude-fable-5", 512}, {"claude-mythos-5", 512}, {"gemini-2", 2048}, {"gemini", 4096},
}

// cacheMinimum returns the shortest prefix that the model's provider caches.
func cacheMinimum(model string) int {
	name := strings.NewReplacer(".", "-", "_", "-").Replace(strings.ToLower(model[strings.LastIndexByte(model, '/')+1:]))
	for _, m := range minimums {
		if strings.Contains(name, m.model) {
			return m.tokens
		}
	}
	return 1024
}

// midSystem are the models that take a message of the role system within a conversation.
var midSystem = []string{"claude-opus-4-8", "claude-opus-4.8"}

func takesSystemMessage(model string) bool {
	for _, m := range midSystem {
		if strings.Contains(strings.ToLower(model), m) {
			return true
		}
	}
	return false
}

// renderAnthropic writes the static zones as system blocks, and everything that changes into the last turn of the user. At
// most three breakpoints stand where the zones end, where what stands before them is long enough to be cached.
func (s *state) renderAnthropic() error {
	a := &anthropicOut{state: s, minimum: cacheMinimum(s.in.Request.Model)}
	for _, b := range s.blocks {
		if err := a.write(b); err != nil {
			return err
		}
	}
	if err := a.finish(); err != nil {
		return err
	}
	if len(a.system) > 0 {
		raw, err := ijson.Compact(a.system)
		if err != nil {
			return err
		}
		s.out.System = raw
	}
	for _, m := range a.messages {
		raw, err := conversation.OfBlocks(m.role, m.content)
		if err != nil {
			return err
		}
		s.out.Messages = append(s.out.Messages, raw)
	}
	s.out.Lines = a.lines
	s.out.Trace.Cache.Breakpoints = a.breakpoints
	return nil
}

// anthropicOut is an output in this form on its way.
type anthropicOut struct {
	*state
	minimum     int
	before      int // tokens up to here
	system      []json.RawMessage
	messages    []anthropicMessage
	last        []json.RawMessage // content of the user's turn, which collects all that changes
	lastBlocks  []*block
	rules       *block // of the appended rules, where they are a message of their own
	number      int    // of the next text
	lines       []Line
	breakpoints int
}

func (a *anthropicOut) write(b *block) error {
	a.before += a.tokensOf(b)
	switch {
	case b.group == systemGroup || b.group == policyGroup:
		a.lines = append(a.lines, a.linesOf(b, a.number, 1)...)
		a.number++
		raw, err := conversation.TextBlock(b.text(), a.breakpoint())
		a.system = append(a.system, raw)
		return err
	case b.turn != nil:
		return a.sendTurn(b)
	case b.result != nil:
		return a.sendResultOf(b)
	case b.group == appendedGroup && takesSystemMessage(a.in.Request.Model):
		a.rules = b
	default:
		raw, err := conversation.TextBlock(b.text(), false)
		a.last, a.lastBlocks = append(a.last, raw), append(a.lastBlocks, b)
		return err
	}
	return nil
}

// breakpoint reports whether the prefix is long enough to be cached, and counts the breakpoint that it gets then.
func (a *anthropicOut) breakpoint() bool {
	if a.before < a.minimum {
		return false
	}
	a.breakpoints++
	return true
}

// sendTurn sends a message of the conversation. The last of them ends the prefix that only grows.
func (a *anthropicOut) sendTurn(b *block) error {
	content, err := conversation.WriteBlocks(conversation.Anthropic, b.turn)
	if last := len(content) - 1; a.isLastTurn(b) && last >= 0 && a.breakpoint() {
		content[last] = conversation.EndBlock(content[last])
	}
	a.send(anthropicMessage{b.turn.Role, content, len(b.turn.Answers()) > 0}, b)
	return err
}

func (a *anthropicOut) isLastTurn(b *block) bool {
	for i, x := range a.blocks {
		if x == b {
			return i+1 == len(a.blocks) || a.blocks[i+1].turn == nil
		}
	}
	return false
}

func (a *anthropicOut) sendResultOf(b *block) error {
	if !a.lastCalls()[b.result.CallID] {
		if err := a.sendMade(calling(b.result), nil); err != nil {
			return err
		}
	}
	return a.sendMade(answering(b), b)
}

// sendMade sends a message that was made here.
func (a *anthropicOut) sendMade(m conversation.Message, b *block) error {
	content, err := conversation.WriteBlocks(conversation.Anthropic, &m)
	a.send(anthropicMessage{m.Role, content, m.Role == conversation.ToolRole}, b)
	return err
}

// send appends a message; b is what its lines are of. All results of one turn are one message.
func (a *anthropicOut) send(m anthropicMessage, b *block) {
	if b != nil {
		a.lines = append(a.lines, a.linesOf(b, a.number, 1)...)
	}
	a.number += len(m.content)
	if n := len(a.messages); m.results && n > 0 && a.messages[n-1].results {
		a.messages[n-1].content = append(a.messages[n-1].content, m.content...)
		return
	}
	a.messages = append(a.messages, m)
}

// finish sends the user's turn, and after it the rules that were added.
func (a *anthropicOut) finish() error {
	for i, b := range a.lastBlocks {
		a.lines = append(a.lines, a.linesOf(b, a.number+i, 1)...)
	}
	if len(a.last) > 0 {
		a.send(anthropicMessage{conversation.User, a.last, false}, nil)
	}
	if a.rules != nil {
		return a.sendMade(conversation.Said(conversation.System, a.rules.text()), a.rules)
	}
	return nil
}
