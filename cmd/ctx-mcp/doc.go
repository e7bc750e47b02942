// Command ctx-mcp is an MCP server that manages the context of an agent's model.
//
// This package wires: flags, commands, transports, signals and exit codes; package config owns the settings. It is the only one that knows all the
// others, and it holds no rule of the domain. Run ctx-mcp --help for the commands.
package main
