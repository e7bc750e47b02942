package main

import (
	"github.com/ctx-mcp/ctx-mcp/compiler"
	"github.com/ctx-mcp/ctx-mcp/packets"
	"github.com/ctx-mcp/ctx-mcp/tokens"
)

// contexts are the services that make what a model sees, and keep it.
type contexts struct {
	packets  *packets.Service
	compiler *compiler.Service
}

// wireContexts makes the services. Those of memory and of results must stand.
func (a *app) wireContexts() {
	a.contexts = &contexts{}
	a.packets = &packets.Service{
		Store: a.store, Blobs: a.blobs, Digests: a.store, Objects: a.store, Artifacts: a.store, Redact: a.redactMemory,
		Personal: a.redactResult, Now: a.sys.now, Logger: a.logger,
	}
	a.compiler = &compiler.Service{
		Memory: a.memory, Tasks: a.tasks, Results: a.envelope, Packets: a.packets, Prefixes: a.store, Counter: counterOf,
		Redact: a.redactResult, Now: a.sys.now, Logger: a.logger, Observe: a.metrics.observeCompile, Step: a.sends.Step,
	}
	a.packets.Recompilers = map[packets.Kind]packets.Recompiler{packets.Compile: a.compiler}
}

// counterOf returns the counter of a model's tokens.
func counterOf(string) compiler.Counter { return tokens.Approximate{} }
