package config

import (
	"time"
)

// Limits are the settings that bound the cost of calls.
type Limits struct {
	CallTimeout    time.Duration
	HeavyCalls     int
	HeavyCallsEach int
	HeavyWait      time.Duration
	Memory         int
	Sessions       int
	SessionsEach   int
}

func newLimits() Limits {
	return Limits{CallTimeout: 10 * time.Second, HeavyCalls: 8, HeavyCallsEach: 4, HeavyWait: 2 * time.Second, Sessions: 4096, SessionsEach: 256}
}

var limitSettings = []Setting{
	{Key: "limits.call_timeout", Doc: "time that a call may take; waiting for the user does not count",
		value: func(c *Config) Value { return (*durationValue)(&c.CallTimeout) }},
	{Key: "limits.heavy_calls", Doc: "calls at a time whose work is proportional to content, such as wrap_tool_result; 0: any number",
		value: func(c *Config) Value { return (*intValue)(&c.HeavyCalls) }},
	{Key: "limits.heavy_calls_each", Doc: "of those, calls of one caller over HTTP; 0: as many as limits.heavy_calls",
		value: func(c *Config) Value { return (*intValue)(&c.HeavyCallsEach) }},
	{Key: "limits.heavy_wait", Doc: "time that such a call waits for a place before it is unavailable",
		value: func(c *Config) Value { return (*durationValue)(&c.HeavyWait) }},
	{Key: "limits.memory", Doc: "bytes of memory that the server may use; 0: as many as its cgroup, resource limits and machine allow. GOMEMLIMIT goes before both",
		value: func(c *Config) Value { return (*intValue)(&c.Memory) }},
	{Key: "limits.sessions", Doc: "protocol sessions over HTTP; one more ends the one that was used longest ago",
		value: func(c *Config) Value { return (*intValue)(&c.Sessions) }},
	{Key: "limits.sessions_each", Doc: "of those, sessions of one caller",
		value: func(c *Config) Value { return (*intValue)(&c.SessionsEach) }},
}

// Outside returns how long a call may wait for another system: as set, and no more than half of its time, so that it can
// still answer without.
func (c *Config) Outside(set time.Duration) time.Duration { return min(set, c.CallTimeout/2) }
