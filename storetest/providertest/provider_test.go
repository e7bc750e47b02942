package providertest

import (
	"encoding/json"
	"testing"
)

const (
	hello    = `{"role":"user","content":"hello"}`
	calls    = `{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]}`
	answers  = `{"role":"tool","tool_call_id":"c","content":"x"}`
	aHello   = `{"role":"user","content":[{"type":"text","text":"hello"}]}`
	aCalls   = `{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"f","input":{}}]}`
	aAnswers = `{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"x"}]}`
)

func TestProviders(t *testing.T) {
	for _, c := range []struct {
		name  string
		check func([]json.RawMessage) error
		takes bool
		all   []string
	}{
		{"openai: a call and its result", OpenAI, true, []string{hello, calls, answers}},
		{"openai: a call without a result", OpenAI, false, []string{hello, calls}},
		{"openai: a result of no call", OpenAI, false, []string{hello, answers}},
		{"openai: somebody speaks in between", OpenAI, false, []string{hello, calls, hello, answers}},
		{"openai: nothing", OpenAI, false, nil},
		{"anthropic: a call and its result", Anthropic, true, []string{aHello, aCalls, aAnswers}},
		{"anthropic: text behind the result", Anthropic, true, []string{aHello, aCalls, aAnswers, aHello}},
		{"anthropic: text before the result", Anthropic, false, []string{aHello, aCalls, aHello, aAnswers}},
		{"anthropic: a call without a result", Anthropic, false, []string{aHello, aCalls}},
		{"anthropic: the assistant begins", Anthropic, false, []string{aCalls, aAnswers}},
		{"anthropic: an empty text", Anthropic, false, []string{`{"role":"user","content":[{"type":"text","text":" "}]}`}},
	} {
		var raw []json.RawMessage
		for _, m := range c.all {
			raw = append(raw, json.RawMessage(m))
		}
		if err := c.check(raw); (err == nil) != c.takes {
			t.Errorf("%s: %v, want taken: %v", c.name, err, c.takes)
		}
	}
}
