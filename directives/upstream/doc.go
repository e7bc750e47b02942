// Package upstream asks other MCP servers, those that the operator has named.
//
// It owns their processes and connections: started when first asked, stopped when idle, ended with the server. It refuses a tool
// that may change something, unless the operator lists it, and every request that a server makes of its client: it
// offers no sampling, no roots and no questions. Its invariant: a server sees the environment that is configured and
// nothing else, and cannot make this process hold more than the bytes that it was given, or wait longer than the call.
package upstream
