// Package admission bounds the cost of calls: how long one takes, and how many expensive ones run side by side.
//
// It owns the clock of a call (Within), which stands still while a person is asked; the gate that expensive work passes
// (Gate), with a share for each caller and a bound on all; and the watch on the memory of the process (Memory). It knows no
// tool, no transport and no rule of the domain: a caller says which work is expensive, and how expensive.
//
// # Invariants
//
// Within returns in time, whether or not its function does. The function holds its resources, such as a place in a
// Gate, until it has really ended.
//
// Nobody waits at a gate for longer than it says, and nobody who is within their share waits for a caller who is not.
package admission
