package main

import (
	"errors"
	"fmt"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/ctx-mcp/ctx-mcp/compiler"
	"github.com/ctx-mcp/ctx-mcp/directives"
	"github.com/ctx-mcp/ctx-mcp/directives/upstream"
	"github.com/ctx-mcp/ctx-mcp/packets"
	"github.com/ctx-mcp/ctx-mcp/tokens"
)

// contexts are the services that make what a model sees, keep it, and bring what directives name.
type contexts struct {
	packets    *packets.Service
	compiler   *compiler.Service
	directives *directives.Service
	upstream   *upstream.Pool
}

// wireContexts makes the services. The others are wired already.
func (a *app) wireContexts() {
	c := a.config
	a.contexts = &contexts{upstream: upstream.New(c.servers, upstream.Options{
		Idle: c.UpstreamIdle, MaxBytes: int64(4*c.DirectiveBytes + 1<<20), Version: version, Redact: func(text string) string {
			text, _ = a.redactor.For(c.Tenant).Text(text)
			return text
		},
	}, a.logger)}
	a.packets = &packets.Service{
		Store: a.store, Blobs: a.blobs, Digests: a.store, Objects: a.store, Artifacts: a.store,
		Redact: a.redactMemory, Personal: a.redactResult, Recompilers: recompilers(), Now: a.sys.now, Logger: a.logger,
		Options: packets.Options{PII: c.PII, Schemas: c.Schemas, Keep: c.PacketKeep, SweepAt: c.PacketKeep + c.PacketKeep/5 + 1, MaxAge: c.PacketMaxAge},
	}
	a.memory.Erased = a.packets.Purge
	a.directives = &directives.Service{
		Providers: a.providers(), Keeper: a.artifacts, Sealer: a.packets, Assembler: directives.Assembler{Counter: tokens.Approximate{}},
		Redact: a.redactResult, Now: a.sys.now, Logger: a.logger,
		Options: directives.Options{MaxBytes: int64(c.DirectiveBytes), MaxItems: c.DirectiveItems, Timeout: c.outside(c.DirectiveTimeout)},
	}
	a.compiler = &compiler.Service{
		Memory: a.memory, Tasks: a.tasks, Results: a.envelope, Directives: documents{a.directives}, Packets: a.packets, Prefixes: a.store, Counter: c.counterOf,
		Redact: a.redactResult, Now: a.sys.now, Logger: a.logger, Observe: a.metrics.observeCompile, Step: a.sends.Step,
	}
}

// counterOf returns the counter of a model's tokens; where no model is named, that of everything else.
func (c *Config) counterOf(model string) compiler.Counter {
	if model == "" {
		return tokens.Approximate{}
	}
	return c.models().For(model).Counter
}

// countersOf returns every counter that may have counted for a model, whatever the configuration was.
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

// providers are what stands behind directives. What the configuration does not open is off.
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
		web := directives.Web{Hosts: c.WebHosts, Resolver: net.DefaultResolver, Dial: dialer.DialContext}
		all["http"], all["https"] = web, web
	}
	if len(c.servers) > 0 {
		all["mcp"] = directives.MCP{Upstream: a.upstream}
	}
	return all
}

// loadUpstreams reads the file of upstream servers.
func (c *Config) loadUpstreams(getenv func(string) string) error {
	if c.Upstreams == "" {
		return nil
	}
	text, err := os.ReadFile(c.Upstreams)
	if err != nil {
		return usage("context.upstreams: %v", err)
	}
	if c.servers, err = upstream.Parse(text, getenv); err != nil {
		return usage("context.upstreams: %s: %v", c.Upstreams, err)
	}
	return nil
}

// upstreamSecrets are the values that upstream servers are given, should anything return them.
func (c *Config) upstreamSecrets() []string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(c.servers)) {
		for _, v := range c.servers[name].Secrets() {
			if len(v) >= minSecret && !strings.ContainsAny(v, "/\\:") {
				all = append(all, v)
			}
		}
	}
	return all
}

// minSecret is how long a value is that is hidden wherever it stands. Shorter ones, paths and addresses are words of
// ordinary text.
const minSecret = 12

func (c *Config) checkContexts() error {
	if c.DirectiveBytes == 0 || c.DirectiveItems == 0 || c.PacketKeep == 0 {
		return usage("context.max_bytes, context.max_items or context.packet_keep is 0")
	}
	for i, root := range c.FilesystemRoots {
		info, err := os.Stat(root)
		if err != nil || !info.IsDir() {
			return usage("context.filesystem_roots: %s is not a folder", root)
		}
		if c.FilesystemRoots[i], err = filepath.Abs(root); err != nil {
			return usage("context.filesystem_roots: %v", err)
		}
	}
	if err := packets.CheckSchemas(c.Schemas); err != nil {
		return usage("context.schemas: %v", err)
	}
	return nil
}

type piiValue packets.PII

func (v *piiValue) String() string { return string(*v) }
func (v *piiValue) Type() string   { return "word" }
func (v *piiValue) Set(text string) error {
	*v = piiValue(text)
	return word(text, packets.Ways())
}

// tableValue is a table of names and values: name=value, separated by commas, or a section in the file.
type tableValue map[string]string

func (v *tableValue) Type() string { return "table" }

func (v *tableValue) String() string {
	var pairs []string
	for _, name := range slices.Sorted(maps.Keys(*v)) {
		pairs = append(pairs, name+"="+(*v)[name])
	}
	return strings.Join(pairs, ",")
}

func (v *tableValue) Set(text string) error {
	var list listValue
	if err := list.Set(text); err != nil {
		return err
	}
	*v = tableValue{}
	for _, pair := range list {
		name, val, ok := strings.Cut(pair, "=")
		name, val = strings.TrimSpace(name), strings.TrimSpace(val)
		if !ok || name == "" || val == "" {
			return fmt.Errorf("%q is not name=value", pair)
		}
		if _, twice := (*v)[name]; twice {
			return errors.New(name + " is there twice")
		}
		(*v)[name] = val
	}
	return nil
}
