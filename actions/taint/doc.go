// Package taint knows where the values of an agent's actions come from, and finds the sentence of a tool's result that an action
// carries out although the user did not ask for it.
//
// It owns the provenance of a session: the statements of the user, the results cut into records, fields and sentences, and where
// each value was seen; the effects of verbs on the world; and the table of indicators that weighs a call against a sentence. It
// knows no session, no log, no lock and no receipt, reads no clock, and does no I/O.
//
// Its invariant: the same statements, calls and results in the same order give the same answers.
//
// The glossary of package ctxmcp defines the words.
package taint
