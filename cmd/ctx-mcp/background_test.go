package main

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestWorkThatPanicsBeginsAgain: after pauses that grow, until it returns, and each panic is in the log.
func TestWorkThatPanicsBeginsAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		var began []time.Duration
		start := time.Now()
		persist(t.Context(), slog.New(slog.NewTextHandler(&log, nil)), "upkeep", func(context.Context) {
			if began = append(began, time.Since(start)); len(began) < 13 {
				panic("a fault")
			}
		})
		if began[1] != time.Second || began[2] != 3*time.Second || began[12]-began[11] != longestPause {
			t.Errorf("it began after %v", began)
		}
		if got := strings.Count(log.String(), `msg="panic in the background" work=upkeep panic="a fault" stack=`); got != 12 {
			t.Errorf("the log has %d panics, want 12:\n%s", got, log.String())
		}
	})
}

// TestWorkThatPanicsEndsWithTheApp: nothing waits for a pause.
func TestWorkThatPanicsEndsWithTheApp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		a := &app{logger: slog.New(slog.DiscardHandler)}
		times := 0
		a.inBackground(ctx, "upkeep", func(context.Context) { times++; panic("a fault") })
		time.Sleep(longestPause)
		cancel()
		a.background.Wait()
		if times < 5 {
			t.Errorf("it began %d times", times)
		}
	})
}
