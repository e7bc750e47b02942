// Package stories holds sessions of agents in plain text, for the tests of provenance and of sessions.
//
// It owns the file sessions.txt and its form, which the beginning of the file describes. It judges nothing.
//
// The glossary of package ctxmcp defines the words.
package stories
