// Package ctxmcp is the language of ctx-mcp: the values that every other package speaks.
//
// # Words
//
// A ContextObject is one managed piece of state. Its tenure is the set of fields that say where it counts
// (Scope, Layer), who said it (Source, Authority), how long it holds (valid time), when the system held it
// (transaction time), who may see it (Classification, PermissionScope) and how it ends (RetirementRule).
//
// A fact is a line of objects about one thing: an object that supersedes another joins its fact. A version is one
// immutable row of an object; an update closes a version and inserts the next.
//
// A Caller is who asks, resolved once at the edge from a token or from the configuration. A namespace is the written
// form of a Scope: "user_42:project_x:session_abc:task_1".
//
// # What belongs here
//
// A type lives here if two packages speak it and it is a value: no I/O, no clock, no randomness, no goroutine. The
// package imports the standard library only.
package ctxmcp
