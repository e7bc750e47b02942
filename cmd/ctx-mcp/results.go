package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/ctx-mcp/ctx-mcp/artifacts"
	"github.com/ctx-mcp/ctx-mcp/artifacts/blobs"
	"github.com/ctx-mcp/ctx-mcp/artifacts/seal"
	"github.com/ctx-mcp/ctx-mcp/config"
	"github.com/ctx-mcp/ctx-mcp/envelope"
	"github.com/ctx-mcp/ctx-mcp/reduce"
	"github.com/ctx-mcp/ctx-mcp/tasks"
	"github.com/ctx-mcp/ctx-mcp/tokens"
	"github.com/ctx-mcp/ctx-mcp/vault"
)

// results are the services of tool results, artifacts, tasks and reductions.
type results struct {
	blobs     *blobs.Store
	artifacts *artifacts.Service
	envelope  *envelope.Service
	tasks     *tasks.Service
	reduce    *reduce.Service
}

// wireResults opens the blobs and makes the services.
func (a *app) wireResults() error {
	kept, err := blobs.Open(filepath.Join(a.config.DataDir, "blobs"))
	if err != nil {
		return err
	}
	sealer, err := a.sealer()
	if err != nil {
		return err
	}
	frames, err := a.derive(keyOfFrames)
	if err != nil {
		return err
	}
	c, counter := a.config, tokens.Approximate{}
	a.results = &results{blobs: kept}
	a.artifacts = &artifacts.Service{
		Index: a.store, Keeper: a.store, Blobs: kept, Counter: counter, Redact: a.redactResult, Sealer: sealer, Now: a.sys.now,
		NewID: a.sys.newID, Logger: a.logger,
		Options: artifacts.Options{Keep: c.ArtifactKeep, SweepAt: c.ArtifactSweepAt, MaxAge: c.ArtifactMaxAge, MaxSize: c.ArtifactMaxBytes},
	}
	a.envelope = &envelope.Service{
		Keeper: a.artifacts, Ledger: a.store, Counter: counter, Redact: a.redactResult, Key: frames, Now: a.sys.now, Logger: a.logger,
		Options: envelope.Options{Threshold: c.ArtifactThreshold},
	}
	a.tasks = &tasks.Service{
		Store: a.store, Artifacts: a.artifacts, Counter: counter, Redact: a.redactResult, Now: a.sys.now,
		Options: tasks.Options{TTL: c.TaskTTL},
	}
	a.artifacts.Lineage = a.tasks
	return a.wireReduction()
}

// sealer returns the Sealer of originals, or nil if none are kept: an age identity of their own, or else the vault.
func (a *app) sealer() (artifacts.Sealer, error) {
	c := a.config
	if c.KeepRaw == config.KeepEncrypted && c.RawKey == "" && c.RawKeyFile == "" {
		return vault.Originals{Vault: a.vault}, nil
	}
	if c.KeepRaw != config.KeepEncrypted {
		return nil, nil
	}
	key := c.RawKey
	if c.RawKeyFile != "" {
		text, err := os.ReadFile(c.RawKeyFile)
		if err != nil {
			return nil, fmt.Errorf("read artifacts.raw_key_file: %w", err)
		}
		key = string(text)
	}
	s, err := seal.New(key)
	if err != nil {
		return nil, err
	}
	return s, nil
}

// sweepArtifacts retires packets and artifacts that have had their time, now and every hour, until the context ends.
func (a *app) sweepArtifacts(ctx context.Context) {
	tick := time.NewTicker(time.Hour)
	defer tick.Stop()
	for {
		if _, err := a.packets.Sweep(ctx, false); err != nil && !errors.Is(err, context.Canceled) {
			a.logger.Error("sweep packets", "error", err)
		}
		if _, err := a.artifacts.Sweep(ctx, a.blobs, false); err != nil && !errors.Is(err, context.Canceled) {
			a.logger.Error("sweep artifacts", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
