package compiler

import (
	"github.com/ctx-mcp/ctx-mcp/conversation"
	"github.com/ctx-mcp/ctx-mcp/language"
)

// demanding matches the words in which a user says how something has to be, or must not be, for as long as the task lasts.
var demanding = language.NewPattern(`(?i)\b%s\b`, language.Statements.Row("constraint"))

// pin marks the user's words that hold as long as the task does, however long the conversation is: its last request and its first one, and
// what the user demanded between. The turn at hand is no part of the conversation.
func (s *state) pin() {
	first, last := -1, -1
	for i := range s.history {
		text, is := s.requested(i)
		if !is {
			continue
		}
		if demanding.MatchString(text) && matters(text) >= leaning {
			s.history[i].pinned = true
		}
		if matters(text) >= substant {
			if last = i; first < 0 {
				first = i
			}
		}
	}
	for _, i := range []int{first, last, s.lastOfUser()} {
		if i >= 0 {
			s.history[i].pinned = true
		}
	}
}

// requested returns the words of the user in a turn; false where somebody else speaks.
func (s *state) requested(i int) (string, bool) {
	m := &s.history[i].forms[0].messages[0]
	if m.Role != conversation.User || len(m.Answers()) > 0 {
		return "", false
	}
	return saidBy(m), true
}

// lastOfUser returns the turn in which the user spoke last, where the step has no turn of its own: an agent works on it. Else -1.
func (s *state) lastOfUser() int {
	if s.said != "" {
		return -1
	}
	for i := len(s.history) - 1; i >= 0; i-- {
		if _, is := s.requested(i); is {
			return i
		}
	}
	return -1
}
