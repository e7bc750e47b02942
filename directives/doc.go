// Package directives brings what a directive names, "scheme:rest": a file, a page, a memory, an artifact, the state of a task,
// what an upstream MCP server answers.
//
// It owns the grammar of directives, the budgets, and the way of what was found: redacted whole, kept as an artifact, trimmed
// and framed as data of the lowest authority. It refuses to cut before it has redacted, and so takes nothing over its budget
// rather than a part. Its invariant: what a provider brings enters a prompt as data only, and a provider that fails, fails
// alone.
package directives
