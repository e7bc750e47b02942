// Package reduce brings a long conversation within the window of a model.
//
// It owns the cascade: five layers in a table, each with the condition under which it acts, from the externalisation of
// large outputs to the last means; the messages that are kept as they are at both ends; and the digest, one block of lines
// chosen under one budget from all that was moved out. It refuses to edit a message that it has returned before, but in an
// epoch: between two watermarks conversations only grow at the end, so that a provider's prompt cache holds.
//
// Its invariants: its output is valid for the provider; reducing twice changes nothing; the same input gives the same
// bytes; everything that was left out stands, redacted, in an artifact that the conversation names.
//
// The glossary of package ctxmcp defines the words.
package reduce
