package config

import (
	"time"

	"github.com/ctx-mcp/ctx-mcp/hook"
)

// Hooks tunes what stands behind the hooks of clients.
type Hooks struct {
	HookFail        hook.Policy
	HookIdle        time.Duration
	HookLimit       time.Duration
	HookBriefTokens int
	HookMaxTokens   int
}

func newHooks() Hooks {
	return Hooks{HookFail: hook.Dangerous, HookIdle: 30 * time.Minute, HookLimit: 20 * time.Second, HookBriefTokens: 400, HookMaxTokens: 8000}
}

var hookSettings = []Setting{
	{Key: "hooks.fail", Doc: "decision on a call when its hook gets no answer: dangerous (a call that only reads goes on, others are denied), closed (all are denied), open (all go on)",
		value: func(c *Config) Value { return (*failValue)(&c.HookFail) }},
	{Key: "hooks.idle", Doc: "time without an event after which the server of the hooks ends",
		value: func(c *Config) Value { return (*durationValue)(&c.HookIdle) }},
	{Key: "hooks.timeout", Doc: "time that the answer to an event may take",
		value: func(c *Config) Value { return (*durationValue)(&c.HookLimit) }},
	{Key: "hooks.brief_tokens", Doc: "tokens of the brief of memory that a session begins with; 0: none",
		value: func(c *Config) Value { return (*intValue)(&c.HookBriefTokens) }},
	{Key: "hooks.max_tokens", Doc: "tokens to which a result is trimmed, where a client lets its hook replace it",
		value: func(c *Config) Value { return (*intValue)(&c.HookMaxTokens) }},
}

// failValue is one of the policies of hooks.
type failValue hook.Policy

func (v *failValue) String() string { return string(*v) }
func (v *failValue) Type() string   { return "word" }
func (v *failValue) Set(text string) error {
	*v = failValue(text)
	return Word(text, hook.Policies())
}
