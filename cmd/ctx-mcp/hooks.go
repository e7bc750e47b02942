package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
	"github.com/spf13/pflag"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/config"
	"github.com/ctx-mcp/ctx-mcp/guard"
	"github.com/ctx-mcp/ctx-mcp/hook"
	"github.com/ctx-mcp/ctx-mcp/hook/wire"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/reduce"
)

// startHooks starts the server of the hooks as a process of its own, which outlives this one. If one runs already, the new one ends by itself.
func startHooks(c *config.Config, flags *pflag.FlagSet) error {
	path, err := os.Executable()
	if err != nil {
		return err
	}
	log, err := openLog(c.DataDir)
	if err != nil {
		return err
	}
	defer log.Close()
	cmd := exec.Command(path, append([]string{"hook", "serve"}, givenFlags(c, flags)...)...)
	cmd.Stderr, cmd.SysProcAttr = log, detached()
	if err := cmd.Start(); err != nil {
		return err
	}
	return cmd.Process.Release()
}

// serveHooks answers the hooks of the data directory. There is one such server: who finds another ends at once.
func serveHooks(ctx context.Context, sys *system, c *config.Config) (err error) {
	if err := os.MkdirAll(c.DataDir, 0o700); err != nil {
		return err
	}
	lock := flock.New(filepath.Join(c.DataDir, "hook.lock"))
	if held, err := lock.TryLock(); err != nil || !held {
		return err
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	a, err := openApp(ctx, sys, c)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.close()) }()
	if err := a.serveUpkeep(ctx); err != nil {
		return err
	}
	handler, err := a.hooks()
	if err != nil {
		return err
	}
	l, done, err := hook.Listen(c.DataDir)
	if err != nil {
		return err
	}
	defer done()
	a.logger.Info("serving hooks", "version", version, "data_dir", c.DataDir, "user", c.User)
	s := hook.Server{Handle: handler.Handle, Idle: c.HookIdle, Limit: c.HookLimit, Logger: a.logger}
	return s.Serve(ctx, l)
}

// stopHooks ends the server of the data directory, and returns once it is gone.
func stopHooks(ctx context.Context, c *config.Config) error {
	if _, err := relay(ctx, c.DataDir, [][]byte{[]byte(wire.Version), []byte(hook.Stop), nil}); err != nil {
		return nil // there is none
	}
	lock := flock.New(filepath.Join(c.DataDir, "hook.lock"))
	ctx, cancel := context.WithTimeout(ctx, c.ShutdownGrace)
	defer cancel()
	if _, err := lock.TryLockContext(ctx, 10*time.Millisecond); err != nil {
		return ctxmcp.Errorf(ctxmcp.CodeUnavailable, "the server of the hooks has not ended yet").WithCause(err)
	}
	return lock.Unlock()
}

// hooks returns what answers the events of clients: the guard over the services, for the configured user.
func (a *app) hooks() (*hook.Handler, error) {
	key, err := a.derive(keyOfFrames)
	if err != nil {
		return nil, err
	}
	g := &guard.Guard{
		Judge: a.actions, Wrapper: a.envelope, Key: key, Logger: a.logger, Options: guard.Options{MaxTokens: a.config.HookMaxTokens},
	}
	return &hook.Handler{
		Guard: g, By: a.config.Caller(), Key: key, Fail: a.config.HookFail, ProjectOf: a.projectOf, FolderOf: config.FolderOf, Keep: a.keepSaid,
		Brief: func(ctx context.Context, by ctxmcp.Caller, c guard.Conversation) (string, error) {
			if a.config.HookBriefTokens == 0 {
				return "", nil
			}
			return a.services(ctxmcp.Scope{Project: c.Project, Session: c.Session()}, "pipe").Brief(ctx, by, a.config.HookBriefTokens)
		},
	}, nil
}

// mostKept is how many sentences of the user one compaction takes into memory, the latest.
const mostKept = 30

// keepSaid stores the demands and decisions among the user's words in the memory of the conversation. One that is stored already is confirmed.
func (a *app) keepSaid(ctx context.Context, by ctxmcp.Caller, c guard.Conversation, said []string) error {
	var kept []reduce.Lasting
	for _, message := range said {
		kept = append(kept, reduce.LastingOf(message)...)
	}
	for _, k := range kept[max(0, len(kept)-mostKept):] {
		d := memory.Draft{
			Content: k.Text, ObjectType: ctxmcp.ActionableConstraint, Level: ctxmcp.SessionLayer,
			Scope:  ctxmcp.Scope{User: by.User, Project: c.Project, Session: c.Session()},
			Source: memory.Source{Kind: ctxmcp.UserStatement, Origin: c.Front},
		}
		if k.Decision {
			d.ObjectType = ctxmcp.ProjectDecision
		}
		if _, err := a.memory.Remember(ctx, by, d); err != nil {
			return err
		}
	}
	return nil
}
