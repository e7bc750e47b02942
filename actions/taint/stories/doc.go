// Package stories holds sessions of agents in plain text, for the tests of provenance and of sessions.
//
// It owns the files of sessions and their form, which the beginning of each describes. It judges nothing.
//
// The glossary of package ctxmcp defines the words.
package stories
