// Package tools speaks MCP: the names, schemas, descriptions and error shape of every tool.
//
// A tool is two files, one .go and one .md: the definition, the input, the output and a handler of a few lines; and
// the text that the model reads. It refuses any decision about the domain.
//
// The invariant: every answer that is an error has one shape, argument errors included, and nothing of the inside in it.
package tools
