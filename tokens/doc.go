// Package tokens counts the tokens of a text.
//
// It owns the counters and their names. It refuses to guess silently: every figure travels with the name of the counter
// that made it.
package tokens
