// Package exchange carries memories between stores: context objects as JSON Lines, out of one and into another.
//
// It owns the form of a line, which docs/format/context-object.md describes, and the rules by which an import
// refuses. It refuses to judge: a version is taken as it is written and is not reconciled with those that the store
// holds. It hides the secrets that Redact finds.
//
// The invariants: an Export, imported and exported again, is the same byte for byte; an Import that returns an error
// has stored nothing.
//
// # Limits
//
// Both directions hold every version in memory once: memory.Store.Find returns a list, and a Change is one value.
package exchange
