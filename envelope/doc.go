// Package envelope makes the result of a tool fit for a model: routed to its call, redacted, classified, kept
// outside when large, trimmed to a budget of tokens and framed as data.
//
// It owns the order of these steps, the recognition of content, and what is kept of each kind. It refuses to cut before it
// has redacted, and to pass anything on when redaction failed. Its invariant: its output is valid UTF-8 within the
// budget, JSON that came whole stays JSON, but for the forms in which protocols and shells hand texts over, which are opened; and an
// omission is said, with how to get the rest.
package envelope
