package main

import (
	"time"

	"github.com/ctx-mcp/ctx-mcp/admission"
)

// limits are the settings that bound what calls may cost.
type limits struct {
	CallTimeout    time.Duration
	HeavyCalls     int
	HeavyCallsEach int
	HeavyWait      time.Duration
}

func newLimits() limits {
	return limits{CallTimeout: 10 * time.Second, HeavyCalls: 8, HeavyCallsEach: 4, HeavyWait: 2 * time.Second}
}

var limitSettings = []setting{
	{key: "limits.call_timeout", doc: "how long a call may take, from its begin to its answer; waiting for the user does not count",
		value: func(c *config) value { return (*durationValue)(&c.CallTimeout) }},
	{key: "limits.heavy_calls", doc: "calls at a time whose work is proportional to content, such as wrap_tool_result; 0: any number",
		value: func(c *config) value { return (*intValue)(&c.HeavyCalls) }},
	{key: "limits.heavy_calls_each", doc: "of those, calls of one caller over HTTP; 0: as many as limits.heavy_calls",
		value: func(c *config) value { return (*intValue)(&c.HeavyCallsEach) }},
	{key: "limits.heavy_wait", doc: "how long such a call waits for a place before it is unavailable",
		value: func(c *config) value { return (*durationValue)(&c.HeavyWait) }},
}

// heavyGate returns what heavy calls pass. Over stdio there is one caller, who has all places.
func (c *config) heavyGate(transport string) *admission.Gate {
	g := &admission.Gate{All: int64(c.HeavyCalls), Wait: c.HeavyWait, Doing: "calls that work through content"}
	if transport == "tcp" {
		g.Each = int64(c.HeavyCallsEach)
	}
	return g
}

// outside returns how long a call may wait for another system: as set, and no more than half of its time, so that it can
// still answer without.
func (c *config) outside(set time.Duration) time.Duration { return min(set, c.CallTimeout/2) }
