// Package compiler makes a prompt of memory, task state, tool results, rules, documents and a conversation:
// scoped, authorised, current, within a budget, ordered for a prompt cache; and says of every candidate why it is in or out.
//
// It owns the ten stages, the ladder from an observation to a constraint, the zones, the forms of the providers, and the
// trace. It refuses to call a model, and to hand it a contradiction to settle.
//
// A compile has two halves. Gather does the I/O: its findings are an Inputs, a value that has been redacted, for it is kept.
// Compile is pure: it reads no clock, draws no id and opens nothing. The invariant: equal Inputs give equal bytes; every
// candidate has exactly one outcome; the output never exceeds the budget; and nothing above the caller's clearance is in it.
//
// The glossary of package ctxmcp defines the words.
package compiler
