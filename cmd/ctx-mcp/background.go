package main

import (
	"context"
	"log/slog"
	"runtime/debug"
	"time"
)

// The pauses before background work that panicked begins again: the first, and the longest, between which each is twice the last.
const (
	firstPause   = time.Second
	longestPause = 5 * time.Minute
)

// inBackground runs work under a name until it returns, or the app closes.
func (a *app) inBackground(ctx context.Context, name string, do func(context.Context)) {
	a.background.Go(func() { persist(ctx, a.logger, name, do) })
}

// persist runs work until it returns. If it panics, that is logged, and it begins again after a pause, as long as ctx lasts: the
// calls go on, and the step that failed is tried once more.
func persist(ctx context.Context, logger *slog.Logger, name string, do func(context.Context)) {
	for pause := firstPause; !contained(ctx, logger, name, do) && ctx.Err() == nil; pause = min(2*pause, longestPause) {
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
	}
}

// contained runs work, and reports whether it returned.
func contained(ctx context.Context, logger *slog.Logger, name string, do func(context.Context)) (returned bool) {
	defer func() {
		if p := recover(); p != nil {
			logger.Error("panic in the background", "work", name, "panic", p, "stack", string(debug.Stack()))
		}
	}()
	do(ctx)
	return true
}
