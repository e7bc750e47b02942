package config

import (
	"maps"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/directives/upstream"
)

// loadUpstreams reads the file of upstream servers.
func (c *Config) loadUpstreams(getenv func(string) string) error {
	if c.Upstreams == "" {
		return nil
	}
	text, err := c.read(c.Upstreams)
	if err != nil {
		return invalid("context.upstreams: %v", err)
	}
	if c.Servers, err = upstream.Parse(text, getenv); err != nil {
		return invalid("context.upstreams: %s: %v", c.Upstreams, err)
	}
	return nil
}

// UpstreamSecrets are the values that upstream servers are given, should anything return them.
func (c *Config) UpstreamSecrets() []string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(c.Servers)) {
		for _, v := range c.Servers[name].Secrets() {
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
