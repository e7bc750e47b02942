package main

import "github.com/ctx-mcp/ctx-mcp/serve/admission"

// gates bound the work that begins.
type gates struct {
	memory *admission.Memory
	limit  int64 // of memory, in bytes
}

// heavy returns the gate of heavy calls. Over stdio there is one caller, who has all places.
func (a *app) heavy(transport string) *admission.Gate {
	c := a.config
	g := &admission.Gate{All: int64(c.HeavyCalls), Wait: c.HeavyWait, Doing: "calls that work through content",
		Near: a.gates.memory.Near, Emptied: a.gates.memory.Rest}
	if transport == "tcp" {
		g.Each = int64(c.HeavyCallsEach)
	}
	return g
}

// messages returns the gate of messages, by the memory that they take: half of the limit, and half of that for one caller
// where there may be several.
func (a *app) messages(transport string) *admission.Gate {
	g := &admission.Gate{All: a.gates.limit / 2, Wait: a.config.HeavyWait, Doing: "large messages",
		Near: a.gates.memory.Near, Emptied: a.gates.memory.Rest}
	if transport == "tcp" {
		g.Each = g.All / 2
	}
	return g
}
