// Package directives brings the documents that a directive names, "scheme:rest": a file, a page, a memory, an artifact, the
// state of a task, the answer of an upstream MCP server.
//
// It owns the grammar of directives, the budgets, and the way of a document: redacted whole, kept as an artifact, trimmed and
// framed as data of the lowest authority. It refuses to cut before it has redacted, and so takes nothing over its budget
// rather than a part. Its invariant: a document enters a prompt as data only, and a provider that fails, fails alone.
package directives
