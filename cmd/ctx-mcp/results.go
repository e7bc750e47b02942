package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
	"github.com/ctx-mcp/ctx-mcp/artifacts/blobs"
	"github.com/ctx-mcp/ctx-mcp/artifacts/blobs/bucket"
	"github.com/ctx-mcp/ctx-mcp/artifacts/blobs/sealed"
	"github.com/ctx-mcp/ctx-mcp/artifacts/seal"
	"github.com/ctx-mcp/ctx-mcp/config"
	"github.com/ctx-mcp/ctx-mcp/envelope"
	"github.com/ctx-mcp/ctx-mcp/reduce"
	"github.com/ctx-mcp/ctx-mcp/sqlite"
	"github.com/ctx-mcp/ctx-mcp/tasks"
	"github.com/ctx-mcp/ctx-mcp/tokens"
	"github.com/ctx-mcp/ctx-mcp/vault"
)

// results are the services of tool results, artifacts, tasks and reductions.
type results struct {
	blobs     blobStore
	files     sealed.Inner // below blobs
	artifacts *artifacts.Service
	envelope  *envelope.Service
	tasks     *tasks.Service
	reduce    *reduce.Service
}

// blobStore keeps bytes.
type blobStore interface {
	artifacts.Blobs
	artifacts.Shelf
}

// sealBlobs returns the store of the bytes in files, which are sealed if the rows have keys and the settings say so.
func sealBlobs(files sealed.Inner, rows *sqlite.Store, c *config.Config) blobStore {
	keys, has := rows.Keys().(sealed.Keys)
	if !has {
		return files
	}
	return sealed.Over(files, keys, rows.BlobNames(), c.ErasureSeal)
}

// openBlobs opens the folder or the bucket that the settings name.
func openBlobs(ctx context.Context, c *config.Config) (sealed.Inner, error) {
	switch {
	case c.Blobs == "":
		return openFolder(filepath.Join(c.DataDir, "blobs"))
	case bucket.IsAddress(c.Blobs):
		kept, err := bucket.Open(ctx, c.Blobs)
		if err != nil {
			return nil, err
		}
		return kept, nil
	case strings.Contains(c.Blobs, "://"):
		return nil, ctxmcp.Errorf(ctxmcp.CodeInvalid, "the setting blobs is no folder and no address of a bucket").
			WithHint("give it as s3://bucket/prefix?endpoint=https://host:9000, as a folder, or leave it out for a folder in the data directory")
	}
	return openFolder(c.Blobs)
}

func openFolder(path string) (sealed.Inner, error) {
	kept, err := blobs.Open(path)
	if err != nil {
		return nil, err
	}
	return kept, nil
}

// wireResults opens the blobs and makes the services.
func (a *app) wireResults(ctx context.Context) error {
	files, err := openBlobs(ctx, a.config)
	if err != nil {
		return err
	}
	kept := sealBlobs(files, a.store, a.config)
	sealer, err := a.sealer()
	if err != nil {
		return err
	}
	frames, err := a.derive(keyOfFrames)
	if err != nil {
		return err
	}
	c, counter := a.config, tokens.Approximate{}
	a.results = &results{blobs: kept, files: files}
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
		text, err := c.ReadFile("artifacts.raw_key_file", c.RawKeyFile)
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
