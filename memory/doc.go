// Package memory holds the rules of governed memory: what may be remembered, by whom and where; what replaces what; who
// may recall it; and how it is forgotten.
//
// It owns the write gate, the read gate, supersession, the two time lines, and the ranking of what is found. It refuses
// SQL and MCP: stores below it execute a Query and apply a Change, and decide nothing.
//
// The invariants. No write destroys information, but for a hard delete: a version that is replaced is closed, never
// changed. Nothing is stored before it is redacted. What a caller may not see does not exist: reads answer not_found.
package memory
