package config

import (
	"github.com/ctx-mcp/ctx-mcp/gateway"
)

// Gateway tunes the front of other servers.
type Gateway struct {
	GatewayFile      string
	GatewayMaxTokens int
	GatewayFrame     string
	GatewayLazy      bool
	GatewayAllow     []string
	GatewayDeny      []string

	GatewayServers map[string]gateway.Server // of the file that GatewayFile names, once LoadGateway has read it
	gatewaySecrets []string
}

// The words for which results the gateway frames as data.
const (
	FrameSpeaking = "speaking" // those that speak to a model
	FrameAlways   = "always"
)

func newGateway() Gateway { return Gateway{GatewayMaxTokens: 8000, GatewayFrame: FrameSpeaking} }

var gatewaySettings = []Setting{
	{Key: "gateway.servers", Flag: "servers", Command: "gateway", Doc: "file of the servers behind the gateway, in the form of clients: {\"mcpServers\": {…}}",
		value: func(c *Config) Value { return (*textValue)(&c.GatewayFile) }},
	{Key: "gateway.max_tokens", Doc: "tokens to which a text of a result of another server is trimmed; the whole is kept as an artifact",
		value: func(c *Config) Value { return (*intValue)(&c.GatewayMaxTokens) }},
	{Key: "gateway.frame", Doc: "which texts of other servers are framed as data: speaking (those that speak to a model), always",
		value: func(c *Config) Value { return (*frameValue)(&c.GatewayFrame) }},
	{Key: "gateway.lazy", Doc: "offer find_tools, call_read and call_write in the place of the tools of other servers",
		value: func(c *Config) Value { return (*boolValue)(&c.GatewayLazy) }},
	{Key: "gateway.allow", Doc: "tools of other servers to offer: names with *, such as files__*, or @read-only, @destructive, @open-world; default all",
		value: func(c *Config) Value { return (*patternsValue)(&c.GatewayAllow) }},
	{Key: "gateway.deny", Doc: "tools of other servers not to offer, in the same form",
		value: func(c *Config) Value { return (*patternsValue)(&c.GatewayDeny) }},
}

// LoadGateway reads the file of the servers behind the gateway.
func (c *Config) LoadGateway(getenv func(string) string) error {
	if c.GatewayFile == "" {
		return invalid("the gateway needs --servers: a file {\"mcpServers\": {…}}, as clients have it")
	}
	text, err := c.read(c.GatewayFile)
	if err != nil {
		return invalid("gateway.servers: %v", err)
	}
	if c.GatewayServers, err = gateway.ReadServers(text, getenv); err != nil {
		return invalid("gateway.servers: %s: %v", c.GatewayFile, err)
	}
	c.gatewaySecrets = gateway.Secrets(text, getenv)
	return nil
}

// GatewaySecrets are the values that the servers behind the gateway are given, should anything return them.
func (c *Config) GatewaySecrets() []string { return c.gatewaySecrets }

// frameValue is one of the words of gateway.frame.
type frameValue string

func (v *frameValue) String() string { return string(*v) }
func (v *frameValue) Type() string   { return "word" }
func (v *frameValue) Set(text string) error {
	*v = frameValue(text)
	return Word(text, []string{FrameSpeaking, FrameAlways})
}

// patternsValue is a list of patterns of tools.
type patternsValue []string

func (v *patternsValue) String() string { return (*List)(v).String() }
func (v *patternsValue) Type() string   { return "list" }
func (v *patternsValue) Set(text string) error {
	if err := (*List)(v).Set(text); err != nil {
		return err
	}
	for _, p := range *v {
		if !gateway.CheckPattern(p) {
			return invalid("%q is no pattern of tools: use names with *, or @read-only, @destructive, @open-world", p)
		}
	}
	return nil
}
