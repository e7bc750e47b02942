// Package gateway stands in front of other MCP servers: their tools, prompts and resources are offered beside ctx-mcp's own, every call is
// decided before it goes out and recorded after it came back.
//
// It owns the connections to these servers (Pool), the list of what they offer (Catalogue), the pins by which a tool that changed is noticed
// (Pins), the names, and the shaping of results. Messages pass as raw JSON: what is not redacted, trimmed, renamed or framed arrives as it was
// sent. It refuses to decide about a call, which guard does, and to read or write a byte of a client, which serve does.
//
// # Invariants
//
// No call of a server's tool goes out without a decision that allows it, and no result reaches the client that guard has not seen.
//
// A connection serves one user of one tenant, unless the configuration shares the server. Nothing that a client sends to authenticate itself
// goes to a server.
//
// No server delays another, nor a list: lists are answered from the catalogue.
package gateway
