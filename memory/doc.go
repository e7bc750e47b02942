// Package memory holds the rules of governed memory: which statements may be remembered, by whom and where; which of two
// claims holds; who may recall a memory; and how it is forgotten.
//
// It owns the write gate, the read gate, supersession, and the two time lines. It refuses SQL and MCP: stores below it
// execute a Query and apply a Change, and decide nothing. The ranking of the candidates of a recall is that of package
// ranking.
//
// New makes a Service, whose verbs are methods of the part that owns them: a writer, a recaller, a reviewer, a keeper of
// tenure, and a registrar of entities, over one Core.
//
// The invariants. No write destroys information, but for a hard delete: a version that is replaced is closed, never
// changed. Nothing is stored before it is redacted. An object that a caller may not see does not exist for them: reads
// answer not_found.
//
// The glossary of package ctxmcp defines the words.
package memory
