package main

import (
	"github.com/ctx-mcp/ctx-mcp/llm/chat"
	"github.com/ctx-mcp/ctx-mcp/reduce"
)

// wireReduction makes the service that reduces conversations.
func (a *app) wireReduction() error {
	key, err := a.derive(keyOfReductions)
	if err != nil {
		return err
	}
	a.reduce = &reduce.Service{
		Keeper: a.artifacts, Key: key, Models: a.config.models(), Redact: a.redactResult, Now: a.sys.now, Logger: a.logger,
		Observe: a.metrics.reduced, Options: a.config.reduceOptions(),
	}
	if a.config.ChatURL == "" {
		return nil
	}
	client, err := chat.New(chat.Options{
		BaseURL: a.config.ChatURL, Model: a.config.ChatModel, APIKey: a.config.ChatKey, Timeout: a.config.outside(a.config.ChatTimeout),
	})
	if err != nil {
		return err
	}
	a.reduce.Summarizer = client
	return nil
}

// reduceOptions returns the options as the service takes them, where 0 means the default.
func (c *Config) reduceOptions() reduce.Options {
	o := c.Reduce
	o.CacheRelax = max(o.CacheRelax, none)
	if o.PreserveFirst == 0 {
		o.PreserveFirst = -1
	}
	return o
}

// checkReduction refuses marks that could do nothing, or never come to an end.
func (c *Config) checkReduction() error {
	r := c.Reduce
	switch {
	case r.Limit == 0 || r.ArtifactThreshold == 0 || r.CompressTo == 0 || r.MaxResult == 0 || r.Window == 0:
		return usage("a limit of context, tool or conversation is 0")
	case r.Trigger == 0 || r.LowMark == 0 || r.LowMark >= r.Trigger:
		return usage("prompt.low_mark is 0, or not below prompt.telemetry_threshold")
	case (c.ChatURL == "") != (c.ChatModel == ""):
		return usage("chat.base_url and chat.model go together: set both or neither")
	}
	return nil
}
