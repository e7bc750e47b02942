// Package exchange carries memories between stores: context objects as JSON Lines, out of one and into another.
//
// It owns the form of a line, which docs/format/context-object.md describes, and the rules of what an import refuses. It
// refuses to judge: a version is taken as it is written and is not reconciled with what the store holds. What it hides is
// what Redact hides.
//
// The invariants: what Export wrote, Import stores, and a second Export writes again, is the same byte for byte; an
// Import that returns an error has stored nothing.
//
// # Limits
//
// Both directions hold every version in memory once: memory.Store.Find returns a list, and a Change is one value.
package exchange
