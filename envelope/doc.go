// Package envelope makes of what a tool returned what a model may see of it: routed to its call, redacted, classified, kept
// outside when large, trimmed to a budget of tokens and framed as data.
//
// It owns the order of these steps, the recognition of content, and what is kept of each kind. It refuses to cut before it
// has redacted, and to pass anything on when redaction failed. Its invariant: what comes out is valid UTF-8 within the
// budget, JSON that came whole stays JSON, and what was left out is said, with how to get it.
package envelope
