package ctxmcp_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/ctx-mcp/ctx-mcp"
)

// TestLockIsGivenBack: the next caller gets the lock after a function that returned, failed, panicked or ended its goroutine.
func TestLockIsGivenBack(t *testing.T) {
	failed := errors.New("failed")
	endings := map[string]func() error{
		"return": func() error { return nil },
		"error":  func() error { return failed },
		"panic":  func() error { panic("contained") },
	}
	var l ctxmcp.Lock
	for name, ending := range endings {
		func() {
			defer func() { _ = recover() }()
			if err := l.Do(t.Context(), ending); (err != nil) != (name == "error") {
				t.Errorf("Do(%s) = %v", name, err)
			}
		}()
		ctx, cancel := context.WithCancel(t.Context())
		ran := false
		if err := l.Do(ctx, func() error { ran = true; return nil }); err != nil || !ran {
			t.Errorf("after %s: Do = %v, ran = %v, want the lock to be free", name, err, ran)
		}
		cancel()
	}
}

// TestLockExcludes: a waiting function runs only after the one before it, and gives up when its context ends.
func TestLockExcludes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l ctxmcp.Lock
		taken, release := make(chan struct{}), make(chan struct{})
		order := make(chan string, 3)
		go func() {
			_ = l.Do(t.Context(), func() error { close(taken); <-release; order <- "first"; return nil })
		}()
		<-taken
		waiting, giveUp := context.WithCancel(t.Context())
		gave := make(chan error, 1)
		go func() { gave <- l.Do(waiting, func() error { order <- "gave up"; return nil }) }()
		done := make(chan error, 1)
		go func() { done <- l.Do(t.Context(), func() error { order <- "second"; return nil }) }()
		synctest.Wait()
		giveUp()
		if err := <-gave; !errors.Is(err, context.Canceled) {
			t.Errorf("Do = %v for a caller that gave up, want context.Canceled", err)
		}
		close(release)
		if err := <-done; err != nil {
			t.Errorf("Do = %v for the caller that waited", err)
		}
		if a, b := <-order, <-order; a != "first" || b != "second" || len(order) > 0 {
			t.Errorf("ran %s, %s and %d more, want first, second", a, b, len(order))
		}
		if err := l.Do(waiting, func() error { t.Error("ran for a caller that is gone"); return nil }); !errors.Is(err, context.Canceled) {
			t.Errorf("Do = %v for a caller that is gone", err)
		}
	})
}
