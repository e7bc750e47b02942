// Package tokens counts the tokens of a text for a model.
//
// It owns the counters, the table of models, and how a reported figure corrects an estimate. It refuses to guess silently:
// every figure travels with the name of the counter that made it, a model that is not in the table is marked, and every
// estimate has an upper bound beside its value.
//
// Counters are safe for concurrent use. Vocabularies are read when the first text is counted by them, not before.
package tokens
