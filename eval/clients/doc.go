// Command clients runs real agent clients against ctx-mcp: each in a home of its own, connected by ctx-mcp connect, with a scripted model on
// loopback in the place of its provider. No account and no network is needed.
//
// It holds what a user is promised to what the model was sent and what was done: the memory of an earlier session is known in the next one, the
// secret in a tool's output never reaches the model, and the dangerous deeds that a page tells the agent to do are not done. A run without
// hooks comes first, in which the deeds are done: so a test that cannot fail is noticed.
package main
