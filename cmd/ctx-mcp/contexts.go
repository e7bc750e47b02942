package main

import (
	"net"
	"time"

	"github.com/ctx-mcp/ctx-mcp/compiler"
	"github.com/ctx-mcp/ctx-mcp/directives"
	"github.com/ctx-mcp/ctx-mcp/directives/upstream"
	"github.com/ctx-mcp/ctx-mcp/packets"
	"github.com/ctx-mcp/ctx-mcp/tokens"
)

// contexts are the services that compile contexts, keep their packets, and fetch the documents of directives.
type contexts struct {
	packets    *packets.Service
	compiler   *compiler.Service
	directives *directives.Service
	upstream   *upstream.Pool
}

// wireContexts makes the services. The others are wired already.
func (a *app) wireContexts() {
	c := a.config
	a.contexts = &contexts{upstream: upstream.New(c.Servers, upstream.Options{
		Idle: c.UpstreamIdle, MaxBytes: int64(4*c.DirectiveBytes + 1<<20), Version: version, Redact: func(text string) string {
			text, _ = a.redactor.of(c.Tenant).Text(text)
			return text
		},
	}, a.logger)}
	a.packets = &packets.Service{
		Store: a.store, Blobs: a.blobs, Digests: a.store, Objects: a.store, Artifacts: a.store,
		Redact: a.redactMemory, Personal: a.redactResult, Recompilers: recompilers(), Receipts: a.governance.receipts, Now: a.sys.now, Logger: a.logger,
		Options: packets.Options{PII: c.PII, Schemas: c.Schemas, Shapes: c.Shapes, Keep: c.PacketKeep, SweepAt: c.PacketKeep + c.PacketKeep/5 + 1, MaxAge: c.PacketMaxAge},
	}
	a.memory.Erased = a.packets.Purge
	a.directives = &directives.Service{
		Providers: a.providers(), Keeper: a.artifacts, Sealer: a.packets, Assembler: directives.Assembler{Counter: tokens.Approximate{}},
		Redact: a.redactResult, Now: a.sys.now, Logger: a.logger,
		Options: directives.Options{MaxBytes: int64(c.DirectiveBytes), MaxItems: c.DirectiveItems, Timeout: c.Outside(c.DirectiveTimeout)},
	}
	a.compiler = &compiler.Service{
		Memory: a.memory, Tasks: a.tasks, Results: a.envelope, Keeper: a.artifacts, Shelf: a.artifacts, Directives: documents{a.directives}, Packets: a.packets, Prefixes: a.store, Counter: counterOf(c.Models()),
		Redact: a.redactResult, Now: a.sys.now, Logger: a.logger, Observe: a.metrics.observeCompile, Step: a.sends.Step,
	}
}

// counterOf returns a function from a model to the counter of its tokens; without a name, to the counter of everything else.
func counterOf(models *tokens.Models) func(model string) compiler.Counter {
	return func(model string) compiler.Counter {
		if model == "" {
			return tokens.Approximate{}
		}
		return models.For(model).Counter
	}
}

// countersOf returns every counter that may have counted for a model, under any configuration.
func countersOf(model string) []compiler.Counter {
	m := tokens.For(model)
	return []compiler.Counter{m.Counter, m.Ratio, tokens.Approximate{}}
}

// recompilers make the outputs of packets again, on any machine.
func recompilers() map[packets.Kind]packets.Recompiler {
	return map[packets.Kind]packets.Recompiler{
		packets.Compile: compiler.Recompiler{Counters: countersOf}, packets.Retrieval: directives.Assembler{Counter: tokens.Approximate{}},
	}
}

// providers returns the providers of directives, by their schemes. A scheme that the configuration does not open has none.
func (a *app) providers() map[string]directives.Provider {
	c := a.config
	all := map[string]directives.Provider{
		"memory": directives.Memory{Service: a.memory}, "artifact": directives.Artifact{Service: a.artifacts}, "task": directives.Task{Service: a.tasks},
		"filesystem": nil, "http": nil, "https": nil, "mcp": nil,
	}
	if len(c.FilesystemRoots) > 0 {
		all["filesystem"] = directives.Filesystem{Roots: c.FilesystemRoots, DotFiles: c.FilesystemDotFiles, HardLinks: c.FilesystemHardLinks}
	}
	if len(c.WebHosts) > 0 {
		dialer := net.Dialer{Timeout: 5 * time.Second}
		web := directives.Web{Hosts: c.WebHosts, Private: c.PrivateHosts, Resolver: net.DefaultResolver, Dial: dialer.DialContext}
		all["http"], all["https"] = web, web
	}
	if len(c.Servers) > 0 {
		all["mcp"] = directives.MCP{Upstream: a.upstream}
	}
	return all
}
