package main

import (
	"context"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
	"github.com/ctx-mcp/ctx-mcp/llm/chat"
	"github.com/ctx-mcp/ctx-mcp/reduce"
)

// noted writes a line of the audit trail that comes with no change.
func (a *app) noted(ctx context.Context, e ctxmcp.Event) error {
	return a.store.ApplyArtifacts(ctx, artifacts.Change{Audit: []ctxmcp.Event{e}})
}

// wireReduction makes the service that reduces conversations.
func (a *app) wireReduction() error {
	key, err := a.derive(keyOfReductions)
	if err != nil {
		return err
	}
	a.reduce = &reduce.Service{
		Keeper: a.artifacts, Key: key, Models: a.config.Models(), Redact: a.redactResult, Now: a.sys.now, Logger: a.logger,
		Observe: a.metrics.reduced, Note: a.noted, Options: a.config.ReduceOptions(),
	}
	if a.config.ChatURL == "" {
		return nil
	}
	client, err := chat.New(chat.Options{
		BaseURL: a.config.ChatURL, Model: a.config.ChatModel, APIKey: a.config.ChatKey, Timeout: a.config.Outside(a.config.ChatTimeout),
	})
	if err != nil {
		return err
	}
	a.reduce.Summarizer = client
	return nil
}
