// Package foreign reads the memories of other systems: the file of the reference memory server of MCP, and an export of
// mem0.
//
// It owns the forms, a table: each says how it is recognised and how it is read, one file per form. docs/format/foreign.md
// describes them. It refuses to judge: it returns the content of the file, secrets included, and the caller decides about
// it.
//
// A claim is read only where the form says it (a relation, the type of an entity) or where a text has a form that leaves no
// doubt: "Port: 8443", "lives in Berlin". No claim is a fine answer.
//
// # Limits
//
// A file is read as a stream, one value at a time; a single value is held in memory whole.
//
// The glossary of package ctxmcp defines the words.
package foreign
