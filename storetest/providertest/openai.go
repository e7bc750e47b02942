package providertest

import (
	"encoding/json"
	"fmt"
)

// openAIMessage is a message of chat completions.
type openAIMessage struct {
	Role       string          `json:"role"`
	Content    json.RawMessage `json:"content"`
	ToolCallID string          `json:"tool_call_id"`
	ToolCalls  []struct {
		ID       string `json:"id"`
		Type     string `json:"type"`
		Function struct {
			Name      string `json:"name"`
			Arguments string `json:"arguments"`
		} `json:"function"`
	} `json:"tool_calls"`
}

// OpenAI returns why chat completions would refuse the messages; nil if it takes them.
func OpenAI(messages []json.RawMessage) error {
	if len(messages) == 0 {
		return fmt.Errorf("there are no messages")
	}
	waiting := map[string]bool{}
	for i, raw := range messages {
		var m openAIMessage
		if err := json.Unmarshal(raw, &m); err != nil {
			return fmt.Errorf("message %d: %w", i, err)
		}
		if len(waiting) > 0 && m.Role != "tool" {
			return fmt.Errorf("message %d: calls are without a result before it", i)
		}
		if err := m.check(waiting); err != nil {
			return fmt.Errorf("message %d: %w", i, err)
		}
	}
	if len(waiting) > 0 {
		return fmt.Errorf("the last calls are without a result")
	}
	return nil
}

func (m openAIMessage) check(waiting map[string]bool) error {
	said := len(m.Content) > 0 && string(m.Content) != "null" && string(m.Content) != `""`
	switch m.Role {
	case "system", "developer", "user":
		if !said {
			return fmt.Errorf("the %s says nothing", m.Role)
		}
	case "assistant":
		if !said && len(m.ToolCalls) == 0 {
			return fmt.Errorf("the assistant says nothing and calls nothing")
		}
	case "tool":
		if !waiting[m.ToolCallID] {
			return fmt.Errorf("a result of no call before it: %q", m.ToolCallID)
		}
		delete(waiting, m.ToolCallID)
	default:
		return fmt.Errorf("no role: %q", m.Role)
	}
	for _, c := range m.ToolCalls {
		if c.ID == "" || waiting[c.ID] || c.Type != "function" || c.Function.Name == "" || !json.Valid([]byte(c.Function.Arguments)) {
			return fmt.Errorf("no call: %+v", c)
		}
		waiting[c.ID] = true
	}
	return nil
}
