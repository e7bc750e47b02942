package providertest

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

type anthropicMessage struct {
	Role    string            `json:"role"`
	Content []json.RawMessage `json:"content"`
}

type anthropicBlock struct {
	Type      string          `json:"type"`
	Text      string          `json:"text"`
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Input     json.RawMessage `json:"input"`
	ToolUseID string          `json:"tool_use_id"`
}

// callID matches the ids of calls that the Messages API takes.
var callID = regexp.MustCompile(`^[a-zA-Z0-9_-]+$`)

// Anthropic returns why the Messages API would refuse the messages; nil if it takes them. Messages of one role in a row are one turn there.
func Anthropic(messages []json.RawMessage) error {
	turns, err := turnsOf(messages)
	if err != nil {
		return err
	}
	if len(turns) == 0 || turns[0].Role != "user" {
		return fmt.Errorf("the first turn is not the user's")
	}
	waiting := map[string]bool{}
	for i, t := range turns {
		if waiting, err = t.check(waiting); err != nil {
			return fmt.Errorf("turn %d: %w", i, err)
		}
	}
	if len(waiting) > 0 {
		return fmt.Errorf("the last calls are without a result")
	}
	return nil
}

// turnsOf joins the messages of one role in a row.
func turnsOf(messages []json.RawMessage) (turns []anthropicMessage, err error) {
	for i, raw := range messages {
		var m anthropicMessage
		if err := json.Unmarshal(raw, &m); err != nil {
			return nil, fmt.Errorf("message %d: %w", i, err)
		}
		if m.Role != "user" && m.Role != "assistant" {
			return nil, fmt.Errorf("message %d: no role: %q", i, m.Role)
		}
		if len(m.Content) == 0 {
			return nil, fmt.Errorf("message %d says nothing", i)
		}
		if n := len(turns); n > 0 && turns[n-1].Role == m.Role {
			turns[n-1].Content = append(turns[n-1].Content, m.Content...)
			continue
		}
		turns = append(turns, m)
	}
	return turns, nil
}

// check checks a turn behind calls that wait for their results, and returns the calls that it makes.
func (t anthropicMessage) check(waiting map[string]bool) (calls map[string]bool, err error) {
	calls = map[string]bool{}
	answering := true // results stand first
	for _, raw := range t.Content {
		var b anthropicBlock
		if err := json.Unmarshal(raw, &b); err != nil {
			return nil, err
		}
		switch b.Type {
		case "text":
			if strings.TrimSpace(b.Text) == "" {
				return nil, fmt.Errorf("an empty text")
			}
		case "tool_use":
			if t.Role != "assistant" || !callID.MatchString(b.ID) || calls[b.ID] || b.Name == "" || !strings.HasPrefix(string(b.Input), "{") {
				return nil, fmt.Errorf("no call: %s", raw)
			}
			calls[b.ID] = true
		case "tool_result":
			if t.Role != "user" || !waiting[b.ToolUseID] || !answering {
				return nil, fmt.Errorf("a result of no call before it, or behind something else: %s", raw)
			}
			delete(waiting, b.ToolUseID)
		}
		answering = answering && b.Type == "tool_result"
	}
	if len(waiting) > 0 {
		return nil, fmt.Errorf("%d calls are without a result", len(waiting))
	}
	return calls, nil
}
