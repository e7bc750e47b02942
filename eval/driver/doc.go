// Package driver starts the real binary and calls its tools over MCP, for the programs that measure it.
//
// It owns how a measured server begins and ends: Stdio has one that lives as long as its client, Start one over HTTP in a process that
// can be watched. It refuses to know the inside of the server, and the purpose of a measurement. Its invariant: a tool that answers with
// an error is an error of the program, so that nothing is scored that the server did not do.
package driver
