package main

import (
	"context"
	"crypto/hkdf"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions"
	"github.com/ctx-mcp/ctx-mcp/config"
	"github.com/ctx-mcp/ctx-mcp/llm/embed"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/postgres"
	"github.com/ctx-mcp/ctx-mcp/serve"
	"github.com/ctx-mcp/ctx-mcp/serve/access"
	"github.com/ctx-mcp/ctx-mcp/serve/telemetry"
	"github.com/ctx-mcp/ctx-mcp/sqlite"
	"github.com/ctx-mcp/ctx-mcp/tokens"
	"github.com/ctx-mcp/ctx-mcp/tools"
	"github.com/ctx-mcp/ctx-mcp/vault"
)

// app is the wired product.
type app struct {
	sys    *system
	config *config.Config
	logger *slog.Logger
	store  *sqlite.Store
	vault  *vault.Vault // nil: nothing is sealed
	// installation is the key that others are derived from.
	installation []byte
	secrets      *hiding
	redactor     *hider // of the results of tools
	memories     *hider // of memories
	memory       *memory.Service
	asker        *serve.Asker
	actions      *actions.Service
	access       *access.Service
	metrics      *metrics
	sends        *telemetry.Telemetry

	life       context.Context // of the background work
	background sync.WaitGroup
	stop       context.CancelFunc

	gates    gates
	projects projects
	*results
	*contexts
	*governance
}

// openApp opens the data directory and wires the services. The caller closes the app.
func openApp(ctx context.Context, sys *system, c *config.Config) (*app, error) {
	logger := newLogger(sys.err, c)
	if err := errors.Join(guardDirectory(c.DataDir, logger), guardDirectory(c.Keys(), logger)); err != nil {
		return nil, err
	}
	store, err := openStore(ctx, c, logger)
	if err != nil {
		return nil, err
	}
	store.LimitVectorMemory(int64(c.EmbeddingsCache))
	store.Bound(c.Quotas.Limits(c.Quotas.OverHTTP))
	key, err := installationKey(ctx, c, sys.random, store.Facts())
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	redactor, err := newRedactor(key, c)
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	secrets := &hiding{base: redactor}
	watch, limit := watchMemory(c, sys.getenv, logger)
	a := &app{
		gates: gates{watch, limit},
		sys:   sys, config: c, logger: logger, store: store, metrics: newMetrics(),
		secrets: secrets, redactor: secrets.without(), memories: secrets.without(c.MemoryAllow...),
		access: &access.Service{Store: store, Now: sys.now, Random: sys.random},
	}
	if err := a.wireVault(ctx); err != nil {
		return nil, errors.Join(err, store.Close())
	}
	a.installation = key
	if a.asker, err = a.newAsker(); err != nil {
		return nil, errors.Join(err, store.Close())
	}
	a.sends, err = telemetry.Open(ctx, telemetry.Options{Version: version, Gatherer: a.metrics.registry, Getenv: sys.getenv, Logger: logger})
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	a.memory = memory.New(memory.Core{
		Store: store, Counter: tokens.Approximate{}, Redact: a.redactMemory, Now: sys.now, NewID: sys.newID, Logger: logger,
		Options: c.MemoryOptions(),
	})
	if c.Entities {
		a.memory.Entities = store
	}
	if err := errors.Join(a.wireResults(ctx), a.wireGovernance()); err != nil {
		return nil, errors.Join(err, store.Close())
	}
	a.wireContexts()
	if err := a.wireActions(); err != nil {
		return nil, errors.Join(err, store.Close())
	}
	background, stop := context.WithCancel(context.WithoutCancel(ctx))
	a.stop, a.life = stop, background
	if err := a.startEmbedding(background); err != nil {
		return nil, errors.Join(err, a.close())
	}
	return a, nil
}

// openStore opens the database that the settings name. It returns CodeUnavailable for one that is half filled from another.
func openStore(ctx context.Context, c *config.Config, logger *slog.Logger) (*sqlite.Store, error) {
	store, err := openRows(ctx, c, logger)
	if err != nil {
		return nil, err
	}
	source, err := store.Unfinished(ctx)
	if err = errors.Join(err, halfDone(source)); err == nil {
		err = useKeys(ctx, c, store)
	}
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	return store, nil
}

// openRows opens the database that the settings name, whole or not.
func openRows(ctx context.Context, c *config.Config, logger *slog.Logger) (*sqlite.Store, error) {
	switch {
	case c.Store == "":
		return sqlite.Open(ctx, c.DataDir, logger)
	case postgres.IsAddress(c.Store):
		if err := os.MkdirAll(c.DataDir, 0o700); err != nil { // keys and artifacts are there
			return nil, ctxmcp.Errorf(ctxmcp.CodeUnavailable, "cannot make %s", c.DataDir).WithCause(err).
				WithHint("choose another place with --data-dir")
		}
		return postgres.Open(ctx, c.Store, logger)
	}
	return nil, ctxmcp.Errorf(ctxmcp.CodeInvalid, "the setting store is no address of a database").
		WithHint("give it as postgres://user@host:5432/database, or leave it out for a file in the data directory")
}

// serveUpkeep begins the work that a server does by itself: it puts the rules of the configuration in force, and
// retires memories, artifacts and sessions in time. Of several servers of one database one retires, and another when that one has ended.
func (a *app) serveUpkeep(ctx context.Context) error {
	if err := errors.Join(a.govern(ctx), a.holdSigningKey(ctx)); err != nil {
		return err
	}
	if err := a.receipts.Continues(ctx); err != nil {
		a.logger.Error("no action can be decided here", "error", err)
	}
	if !a.config.ReadOnly {
		work := &memory.Upkeep{Service: a.memory, Logger: a.logger, Done: a.noteUpkeep}
		var mine atomic.Bool
		if a.config.Store != "" {
			work.Turn = mine.Load
		}
		a.inBackground(a.life, "upkeep", work.Run)
		a.inBackground(a.life, "turns", func(ctx context.Context) {
			a.store.Alone(ctx, sqlite.Upkeep, func(ctx context.Context) { a.retire(ctx, &mine) })
		})
	}
	return nil
}

// retire removes artifacts and sessions in time, and says meanwhile that it is this server that retires.
func (a *app) retire(ctx context.Context, mine *atomic.Bool) {
	mine.Store(true)
	defer mine.Store(false)
	var both sync.WaitGroup
	both.Go(func() { persist(ctx, a.logger, "retention of artifacts", a.sweepArtifacts) })
	both.Go(func() { persist(ctx, a.logger, "retention of sessions", a.sweepActions) })
	both.Wait()
}

// The uses of keys that come of the installation's. Each has a key of its own: append only, because seals and nonces are checked with the key that
// made them.
const (
	keyOfQuestions  = "requestState"
	keyOfFrames     = "nonce of a frame"
	keyOfVisits     = "visits of browsers"
	keyOfReductions = "state of reduce_messages"
)

// derive returns the key for a use. It comes of the installation's, so that every process on the data directory has the same.
func (a *app) derive(use string) ([]byte, error) {
	key, err := hkdf.Key(sha256.New, a.installation, nil, use, sha256.Size)
	if err != nil {
		return nil, fmt.Errorf("derive the key of %s: %w", use, err)
	}
	return key, nil
}

// newAsker returns the Asker of users. Any process on the data directory can take the answer to a question.
func (a *app) newAsker() (*serve.Asker, error) {
	key, err := a.derive(keyOfQuestions)
	if err != nil {
		return nil, err
	}
	return &serve.Asker{Key: key, Timeout: a.config.AskTimeout, Off: a.config.AskTimeout == 0, Now: a.sys.now}, nil
}

// startEmbedding gives memory its vectors, if an endpoint is configured.
func (a *app) startEmbedding(ctx context.Context) error {
	if a.config.EmbeddingsURL == "" {
		return nil
	}
	client, err := embedder(a.config)
	if err != nil {
		return err
	}
	work := memory.NewEmbedding(a.store, a.store, client, a.logger)
	work.Redact = a.redactMemory
	a.memory.Vectors, a.memory.Embedder, a.memory.Stored = a.store, client, work.Wake
	a.actions.Embedder = client
	a.inBackground(ctx, "embedding", work.Run)
	return nil
}

func embedder(c *config.Config) (*embed.Client, error) {
	return embed.New(embed.Options{
		BaseURL: c.EmbeddingsURL, Model: c.EmbeddingsModel, APIKey: c.EmbeddingsKey, Dimensions: c.EmbeddingsDimensions,
	})
}

// close ends the background work, finishes the accepted writes and closes the store.
func (a *app) close() error {
	a.stop()
	a.background.Wait()
	a.sendRest()
	return errors.Join(a.upstream.Close(), a.store.Close(), a.closeEvents())
}

// sendRest sends the telemetry that has gathered, for as long as a shutdown may take. A collector that cannot be reached is no
// reason to fail: its telemetry is lost.
func (a *app) sendRest() {
	ctx, cancel := context.WithTimeout(context.Background(), a.config.ShutdownGrace)
	defer cancel()
	if err := a.sends.Close(ctx); err != nil {
		a.logger.Warn("telemetry could not be sent", "error", err)
	}
}

// services returns the services of the tools, for a server whose calls without a scope fall into defaults, and come by a transport,
// "pipe" or "tcp".
func (a *app) services(defaults ctxmcp.Scope, transport string) *tools.Services {
	trace := func(ctx context.Context, tool string, meta map[string]any) (context.Context, func(string, time.Duration)) {
		return a.sends.Call(ctx, transport, tool, meta)
	}
	return &tools.Services{
		Memory: a.memory, Defaults: defaults, Caller: serve.CallerFrom, Asker: a.asker, Logger: a.logger, Redact: a.redactResult,
		Observe: a.metrics.observe, Working: a.metrics.begin, Trace: trace, Now: a.sys.now, Artifacts: a.artifacts, Envelope: a.envelope, Tasks: a.tasks, Reduce: a.reduce,
		Compiler: a.compiler, Packets: a.packets, Directives: a.directives,
		Actions: a.actions, CallTimeout: a.config.CallTimeout, Heavy: a.heavy(transport),
	}
}

func (a *app) toolOptions() tools.Options {
	return tools.Options{Version: version, Toolsets: a.config.Toolsets, ReadOnly: a.config.ReadOnly}
}

func newLogger(w io.Writer, c *config.Config) *slog.Logger {
	var level slog.Level
	if err := level.UnmarshalText([]byte(c.LogLevel)); err != nil {
		panic(err) // the setting takes only these words
	}
	o := &slog.HandlerOptions{Level: level}
	if c.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(w, o))
	}
	return slog.New(slog.NewTextHandler(w, o))
}
