// Package serve puts an MCP server on its two transports: stdio for a local agent, Streamable HTTP for the rest.
//
// It owns the layer between a byte stream and the library (mcp-go): listening, who may connect, who the caller is, how much is read
// and how often, refusals before parsing, the response of each notification, and how everything ends. The library owns the
// protocol, in both eras on one endpoint: revisions up to 2025-11-25 with initialize, and the stateless 2026-07-28. The package
// knows no tool and no rule of the domain.
//
// # Invariants
//
// Every request carries a Caller, which CallerFrom reads: resolved from the bearer token over HTTP, fixed over stdio. It
// travels in a context here and nowhere else, because the library hands its handlers nothing but a context.
//
// A message that reaches the library is valid UTF-8 and holds no lone surrogate, so no text changes on its way in.
//
// A notification that a tool sends while it runs reaches the client before the tool's result, on the same response.
//
// A question to the user holds up nobody but the call that asks it: over stdio the call gives up its turn, and every end of
// the call, of the client or of the server ends the question. An answer counts only from the session that was asked, or
// with the seal of the call that asked. The answers of users are not logged.
//
// No panic and no error text but that of a ctxmcp.Error reaches a client from a handler; the request log holds no
// argument, body, token or query string.
//
// # How it ends
//
// HTTP and Stdio stop when their context is done, and Stdio also when its input ends. Questions then end at once, without
// an answer. Running calls have a grace to finish; after it they are cancelled. A caller that wants a second signal to end the process at once restores the
// signal's default action after the first.
package serve
